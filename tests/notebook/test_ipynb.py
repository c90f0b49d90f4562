from __future__ import annotations

import copy
import json
import os
import stat
import time
from pathlib import Path
from typing import Any

import nbformat
import pytest

from skillnb.errors import InvalidWorkflow
from skillnb.notebook import ipynb
from skillnb.notebook.example import example
from skillnb.notebook.protocol import Notebooks
from skillnb.notebook.render import render

GOOD = render(example("django/log-in", None))


def _changed(**changes: Any) -> dict[str, Any]:
    return copy.deepcopy(GOOD) | changes


def _findings(path: Path) -> str:
    with pytest.raises(InvalidWorkflow) as caught:
        ipynb.read(path)
    assert str(path) in str(caught.value)
    return "\n".join(caught.value.findings)


def test_reads_what_it_wrote(tmp_path: Path) -> None:
    path = tmp_path / "ü.ipynb"
    ipynb.write(path, GOOD)
    assert ipynb.read(path) == GOOD
    assert [path] == list(tmp_path.iterdir())


def test_writes_as_jupyter_does(tmp_path: Path) -> None:
    """Saving in stock JupyterLab must not touch a line that nobody edited."""
    path = tmp_path / "x.ipynb"
    ipynb.write(path, GOOD)
    assert nbformat.writes(nbformat.from_dict(GOOD)) + "\n" == path.read_text(encoding="utf-8")
    nbformat.validate(nbformat.read(path, as_version=4))


def test_writing_leaves_the_value_alone(tmp_path: Path) -> None:
    before = copy.deepcopy(GOOD)
    ipynb.write(tmp_path / "x.ipynb", GOOD)
    assert before == GOOD


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("{", "is not JSON"),
        ("[]", "the format is no notebook, not 4.5"),
        ('{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": []}', "the format is 4.4, not 4.5"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {"x": NaN}, "cells": []}', "it holds NaN"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {"x": -Infinity}, "cells": []}', "it holds -Infinity"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{}]}', "cell number 1: its type is None"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "'cells' is a required property"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_refuses_a_file_that_is_no_notebook(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "x.ipynb"
    path.write_text(text)
    assert said in _findings(path)


def test_refuses_a_file_that_is_not_there_or_not_utf_8(tmp_path: Path) -> None:
    assert "No such file" in _findings(tmp_path / "x.ipynb")
    (tmp_path / "y.ipynb").write_bytes(b'{"a": "\xff"}')
    assert "is not UTF-8 at byte 7" in _findings(tmp_path / "y.ipynb")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"metadata": {"x": [float("nan")]}}, "holds NaN"),
        ({"cells": [GOOD["cells"][0], GOOD["cells"][0]]}, "'card' is used twice"),
        ({"cells": [{**GOOD["cells"][0], "id": "a b"}]}, "cell number 1.id: 'a b' does not match"),
        ({"nbformat_minor": 4}, "not 4.5"),
    ],
)
def test_refuses_to_write_what_it_would_not_read(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    path = tmp_path / "x.ipynb"
    ipynb.write(path, GOOD)
    before = path.read_bytes()
    with pytest.raises(InvalidWorkflow, match=said):
        ipynb.write(path, _changed(**changes))
    assert before == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.ipynb"
    ipynb.write(path, GOOD)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        ipynb.write(path, _changed(metadata={}))
    assert before == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_half_characters_in_outputs_become_the_replacement_character(tmp_path: Path) -> None:
    nb = copy.deepcopy(GOOD)
    nb["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "a\ud800b"}]
    ipynb.write(tmp_path / "x.ipynb", nb)
    assert ipynb.read(tmp_path / "x.ipynb")["cells"][1]["outputs"][0]["text"] == "a\ufffdb"


def test_keeps_mode_and_link(tmp_path: Path) -> None:
    path, link = tmp_path / "x.ipynb", tmp_path / "link.ipynb"
    ipynb.write(path, GOOD)
    path.chmod(0o600)
    link.symlink_to(path)
    ipynb.write(link, _changed(metadata={"kernelspec": {"name": "python3", "display_name": "P"}}))
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert ipynb.read(path)["metadata"]["kernelspec"]["display_name"] == "P"


def test_five_hundred_cells_are_written_in_well_under_a_second(tmp_path: Path) -> None:
    cells = [{**GOOD["cells"][1], "id": f"c-{number}"} for number in range(500)]
    began = time.perf_counter()
    ipynb.write(tmp_path / "x.ipynb", _changed(cells=cells))
    assert time.perf_counter() - began < 2


def test_the_module_is_what_the_work_layers_ask_for(tmp_path: Path) -> None:
    notebooks: Notebooks = ipynb
    nb = copy.deepcopy(GOOD)
    cell = notebooks.new_cell("code", "new", "1", {"tags": ["a"]})
    cell["outputs"].append(notebooks.new_output({"text/plain": "x"}))
    nb["cells"] += [cell, notebooks.new_cell("markdown", "text", "T", {})]
    notebooks.write(tmp_path / "x.ipynb", nb)
    assert json.loads(json.dumps(nb)) == ipynb.read(tmp_path / "x.ipynb")

"""A real kernel: cells in place, limits that stop them, questions past the notebook."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skillnb.kernel.nbclient import NotebookKernel
from skillnb.kernel.protocol import CellReport, KernelLost
from skillnb.notebook import ipynb


class Lab:
    """One kernel, and a notebook that cells are added to."""

    def __init__(self, loop: asyncio.Runner, folder: Path) -> None:
        self.loop = loop
        self.nb: Any = ipynb.executable({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []})
        self.kernel = NotebookKernel(self.nb, kernel_name="no-such-kernel", cwd=str(folder), start_seconds=60)

    async def ran(self, source: str, seconds: float = 20.0) -> CellReport:
        self.nb["cells"].append(ipynb.new_cell("code", f"cell-{len(self.nb['cells'])}", source, {}))
        return await self.kernel.run(len(self.nb["cells"]) - 1, seconds)

    def run(self, source: str, seconds: float = 20.0) -> CellReport:
        return self.loop.run(self.ran(source, seconds))


@pytest.fixture(scope="module")
def _lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with asyncio.Runner() as loop:
        lab = Lab(loop, tmp_path_factory.mktemp("kernel"))
        loop.run(lab.kernel.start(os.environ))
        yield lab
        loop.run(lab.kernel.stop())


@pytest.fixture
def lab(_lab: Lab) -> Lab:
    _lab.nb["cells"].clear()
    return _lab


def test_an_unknown_kernel_falls_back_to_python3(lab: Lab) -> None:
    assert lab.kernel.name == "python3"


def test_outputs_stand_in_the_cell_and_an_error_is_reported(lab: Lab) -> None:
    assert lab.run("print('hello')")[:3] == ("", "", False)
    assert lab.nb["cells"][0]["outputs"][0]["text"] == "hello\n"
    assert lab.run("1 / 0")[:3] == ("ZeroDivisionError", "division by zero", False)


@pytest.mark.parametrize("source", ["import asyncio; await asyncio.sleep(60)", "import time; time.sleep(60)"])
def test_a_cell_is_stopped_at_its_limit_and_the_next_one_runs(lab: Lab, source: str) -> None:
    report = lab.run(source, 0.5)
    assert report.timed_out
    assert report.error_name in {"CancelledError", "KeyboardInterrupt"}
    assert 0.5 <= report.seconds < 2.5
    assert lab.run("1").error_name == ""


def test_a_question_leaves_no_trace_in_the_notebook(lab: Lab) -> None:
    made = (
        "class Desk:\n  answer = ''\n  async def greet(self, name): self.answer = f'hello {name}'\n__skillnb__ = Desk()"
    )
    lab.run(made)
    assert lab.loop.run(lab.kernel.ask("greet('ü')", 5)) == "hello ü"
    assert len(lab.nb["cells"]) == 1
    with pytest.raises(KernelLost, match="AttributeError"):
        lab.loop.run(lab.kernel.ask("nothing()", 5))


def test_a_cancelled_run_is_cancelled_and_not_a_dead_kernel(lab: Lab) -> None:
    """nbclient takes every cancellation for the kernel's death."""

    async def interrupted() -> None:
        async with asyncio.timeout(0.5):
            await lab.ran("import asyncio; await asyncio.sleep(1)")

    with pytest.raises(TimeoutError):
        lab.loop.run(interrupted())
    time.sleep(1)
    assert lab.run("2").error_name == ""


def test_a_kernel_that_dies_is_lost(tmp_path: Path) -> None:
    with asyncio.Runner() as loop:
        mortal = Lab(loop, tmp_path)
        loop.run(mortal.kernel.start(os.environ))
        with pytest.raises(KernelLost):
            mortal.run("import os; os.kill(os.getpid(), 9)")
        loop.run(mortal.kernel.stop())


def test_a_long_name_of_the_temporary_folder_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with asyncio.Runner() as loop:
        lab = Lab(loop, tmp_path)
        loop.run(lab.kernel.start(os.environ))
        assert lab.run("1").error_name == ""
        loop.run(lab.kernel.stop())

"""Edits of a good notebook, one fault each, for the tests of lint."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from skillnb.notebook.example import example
from skillnb.notebook.render import render
from skillnb.rules.lint import lint

__all__ = [
    "GOOD",
    "Case",
    "Edit",
    "Notebook",
    "again",
    "cell",
    "drop",
    "found",
    "header",
    "line",
    "move",
    "note",
    "own",
    "parameter",
    "setting",
    "source",
]

Notebook = dict[str, Any]
Edit = Callable[[Notebook], object]
Case = tuple[Edit, str, str, str]
"""The edit, and the level, code and place (after the file's name) of what lint must find."""

GOOD = render(example("django/log-in", None))


def cell(nb: Notebook, identifier: str) -> dict[str, Any]:
    return next(one for one in nb["cells"] if one["id"] == identifier)


def own(nb: Notebook) -> dict[str, Any]:
    settings: dict[str, Any] = nb["metadata"]["skillnb"]
    return settings


def source(identifier: str, text: str) -> Edit:
    return lambda nb: cell(nb, identifier).update(source=text)


def line(identifier: str, added: str) -> Edit:
    return lambda nb: cell(nb, identifier).update(source=cell(nb, identifier)["source"] + "\n" + added)


def setting(key: str, value: object, identifier: str = "log-in-procedure") -> Edit:
    return lambda nb: cell(nb, identifier)["metadata"]["skillnb"].update({key: value})


def header(key: str, value: object) -> Edit:
    return lambda nb: own(nb).update({key: value})


def parameter(added: str) -> Edit:
    def change(nb: Notebook) -> None:
        line("parameters", added)(nb)
        del own(nb)["parameters"]

    return change


def drop(*identifiers: str) -> Edit:
    return lambda nb: nb.update(cells=[one for one in nb["cells"] if one["id"] not in identifiers])


def move(identifier: str, position: int) -> Edit:
    def change(nb: Notebook) -> None:
        moved = cell(nb, identifier)
        nb["cells"].remove(moved)
        nb["cells"].insert(position, moved)

    return change


def again(identifier: str, new: str, position: int | None = None) -> Edit:
    def change(nb: Notebook) -> None:
        copied = copy.deepcopy(cell(nb, identifier)) | {"id": new}
        at = nb["cells"].index(cell(nb, identifier)) + 1 if position is None else position
        nb["cells"].insert(at, copied)

    return change


def note(text: str) -> Edit:
    added: dict[str, Any] = {
        "cell_type": "code",
        "id": "n",
        "metadata": {},
        "source": text,
        "outputs": [],
        "execution_count": None,
    }
    return lambda nb: nb["cells"].append(dict(added))


def found(change: Edit) -> list[tuple[str, str, str]]:
    nb = copy.deepcopy(GOOD)
    change(nb)
    return [(one.level, one.code, one.where.removeprefix("x.ipynb")) for one in lint(nb, "x.ipynb")]

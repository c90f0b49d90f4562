"""The authored part of a notebook: what people wrote, apart from what runs and tools left in the file.

Total: any JSON value can be read; what is malformed is left to the lint.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from skillnb.terms.workflow import Role

__all__ = [
    "authored_cells",
    "AuthoredCell",
    "CELL_KEYS",
    "notebook_extra",
    "NOTEBOOK_KEYS",
    "notebook_settings",
    "place",
    "source_text",
    "STEP_ROLES",
]

NOTEBOOK_KEYS = frozenset(
    {"schema", "name", "site", "task_type", "start_url", "locale", "timezone", "provenance", "parameters", "run"}
)
CELL_KEYS = frozenset({"role", "step", "effect", "formalized", "optional", "timeout", "checkpoint", "run", "injected"})
STEP_ROLES = (Role.PROCEDURE, Role.PRE, Role.CODE, Role.POST, Role.FALLBACK)
"""In the order in which the cells of a step stand."""

_VOLATILE_CELL = frozenset({"execution", "papermill", "trusted", "collapsed", "scrolled", "skillnb", "tags"})
_VOLATILE_NOTEBOOK = frozenset({"papermill", "widgets", "language_info", "signature", "trusted", "skillnb"})
_NOT_AUTHORED = frozenset({"injected-parameters", "papermill-error-cell-tag"})


class AuthoredCell(NamedTuple):
    """One cell. ``role`` is the text found (``note`` without ``metadata.skillnb``), which may be no role at all."""

    id: str
    kind: str
    role: str
    step: str | None
    source: str
    tags: tuple[str, ...]
    settings: Mapping[str, object]
    """``metadata.skillnb`` without ``run``."""
    extra: Mapping[str, object]
    """Own tags, other metadata and attachments; empty parts left out."""


def authored_cells(nb: Mapping[str, object]) -> tuple[AuthoredCell, ...]:
    """Cells in order, without those that papermill injected or marked and those that a repair added."""
    cells = nb.get("cells")
    read = [_read(cell) for cell in cells if isinstance(cell, Mapping)] if isinstance(cells, list) else []
    return tuple(cell for cell in read if not _left_out(cell))


def notebook_settings(nb: Mapping[str, object]) -> Mapping[str, object] | None:
    """``metadata.skillnb`` without ``run``; None when there is none."""
    own = _mapping(nb.get("metadata")).get("skillnb")
    return {key: value for key, value in own.items() if key != "run"} if isinstance(own, Mapping) else None


def notebook_extra(nb: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in _mapping(nb.get("metadata")).items() if key not in _VOLATILE_NOTEBOOK}


def place(where: str, cell: AuthoredCell | None = None, line: int | None = None) -> str:
    if cell is None:
        return where
    return f"{where}: cell {cell.id or '(no id)'}" + (f", line {line}" if line else "")


def source_text(value: object) -> str:
    """A cell's source as one text: the format allows a list of lines too."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _read(cell: Mapping[str, object]) -> AuthoredCell:
    metadata = _mapping(cell.get("metadata"))
    marked = metadata.get("skillnb")
    settings = {key: value for key, value in _mapping(marked).items() if key != "run"}
    role, step = settings.get("role"), settings.get("step")
    if not settings and isinstance(marked, Mapping | None):
        role = Role.NOTE.value
    found = metadata.get("tags")
    tags = tuple(tag for tag in found if isinstance(tag, str)) if isinstance(found, list) else ()
    return AuthoredCell(
        id=str(cell.get("id") or ""),
        kind=str(cell.get("cell_type") or ""),
        role=role if isinstance(role, str) else "",
        step=step if isinstance(step, str) else None,
        source=source_text(cell.get("source")),
        tags=tags,
        settings=settings,
        extra=_extra(cell, metadata, tags, str(role)),
    )


def _extra(
    cell: Mapping[str, object], metadata: Mapping[str, object], tags: tuple[str, ...], role: str
) -> dict[str, object]:
    mirrored = {f"skillnb-{role}"} if role != Role.NOTE else set()
    if role == Role.PARAMETERS:
        mirrored.add("parameters")
    parts: dict[str, object] = {
        "tags": [tag for tag in tags if tag not in mirrored],
        "metadata": {key: value for key, value in metadata.items() if key not in _VOLATILE_CELL},
        "attachments": cell.get("attachments"),
    }
    return {key: value for key, value in parts.items() if value}


def _left_out(cell: AuthoredCell) -> bool:
    return (
        cell.role == Role.REPAIR
        or cell.settings.get("injected") is True
        or any(tag in _NOT_AUTHORED for tag in cell.tags)
    )

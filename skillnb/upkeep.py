"""Wiring of ``skillnb verify`` and ``skillnb gc``: what stands on the shelf held against its histories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skillnb.codec import digest_bytes
from skillnb.errors import CorruptHistory, CorruptVersion, InvalidWorkflow
from skillnb.rules.naming import reference
from skillnb.rules.serving import known_id, known_versions, maker, makes_version, standing
from skillnb.store.shelf import Shelf
from skillnb.terms.history import State
from skillnb.workspace import Workspace

__all__ = ["collect", "Verified", "verify"]


class Verified(NamedTuple):
    name: str
    versions: int
    """Checked."""
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    """What is as it should be but may surprise, and what was mended."""


def verify(workspace: Workspace, names: tuple[str, ...], repair: bool) -> tuple[Verified, ...]:
    """Every file against its digest and its identity. ``repair``: what can be mended without loss is.

    Raises BadName, WorkflowNotFound.
    """
    chosen = tuple(reference(name).name for name in names) or workspace.shelf.names()
    for name in chosen:
        if name not in workspace.shelf.names():
            workspace.load(name)  # says which name is near
    return tuple(_verified(workspace, name, repair) for name in chosen)


def collect(workspace: Workspace, remove: bool) -> tuple[Path, ...]:
    """What no history names, removed or only listed."""
    return tuple(path for name in workspace.shelf.names() for path in workspace.shelf.sweep(name, remove))


def _verified(workspace: Workspace, name: str, repair: bool) -> Verified:
    shelf, problems, notes = workspace.shelf, list[str](), list[str]()
    try:
        mended = shelf.mend_history(name) if repair else None
        notes += [f"{shelf.history_path(name)}: a line that broke off is now {mended}"] if mended else []
        notes += [f"version {number} was finished for a writer that was stopped" for number in shelf.finish(name)]
        history = shelf.read(name)
    except (CorruptHistory, CorruptVersion) as error:
        return Verified(name, 0, (str(error),), tuple(notes))
    if history.torn:
        where = f"{shelf.history_path(name)}:{len(history.entries) + 1}"
        problems.append(f"{where}: the line broke off when its writer was stopped; --repair sets it aside")
    versions = shelf.versions(name)
    named = tuple(entry.version for entry in history.entries if makes_version(entry))
    for number in sorted({*versions, *named}):
        found = (
            _of_version(workspace, name, number, known_id(history.entries, number))
            if number in versions
            else "its file is not there"
        )
        entry = maker(history.entries, number)
        if found and repair and entry and entry.file and not _blob(shelf, name, entry.file):
            notes.append(f"version {number} was put back; what stood there is now {shelf.put_back(name, number)}")
        elif found:
            problems.append(f"version {number}: {found}")
        elif entry and entry.file and digest_bytes(shelf.path(name, number).read_bytes()) != entry.file:
            notes.append(f"version {number}: outputs or layout differ from when it was written; it means the same")
        problems += [f"version {number}: {trouble}" for trouble in _kept(shelf, name, entry.file if entry else "")]
    known = known_versions(history.entries, versions)
    notes += [
        f"version {number} is not named in the history, and only run as @{number}"
        for number in versions
        if number not in known
    ]
    now = standing(history.entries, versions)
    if now.state is not State.RETIRED and now.version is None:
        problems.append("the version that should run is not there")
    return Verified(name, len(versions), tuple(problems), tuple(notes))


def _of_version(workspace: Workspace, name: str, number: int, known: str) -> str:
    path = workspace.shelf.path(name, number)
    try:
        found = workspace.load_file(path, number).version.id
    except InvalidWorkflow as error:
        return str(error)
    if known and known != found:
        return f"{path} was changed by hand: found {found[:19]}, the history says {known[:19]}"
    return ""


def _kept(shelf: Shelf, name: str, file: str) -> Iterator[str]:
    trouble = _blob(shelf, name, file) if file else ""
    if trouble:
        yield trouble


def _blob(shelf: Shelf, name: str, file: str) -> str:
    try:
        shelf.kept(name).get(file)
    except CorruptVersion as error:
        return str(error)
    return ""

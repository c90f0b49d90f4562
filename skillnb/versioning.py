"""Wiring of the changes that a person makes: edited, released, rolled back, undone, retired, restored."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from skillnb.errors import HeadMoved, NotAllowed, UsageError
from skillnb.notebook import ipynb
from skillnb.notebook.identity import version_id
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.render import render
from skillnb.pastruns import proofs
from skillnb.rules.naming import reference
from skillnb.rules.serving import Standing, maker, refused, standing
from skillnb.store.shelf import HistoryRead
from skillnb.terms.history import Entry, State, What
from skillnb.terms.workflow import Workflow
from skillnb.workspace import Loaded, Workspace

__all__ = [
    "changed",
    "draft_of",
    "Edited",
    "now_utc",
    "save",
    "Shelved",
    "shelved",
    "started_draft",
    "ungated",
    "VERBS",
]

VERBS: Mapping[What, str] = {
    What.RELEASED: "release",
    What.ROLLED_BACK: "roll back",
    What.RETIRED: "retire",
    What.RESTORED: "restore",
    What.UNDONE: "undo",
}
_EVIDENCE = 5
"""So many of the newest passing runs are named in a release."""


class Shelved(NamedTuple):
    """A workflow as it stands on the shelf: what every change of it is decided on."""

    name: str
    versions: tuple[int, ...]
    history: HistoryRead
    now: Standing


class Edited(NamedTuple):
    version: int
    """The new one, or the one that the edit did not change."""
    path: Path
    cosmetic: bool
    origin: int
    put_back: str
    """Where a stored version that was typed into was set aside; empty: it was not one."""


def now_utc() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def shelved(workspace: Workspace, name: str) -> Shelved:
    """Raises BadName, WorkflowNotFound, CorruptHistory."""
    wanted = reference(name).name
    workspace.shelf.finish(wanted)
    versions = workspace.shelf.versions(wanted)
    if not versions:
        workspace.load(wanted)  # says which name is near
    history = workspace.shelf.read(wanted)
    return Shelved(wanted, versions, history, standing(history.entries, versions))


def changed(workspace: Workspace, name: str, event: What, who: str, why: str, to: int | None = None) -> Entry:
    """Release ``name`` or ``name@3``, roll it back (``to`` a version), undo, retire or restore it.

    Raises NotAllowed, NotProven, HeadMoved, CorruptVersion where the version's file was changed, UsageError.
    """
    at = shelved(workspace, name)
    if event is What.UNDONE and at.now.last and not why.strip():
        why = f"takes back: {at.now.last.event} {at.now.last.version}"
    version = _meant(at, event, reference(name).version, to)
    entry = Entry(
        event=event, version=version, id="", who=who, why=why.strip(), at=now_utc(), origin=at.now.version or 0
    )
    loaded = workspace.load(f"{at.name}@{version}") if version in at.versions else None
    if loaded is not None and event is not What.RETIRED:
        entry = _with_gates(entry, loaded)
    reason = refused(at.now, at.history.entries, entry, at.versions)
    if reason:
        raise NotAllowed(name=at.name, change=VERBS[event], reason=reason)
    if event is What.RELEASED and loaded is not None:
        entry = _proven(workspace, at, loaded, entry)
    elif not entry.why and event is not What.UNDONE:
        raise UsageError(f"say with --why for what reason to {VERBS[event]} it", where=at.name)
    workspace.shelf.append(at.name, entry, at.history.head)
    return entry


def _meant(at: Shelved, event: What, named: int | None, to: int | None) -> int:
    if event is What.ROLLED_BACK:
        return to or at.now.back or 0
    if event is What.UNDONE:
        return at.now.last.version if at.now.last else 0
    if event is What.RELEASED and at.now.state is State.PROBATION and named is None:
        return at.now.version or 0
    if event is What.RELEASED:
        return named or max(at.versions)
    chosen = at.now.last.version if at.now.last else 0
    return at.now.version or chosen or max(at.versions)


def _with_gates(entry: Entry, loaded: Loaded) -> Entry:
    """``gates`` stay empty where a step has none, for then nothing proves the whole."""
    steps = loaded.workflow.steps
    gates = tuple(gate.expression for step in steps for gate in step.post_gates)
    whole = not ungated(loaded.workflow)
    return replace(entry, id=loaded.version.id, gates=tuple(dict.fromkeys(gates)) if whole else ())


def ungated(workflow: Workflow) -> tuple[str, ...]:
    """Steps without a post gate."""
    return tuple(step.name for step in workflow.steps if not step.post_gates)


def _proven(workspace: Workspace, at: Shelved, loaded: Loaded, entry: Entry) -> Entry:
    """With the runs that speak for it; without any, a person's word is recorded as just that."""
    runs = proofs(workspace, loaded.version, at.now.since)[:_EVIDENCE]
    if not runs and not entry.why:
        number = loaded.version.number
        reason = f"no run in {workspace.logs} has passed with version {number} as it is"
        remedy = f"`skillnb run {at.name}@{number}` first, or say with --why on whose word"
        raise NotAllowed(name=at.name, change=VERBS[What.RELEASED], reason=f"{reason}; {remedy}")
    said = entry.why or f"passed in {len(runs)} recorded runs"
    why = said if runs else f"without a passing run, on the word of {entry.who}: {said}"
    return replace(entry, why=why, evidence=runs)


def draft_of(workspace: Workspace, name: str) -> Path:
    return workspace.shelf.folder / name / "draft.ipynb"


def started_draft(workspace: Workspace, name: str) -> Path:
    """A copy of what runs now (or of ``name@3``) to be edited; one that is there already stays as it is."""
    at = shelved(workspace, name)
    draft = draft_of(workspace, at.name)
    if not draft.exists():
        origin = reference(name).version or at.now.version or max(at.versions)
        loaded = workspace.load(f"{at.name}@{origin}")
        _note(draft, origin, max(at.versions))
        shutil.copyfile(loaded.version.path, draft)
    return draft


def save(workspace: Workspace, name: str, file: Path, who: str, why: str, *, base: int | None = None) -> Edited:
    """``file`` as the next version, or as no new one where it means the same as the version it was made from.

    ``base``: the newest version that the writer knew of. Raises InvalidWorkflow, HeadMoved, NotAllowed, UsageError.
    """
    at = shelved(workspace, name)
    workflow = parse_workflow(ipynb.read(file), str(file))
    if workflow.name != at.name:
        raise UsageError(
            "the notebook is another workflow",
            where=str(file),
            found=workflow.name,
            expected=at.name,
            remedy="mend its metadata.skillnb.name, or name that one",
        )
    newest = max(at.versions)
    origin, known = _base(at, workspace, file, base)
    if known != newest:
        later = maker(at.history.entries, newest)
        told = f"version {newest}" + (f" ({later.event} by {later.who}: {later.why})" if later else "")
        raise HeadMoved(name=at.name, found=told, expected=f"version {known}, which {file} was made from")
    identity = version_id(workflow)
    entry = Entry(event=What.EDITED, version=newest + 1, id=identity, who=who, why=why, at=now_utc(), origin=origin)
    stored = file.resolve() == workspace.shelf.path(at.name, origin).resolve()
    if identity == _identity(workspace, at, origin):
        same = replace(entry, event=What.COSMETIC, version=origin, why=why.strip() or "means the same")
        workspace.shelf.append(at.name, same, at.history.head)
        return Edited(origin, workspace.shelf.path(at.name, origin), True, origin, "")
    if not why.strip():
        raise UsageError("say with --why what was changed for", where=at.name)
    nb = render(workflow)
    path = workspace.shelf.add(at.name, newest + 1, lambda made: ipynb.write(made, nb), entry, at.history.head)
    aside = str(workspace.shelf.put_back(at.name, origin)) if stored else ""
    if file.resolve() == draft_of(workspace, at.name).resolve():
        _note(file, newest + 1, newest + 1)
    return Edited(newest + 1, path, False, origin, aside)


def _base(at: Shelved, workspace: Workspace, file: Path, base: int | None) -> tuple[int, int]:
    """The version that ``file`` was made from, and the newest that its writer knew of."""
    newest = max(at.versions)
    if base is not None:
        return base, base
    for version in at.versions:
        if file.resolve() == workspace.shelf.path(at.name, version).resolve():
            return version, newest  # it stands beside the newest one, which whoever typed into it could see
    note = _note_path(file)
    if file.resolve() == draft_of(workspace, at.name).resolve() and note.is_file():
        told = json.loads(note.read_bytes())
        return int(told["version"]), int(told["newest"])
    raise UsageError(
        "it is not known which version this was made from",
        where=str(file),
        remedy=f"see `skillnb history {at.name}`, then say --base {newest} (the newest)",
    )


def _identity(workspace: Workspace, at: Shelved, version: int) -> str:
    """As it was written, whatever its file says now."""
    entry = maker(at.history.entries, version)
    return entry.id if entry else workspace.load(f"{at.name}@{version}").version.id


def _note_path(draft: Path) -> Path:
    return draft.with_suffix(".json")


def _note(draft: Path, version: int, newest: int) -> None:
    """Beside the draft and not in it, so that saving never changes a notebook that JupyterLab has open."""
    text = json.dumps({"version": version, "newest": newest}) + "\n"
    made = _note_path(draft).with_name(f".{draft.stem}.json.new")
    made.write_text(text, "utf-8")
    made.replace(_note_path(draft))

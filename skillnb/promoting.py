"""Wiring of repairs that have stood their trial: from a patch beside a version to a version of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from skillnb.errors import CorruptVersion
from skillnb.notebook import ipynb
from skillnb.notebook.identity import version_id
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.render import render
from skillnb.rules.patches import rewritten
from skillnb.rules.serving import makes_version, standing
from skillnb.store.protocol import Version
from skillnb.store.shelf import Shelf
from skillnb.store.sidecars import changed_memory, read_memory
from skillnb.terms.history import Entry, State, What
from skillnb.terms.memory import Memory, Patch, PatchState
from skillnb.terms.workflow import Workflow

__all__ = ["take"]


def take(shelf: Shelf, version: Version) -> int:
    """Write the version with its promoted patches as the next one; 0 where there is nothing to write.

    Only of the version that runs now, and not of one on probation. It is released if the one it follows was: its very
    source has passed, behind the same gates, in the runs named as evidence. Raises StoreError's kin.
    """
    memory = read_memory(version).memory
    ready = [patch for patch in memory.patches if patch.state is PatchState.PROMOTED and not patch.taken]
    history, versions = shelf.read(version.name), shelf.versions(version.name)
    now = standing(history.entries, versions)
    if not ready or now.version != version.number or now.state not in (State.PROVISIONAL, State.RELEASED):
        return 0
    workflow = parse_workflow(ipynb.read(Path(version.path)), version.path)
    if version_id(workflow) != version.id:
        raise CorruptVersion(where=version.path, found=version_id(workflow), expected=version.id)
    made = rewritten(workflow, ready)
    if not made.patches:
        return 0
    identity = version_id(made.workflow)
    number = next((item.version for item in history.entries if makes_version(item) and item.id == identity), 0)
    entry = _entry(version, number or max(versions) + 1, identity, made.patches, made.workflow)
    if not number:  # one that was killed halfway may have written it already
        nb = render(made.workflow)
        shelf.add(version.name, entry.version, lambda path: ipynb.write(path, nb), entry, history.head)
    _hand_on(version, shelf.path(version.name, entry.version), entry, memory, made.patches)
    if now.state is State.RELEASED:
        shelf.append(version.name, replace(entry, event=What.RELEASED), shelf.read(version.name).head)
    return entry.version


def _entry(version: Version, number: int, identity: str, patches: Sequence[Patch], workflow: Workflow) -> Entry:
    told = "; ".join(f"{' '.join(patch.old.split())} -> {' '.join(patch.new.split())}" for patch in patches)
    ungated = any(not step.post_gates for step in workflow.steps)
    gates = () if ungated else tuple(gate.expression for step in workflow.steps for gate in step.post_gates)
    return Entry(
        event=What.REPAIRED,
        version=number,
        id=identity,
        who="repair",
        why=told,
        at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        step=", ".join(dict.fromkeys(patch.call.step for patch in patches)),
        gates=tuple(dict.fromkeys(gates)),
        origin=version.number,
        evidence=tuple(dict.fromkeys(run for patch in patches for run in (patch.run, *patch.passes))),
    )


def _hand_on(version: Version, path: Path, entry: Entry, memory: Memory, taken: Sequence[Patch]) -> None:
    """What is known of the old version holds for the new one, which needs the taken patches no more."""
    calls = {patch.call for patch in taken}
    rest = tuple(patch for patch in memory.patches if patch.call not in calls)
    fresh = Version(version.name, entry.version, str(path), entry.id)
    changed_memory(fresh, lambda _: Memory(workflow=version.name, known=memory.known, patches=rest))

    def marked(before: Memory) -> Memory:
        patches = (replace(patch, taken=entry.version) if patch.call in calls else patch for patch in before.patches)
        return replace(before, patches=tuple(patches))

    changed_memory(version, marked)

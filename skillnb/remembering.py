"""Wiring of what outlives a run: read beside the versions before it, put to use, and kept after it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from skillnb.errors import StoreError
from skillnb.promoting import take
from skillnb.rules.patches import Event, after_run, applied
from skillnb.runner.plan import Plan
from skillnb.store.protocol import Version
from skillnb.store.shelf import Shelf
from skillnb.store.sidecars import changed_memory, read_memory
from skillnb.terms.history import Entry
from skillnb.terms.memory import Gathered, Memory, Patch
from skillnb.terms.record import RunResult
from skillnb.terms.workflow import Workflow
from skillnb.workspace import Loaded

__all__ = ["keep", "patched_cells", "Recalled", "recalled"]


class Recalled(NamedTuple):
    """``workflows`` are those given, in order, with their patches put in."""

    workflows: tuple[Workflow, ...]
    memories: tuple[Memory, ...]
    """With the patches that are in use."""
    notes: tuple[str, ...]


def recalled(loaded: Sequence[Loaded], *, repair: bool) -> Recalled:
    """``repair``: patches are repairs, so a run that may not repair uses none."""
    workflows, memories, notes = [], [], list[str]()
    for version, workflow, _ in loaded:
        memory, troubles = read_memory(version) if version.number else (Memory(workflow=workflow.name), ())
        put = applied(workflow, memory.patches if repair else ())
        workflows.append(put.workflow)
        memories.append(Memory(workflow=workflow.name, known=memory.known, patches=put.patches))
        notes += troubles
    return Recalled(tuple(workflows), tuple(memories), tuple(notes))


def patched_cells(nb: Any, before: Workflow, after: Workflow) -> Any:
    """``nb`` itself, which becomes the executed copy, showing what runs."""
    sources = {cell.id: cell.source for cell in after.cells if cell.source != before.cell(cell.id).source}
    for cell in nb["cells"]:
        if cell.get("id") in sources:
            cell["source"] = sources[cell["id"]]
            cell["metadata"].setdefault("skillnb", {})["run"] = {"patched": True}
    return nb


def keep(plan: Plan, gathered: Gathered, result: RunResult, passes: int) -> tuple[str, ...]:
    """After a run; what other runs have kept meanwhile stays. Versions that are not on the shelf remember nothing.

    What could not be kept is told, for a run that has passed has passed.
    """
    notes = list[str]()
    for version in (plan.version, *(version for version, _ in plan.callees)):
        if version.number:
            try:
                _keep(version, gathered, result, passes)
            except (StoreError, OSError) as error:
                notes.append(f"what this run has learned of {version.name} could not be kept: {error}")
    return tuple(notes)


def _keep(version: Version, gathered: Gathered, result: RunResult, passes: int) -> None:
    events: list[Event] = []

    def change(memory: Memory) -> Memory:
        after, made = after_run(
            memory, gathered, result.steps, result.run_id, passed=result.outcome == "passed", passes=passes
        )
        events.extend(made)
        return after

    changed_memory(version, change)
    shelf = Shelf(Path(version.path).parents[3])
    for event in events:
        shelf.append(version.name, _entry(version, event, event.patch, result.run_id))
    if result.outcome == "passed":
        take(shelf, version)


def _entry(version: Version, event: Event, patch: Patch, run: str) -> Entry:
    return Entry(
        event=event.what,
        version=version.number,
        id=version.id,
        who="repair",
        why=event.why,
        at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        run=run,
        step=patch.call.step,
        cell=patch.call.cell,
        old=patch.old,
        new=patch.new,
        gates=patch.gates,
    )

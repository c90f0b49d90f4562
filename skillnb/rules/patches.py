"""Repairs on trial: put into a workflow before it runs, counted after it ran, dropped when they fail."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from typing import NamedTuple

from skillnb.rules.actioncalls import relocated
from skillnb.rules.similarity import folded
from skillnb.terms.cascade import Move
from skillnb.terms.history import What
from skillnb.terms.memory import Gathered, Known, Memory, Mended, Patch, PatchState, Seen
from skillnb.terms.outcome import FailureClass, Outcome, Path
from skillnb.terms.record import StepResult
from skillnb.terms.workflow import Workflow

__all__ = ["after_run", "Applied", "applied", "Event", "keepable", "patch_told", "patched_step", "rewritten"]

_COUNTED = frozenset({FailureClass.LOCATOR, FailureClass.GATE})
"""Failures that speak against a patch; a lost network or an ended session says nothing of it."""

_SAME_PIXELS = 16
_SHORTEST = 3
"""A shorter value stands in too many locators by chance."""


class Applied(NamedTuple):
    workflow: Workflow
    patches: tuple[Patch, ...]
    """Those that could be put in."""


class Event(NamedTuple):
    """What a run has changed, for the history."""

    what: What
    patch: Patch
    why: str


def applied(workflow: Workflow, patches: Iterable[Patch]) -> Applied:
    """The workflow with its patched locators. Each cell that is not as written says so in its first lines."""
    made = rewritten(workflow, patches)
    notes: dict[str, list[str]] = {}
    for patch in made.patches:
        notes.setdefault(patch.call.cell, []).append(f"# {patch_told(patch)}")
    cells = tuple(
        replace(cell, source="\n".join((*notes[cell.id], cell.source))) if cell.id in notes else cell
        for cell in made.workflow.cells
    )
    return Applied(replace(made.workflow, cells=cells), made.patches) if notes else made


def rewritten(workflow: Workflow, patches: Iterable[Patch]) -> Applied:
    """The workflow as if its author had written the patched locators."""
    sources = {cell.id: cell.source for cell in workflow.cells}
    put: list[Patch] = []
    for patch in patches:
        made = relocated(sources.get(patch.call.cell, ""), patch.call.number, patch.new)
        if made is not None:
            sources[patch.call.cell] = made
            put.append(patch)
    cells = tuple(replace(cell, source=sources[cell.id]) for cell in workflow.cells)
    return Applied(replace(workflow, cells=cells) if put else workflow, tuple(put))


def patch_told(patch: Patch) -> str:
    old, new = (" ".join(text.split()) for text in (patch.old, patch.new))
    since = f"{patch.state}, {len(patch.passes)} passing runs since"
    return f"patched: {old} -> {new} (proven in run {patch.run}; {since})"


def keepable(old: str, new: str, values: Mapping[str, object]) -> bool:
    """Does a repair hold for other runs too?

    Not where the old locator was made of variables, whose values of this run the new one spells out; nor where the new
    one says a value of a parameter, in whatever case.
    """
    try:
        names = {node.id for node in ast.walk(ast.parse(old.strip(), mode="eval")) if isinstance(node, ast.Name)}
    except SyntaxError:
        return False
    said = folded(new)
    told = [folded(str(value)) for value in values.values()]
    return names <= {"page"} and not any(len(text) >= _SHORTEST and text in said for text in told)


def patched_step(memories: Iterable[Memory], workflow: str, step: str) -> tuple[str, ...]:
    """The patches of one step, in words."""
    own = [memory for memory in memories if memory.workflow == workflow]
    return tuple(patch_told(patch) for memory in own for patch in memory.patches if patch.call.step == step)


def after_run(
    memory: Memory, gathered: Gathered, results: Sequence[StepResult], run: str, *, passed: bool, passes: int
) -> tuple[Memory, tuple[Event, ...]]:
    """What is remembered after a run. Only one that ``passed`` as a whole adds anything; any may drop a patch.

    ``passes``: so many runs after the one that found it must pass with a patch before it is promoted.
    """
    own = {item.step: item for item in results if item.workflow == memory.workflow}
    mended = [item for item in gathered.mended if item.workflow == memory.workflow and item.place in own]
    events: list[Event] = []
    patches: list[Patch] = []
    dropped: list[Patch] = []
    for patch in memory.patches:
        kept, event = _judged(patch, own, mended, run, passed=passed, passes=passes)
        (dropped if kept is None else patches).append(kept or patch)
        events += [event] if event else []
    if passed:
        for item in mended:
            made = _new_patch(item, own[item.place], run, dropped)
            if made is not None and all(patch.call != made.call for patch in patches):
                patches.append(made)
                events.append(Event(What.REPAIRED, made, "proven by the post gates"))
    known = _known(memory, gathered, own, run) if passed else memory.known
    return Memory(workflow=memory.workflow, known=known, patches=tuple(patches)), tuple(events)


def _judged(
    patch: Patch,
    own: dict[str, StepResult],
    mended: list[Mended],
    run: str,
    *,
    passed: bool,
    passes: int,
) -> tuple[Patch | None, Event | None]:
    for result in own.values():
        if result.step.rpartition("/")[2] != patch.call.step or not result.patched:
            continue
        elsewhere = any(item.place == result.step and item.call != patch.call for item in mended)
        if _failed(result) and not elsewhere:
            return None, Event(What.REVERTED, patch, f"in run {run}: {result.reason or 'its locator failed'}")
        if passed and result.outcome is Outcome.PASSED and result.path is Path.CODE and run not in patch.passes:
            counted = replace(patch, passes=(*patch.passes, run))
            if patch.state is PatchState.QUARANTINED and len(counted.passes) >= passes:
                promoted = replace(counted, state=PatchState.PROMOTED)
                return promoted, Event(What.PROMOTED, promoted, f"{passes} runs passed with it")
            return counted, None
    return patch, None


def _failed(result: StepResult) -> bool:
    """The code was run, and did not do the step."""
    if result.path is Path.CODE and result.outcome is Outcome.PASSED:
        return False
    tried = next((at for at, item in enumerate(result.happened) if item.move is Move.CODE), None)
    if tried is None:
        return False
    return any(item.failure in _COUNTED for item in result.happened[tried : tried + 2])


def _new_patch(item: Mended, result: StepResult, run: str, dropped: Iterable[Patch]) -> Patch | None:
    if result.path is not Path.REPAIRED or result.outcome is not Outcome.PASSED:
        return None
    before = next((patch for patch in dropped if patch.call == item.call), None)
    old, selector = (before.old, before.selector) if before else (item.old, item.selector)
    if item.new == old:
        return None  # the version's own locator does again
    gates = tuple(dict.fromkeys(gate.gate.expression for gate in result.gates if gate.moment == "post"))
    return Patch(call=item.call, method=item.method, old=old, new=item.new, selector=selector, gates=gates, run=run)


def _known(memory: Memory, gathered: Gathered, own: dict[str, StepResult], run: str) -> tuple[Known, ...]:
    known = {item.call: item for item in memory.known}
    for seen in gathered.seen:
        result = own.get(seen.place)
        if seen.workflow != memory.workflow or result is None or result.outcome is not Outcome.PASSED:
            continue
        if result.path in {Path.CODE, Path.REPAIRED}:
            before = known.get(seen.call)
            if before is None or not _as_before(before, seen):
                known[seen.call] = Known(call=seen.call, selector=seen.selector, fingerprint=seen.fingerprint, run=run)
    return tuple(sorted(known.values(), key=lambda item: (item.call.step, item.call.cell, item.call.number)))


def _as_before(known: Known, seen: Seen) -> bool:
    """Nothing worth writing: runs of one day, and fonts of another machine, move an element by a few pixels."""
    before, now = known.fingerprint, seen.fingerprint
    if known.selector != seen.selector or replace(before, box=None) != replace(now, box=None):
        return False
    if before.box is None or now.box is None:
        return before.box is now.box
    pairs = zip(astuple(before.box), astuple(now.box), strict=True)
    return all(abs(one - other) <= _SAME_PIXELS for one, other in pairs)

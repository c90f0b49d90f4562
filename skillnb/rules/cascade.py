"""The cascade of one step: pre gate -> code -> post gate -> repair -> procedure -> intent, as a table of moves.

The runner drives it for the steps of the notebook, the kernel for steps of called workflows and for fallback cells, and
replay for recorded ones. All three call ``advance``; none decides for itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from skillnb.terms.cascade import Happened, Move, Position, Ways
from skillnb.terms.outcome import FailureClass, Outcome, Path, Verdict

__all__ = ["advance", "begin", "begin_fallback", "begin_uncertain", "walk"]

_NOT_OURS = frozenset({FailureClass.INFRASTRUCTURE, FailureClass.NETWORK})
"""Faults of the surroundings: they abort the run and never count against the workflow."""

_WAYS = {Move.REPAIR: Path.REPAIRED, Move.PROCEDURE: Path.PROCEDURE, Move.INTENT: Path.INTENT}


def begin(ways: Ways) -> Position:
    """The first move: is the step done already?"""
    return Position(move=Move.PROBE) if ways.post else _enter(ways)


def begin_fallback(ways: Ways) -> Position:
    """The first move of a fallback cell: procedure, then intent, each proven by the post gates."""
    return _guided(ways, Position(move=Move.STOP, reason="no procedure"))


def begin_uncertain(ways: Ways, why: str) -> Position:
    """The first move of a step whose request may have left in an interrupted run: only its post gates can tell."""
    return _look_or_stop(ways, Position(move=Move.STOP, path=Path.SKIPPED, reason=why, barred=True))


def advance(ways: Ways, at: Position, happened: Happened) -> Position:
    """The next position after ``happened``, which must be of the move that ``at`` asked for."""
    if happened.move is not at.move:
        raise ValueError(f"{happened.move} happened where {at.move} was asked for")
    if happened.failure in _NOT_OURS:
        return _stop(at, Outcome.ABORTED, happened)
    match at.move:
        case Move.PROBE:
            return _after_probe(ways, at, happened)
        case Move.PRE:
            return _after_pre(ways, at, happened)
        case Move.CODE | Move.REPAIR:
            return _after_code(ways, at, happened)
        case Move.POST:
            return _after_post(ways, at, happened)
        case Move.PROCEDURE | Move.INTENT:
            return _after_guided(ways, at, happened)
        case Move.STOP:
            raise ValueError("nothing can happen after STOP")


async def walk(
    ways: Ways, at: Position, make: Callable[[Position], Awaitable[tuple[Happened, ...]]]
) -> tuple[Position, tuple[Happened, ...]]:
    """Make move after move until STOP. ``make`` carries out what a position asks for; it may report several."""
    log: list[Happened] = []
    while at.move is not Move.STOP:
        for happened in await make(at):
            if at.outcome is not None:
                break
            at = advance(ways, at, happened)
            log.append(happened)
    return at, tuple(log)


def _enter(ways: Ways) -> Position:
    return Position(move=Move.PRE) if ways.pre else _act(ways, Position(move=Move.PRE))


def _act(ways: Ways, at: Position) -> Position:
    if ways.code:
        return replace(at, move=Move.CODE, path=Path.CODE)
    return _guided(ways, at)


def _guided(ways: Ways, at: Position) -> Position:
    return replace(at, move=Move.PROCEDURE) if ways.procedure else _last(ways, at)


def _last(ways: Ways, at: Position) -> Position:
    return replace(at, move=Move.INTENT) if ways.intent else replace(at, move=Move.STOP, outcome=Outcome.FAILED)


def _stop(at: Position, outcome: Outcome, happened: Happened) -> Position:
    return replace(
        at,
        move=Move.STOP,
        outcome=outcome,
        failure=happened.failure or at.failure,
        reason=happened.reason or at.reason,
    )


def _noted(at: Position, happened: Happened) -> Position:
    """Keep what failed and why. The first failure names the class, since the later ones follow from it.

    A way that abstained has nothing to say about the step, only why it was no help: that comes after the reason proper.
    """
    reason = happened.reason or at.reason
    if happened.verdict is Verdict.UNKNOWN and happened.move in _WAYS and at.reason:
        reason = f"{at.reason}; {happened.move}: {happened.reason}"
    barred = at.barred or happened.barred
    return replace(at, failure=at.failure or happened.failure, reason=reason, barred=barred)


def _final(ways: Ways, at: Position, happened: Happened) -> bool:
    """May the step, or one it called, have taken effect, so that nothing may repeat it?"""
    return at.barred or (ways.once and happened.dispatched)


def _after_probe(ways: Ways, at: Position, happened: Happened) -> Position:
    if at.path is not None:  # asked again after a failure: did it take effect all the same?
        if happened.verdict is Verdict.PASSED:
            return replace(at, move=Move.STOP, outcome=Outcome.PASSED)
        late = replace(at, barred=at.barred or happened.barred)
        return _look_or_stop(ways, late) if _final(ways, late, happened) else _guided(ways, late)
    if happened.verdict is Verdict.PASSED:
        done = replace(at, path=Path.SKIPPED, reason="already done: the post gates held before the step")
        return replace(done, move=Move.STOP, outcome=Outcome.PASSED)
    return _enter(ways)


def _after_pre(ways: Ways, at: Position, happened: Happened) -> Position:
    if happened.verdict is Verdict.PASSED:
        return _act(ways, at)
    if ways.optional and happened.verdict is Verdict.UNKNOWN:
        stop = _stop(at, Outcome.UNVERIFIED, happened)
        return replace(stop, reason=f"optional, and whether it is called for can't be told: {happened.reason}")
    if ways.optional:
        skipped = replace(at, path=Path.SKIPPED, reason=f"optional, and not called for here: {happened.reason}")
        return replace(skipped, move=Move.STOP, outcome=Outcome.PASSED)
    return _guided(ways, _noted(at, happened))


def _after_code(ways: Ways, at: Position, happened: Happened) -> Position:
    if happened.verdict is Verdict.PASSED:
        path = Path.REPAIRED if at.move is Move.REPAIR else Path.CODE
        if ways.post:
            return replace(at, move=Move.POST, path=path)
        stop = Position(move=Move.STOP, path=path, outcome=Outcome.UNVERIFIED, failure=at.failure)
        return replace(stop, reason="the step has no post gate")
    noted = _noted(at, happened)
    if _final(ways, noted, happened):
        return _look_or_stop(ways, noted)
    if at.move is Move.CODE and happened.failure is FailureClass.LOCATOR and ways.repair and ways.post:
        return replace(noted, move=Move.REPAIR)
    return replace(noted, move=Move.PROBE) if ways.post else _guided(ways, noted)


def _look_or_stop(ways: Ways, at: Position) -> Position:
    """A `once` step failed after its request may have left: only a gate can tell, and nothing may repeat it."""
    if ways.post:
        return replace(at, move=Move.POST)
    return replace(
        at,
        move=Move.STOP,
        outcome=Outcome.UNVERIFIED,
        reason=f"its request may have been sent and no post gate can tell; check the site by hand ({at.reason})",
    )


def _after_post(ways: Ways, at: Position, happened: Happened) -> Position:
    if happened.verdict is Verdict.PASSED:
        return replace(at, move=Move.STOP, outcome=Outcome.PASSED)
    noted = _noted(at, happened)
    if _final(ways, noted, happened):
        reason = f"its request may have taken effect, so it is not repeated; check the site by hand: {happened.reason}"
        return replace(noted, move=Move.STOP, outcome=Outcome.UNVERIFIED, reason=reason)
    if happened.verdict is Verdict.UNKNOWN:
        return replace(noted, move=Move.STOP, outcome=Outcome.UNVERIFIED)
    match at.path:
        case Path.CODE | Path.REPAIRED:
            return _guided(ways, noted)
        case Path.PROCEDURE:
            return _last(ways, noted)
        case _:
            return replace(noted, move=Move.STOP, outcome=Outcome.FAILED)


def _after_guided(ways: Ways, at: Position, happened: Happened) -> Position:
    acted = happened.verdict is not Verdict.UNKNOWN
    at = replace(at, path=_WAYS[at.move]) if acted else at
    if happened.verdict is Verdict.PASSED:
        if ways.post:
            return replace(at, move=Move.POST)
        return replace(at, move=Move.STOP, outcome=Outcome.UNVERIFIED, reason="the step has no post gate")
    noted = _noted(at, happened)
    if _final(ways, noted, happened):
        return _look_or_stop(ways, noted)
    return _last(ways, noted) if at.move is Move.PROCEDURE else replace(noted, move=Move.STOP, outcome=Outcome.FAILED)

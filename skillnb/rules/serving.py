"""In what state a workflow is and which of its versions runs, folded from its history; and what may come next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skillnb.terms.history import Entry, State, What

__all__ = ["known_id", "known_versions", "maker", "makes_version", "MOVES", "refused", "served", "Standing", "standing"]

MOVES = frozenset({What.RELEASED, What.ROLLED_BACK, What.RETIRED, What.RESTORED})
"""What changes the state; each can be undone."""
_MAKING = frozenset({What.EDITED, What.REPAIRED, What.FORMALIZED, What.DEMOTED})


class Standing(NamedTuple):
    state: State
    version: int | None
    """What ``run site/name`` takes: the released one, or the one on probation; while provisional the newest; of a
    retired workflow none. ``None`` also where that version is not there any more."""
    last: Entry | None = None
    """The move that ``undo`` would take back."""
    back: int | None = None
    """Where ``rollback`` goes when it is not told where."""
    since: str = ""
    """When the probation began: only runs after that speak for another release."""


class _Held(NamedTuple):
    state: State
    version: int
    """0: none was chosen yet."""
    before: tuple[int, ...]
    """Versions released before this one, the last one last."""
    move: Entry | None = None
    since: str = ""


def makes_version(entry: Entry) -> bool:
    """Versions count from 1."""
    return entry.version > 0 and (entry.event is What.CREATED or (entry.event in _MAKING and bool(entry.file)))


def maker(history: Iterable[Entry], version: int) -> Entry | None:
    """The entry under which ``version`` was written."""
    return next((entry for entry in history if entry.version == version and makes_version(entry)), None)


def known_id(history: Iterable[Entry], version: int) -> str:
    """The identity under which ``version`` was written; empty when the history does not name it."""
    entry = maker(history, version)
    return entry.id if entry else ""


def known_versions(history: Iterable[Entry], versions: Iterable[int]) -> tuple[int, ...]:
    """Of the versions that are there, those that the history has made; all of them where it has made none."""
    named = {entry.version for entry in history if makes_version(entry)}
    return tuple(sorted(version for version in set(versions) if version in named or not named))


def served(history: Sequence[Entry], versions: Iterable[int]) -> int | None:
    """What ``run site/name`` takes."""
    return standing(history, versions).version


def standing(history: Sequence[Entry], versions: Iterable[int]) -> Standing:
    """Total: a move that was not allowed when it was written (see ``refused``) changes nothing."""
    known = known_versions(history, versions)
    named = frozenset(known) | {entry.version for entry in history if makes_version(entry)}
    stack = [_Held(State.PROVISIONAL, 0, ())]
    for entry in history:
        if entry.event is What.UNDONE:
            stack = stack[:-1] or stack
        elif entry.event in MOVES:
            after = _moved(stack[-1], entry, named)
            stack += [after] if after else []
    held = stack[-1]
    chosen = held.version or max(known, default=0)
    running = chosen if held.state is not State.RETIRED and chosen in known else None
    back = held.before[-1] if held.before else None
    return Standing(held.state, running, held.move, back, held.since)


def _moved(held: _Held, entry: Entry, named: frozenset[int]) -> _Held | None:
    """None where the move does not fit."""
    match entry.event:
        case What.RELEASED if entry.version in named and _gated(entry) and held.state is not State.RETIRED:
            older = (*held.before, held.version) if held.version not in (0, entry.version) else held.before
            return _Held(State.RELEASED, entry.version, older, entry)
        case What.ROLLED_BACK if entry.version in held.before and held.state in (State.RELEASED, State.PROBATION):
            older = held.before[: _last(held.before, entry.version)]
            return _Held(held.state, entry.version, older, entry, held.since)
        case What.RETIRED if held.state is not State.RETIRED:
            return _Held(State.RETIRED, held.version, held.before, entry)
        case What.RESTORED if held.state is State.RETIRED:
            state = State.PROBATION if held.version else State.PROVISIONAL
            return _Held(state, held.version, held.before, entry, entry.at)
    return None


def _last(numbers: Sequence[int], number: int) -> int:
    return max(at for at, item in enumerate(numbers) if item == number)


def _gated(entry: Entry) -> bool:
    """An entry without a time was written together with the product, whose own tests run the version."""
    return bool(entry.gates) or not entry.at


def refused(before: Standing, history: Sequence[Entry], entry: Entry, versions: Iterable[int]) -> str:
    """Why this move can't be made; empty where it can. By the same fold that will read it."""
    known = known_versions(history, versions)
    if entry.event is What.UNDONE:
        return "" if before.last else "there is nothing to undo: no version was released, rolled back or retired"
    if entry.version not in known and entry.event in (What.RELEASED, What.ROLLED_BACK):
        return f"there is no version {entry.version}"
    after = standing((*history, entry), versions)
    if after.last == entry and after != before:
        return _same(before, entry)
    return _why(before, entry)


def _same(before: Standing, entry: Entry) -> str:
    again = before.state is State.RELEASED and entry.event is What.RELEASED and entry.version == before.version
    return f"version {entry.version} is released already" if again else ""


def _why(before: Standing, entry: Entry) -> str:
    match entry.event:
        case What.RELEASED if before.state is State.RETIRED:
            return "it is retired: `restore` it first"
        case What.RELEASED:
            return f"version {entry.version} has steps without post gates, so nothing can prove it"
        case What.ROLLED_BACK if before.state not in (State.RELEASED, State.PROBATION):
            return f"it is {before.state}: only what was released can be rolled back"
        case What.ROLLED_BACK:
            return f"version {entry.version} was not released before version {before.version}: `release` it instead"
        case What.RETIRED:
            return "it is retired already"
        case _:
            return f"it is {before.state}, not retired"

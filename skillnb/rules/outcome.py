"""Verdicts to outcomes to exit status."""

from __future__ import annotations

from collections.abc import Iterable

from skillnb.terms.gate import Fixed, Gate, GateKind, GateResult
from skillnb.terms.outcome import Outcome, Path, Verdict

__all__ = ["already_done", "exit_status", "HEALED", "joined", "run_outcome"]

HEALED = frozenset({Path.REPAIRED, Path.PROCEDURE, Path.INTENT})

_WORST = (Outcome.ABORTED, Outcome.FAILED, Outcome.UNVERIFIED, Outcome.PASSED)
_STATUS = {Outcome.PASSED: 0, Outcome.FAILED: 1, Outcome.UNVERIFIED: 3, Outcome.ABORTED: 4}


def joined(verdicts: Iterable[Verdict]) -> Verdict:
    """One verdict of many: failed if any failed, else unknown if any is unknown or there is none at all."""
    seen = set(verdicts)
    if Verdict.FAILED in seen:
        return Verdict.FAILED
    return Verdict.PASSED if seen == {Verdict.PASSED} else Verdict.UNKNOWN


def already_done(results: Iterable[GateResult]) -> bool:
    """Do post gates asked before the step prove it done? Absence alone proves nothing (a blank page).

    Nor does Python of the cell's own, which may as well say that something is not there.
    """
    held = tuple(results)
    positive = any(_shows_something(result.gate) for result in held)
    return positive and joined(result.verdict for result in held) is Verdict.PASSED


def _shows_something(gate: Gate) -> bool:
    if gate.kind in {GateKind.ABSENT, GateKind.CUSTOM}:
        return False
    if gate.kind is not GateKind.COUNT:
        return True
    least = (item.value for item in gate.arguments if item.name in {"equals", "at_least"})
    return any(isinstance(value, Fixed) and value.value not in {0, None} for value in least)


def run_outcome(steps: Iterable[Outcome]) -> Outcome:
    """The worst of the steps' outcomes; a run without steps has shown nothing and is unverified."""
    seen = set(steps)
    return next((outcome for outcome in _WORST if outcome in seen), Outcome.UNVERIFIED)


def exit_status(outcome: Outcome, paths: Iterable[Path], fail_on_heal: bool) -> int:
    """0 passed, 1 failed, 3 unverified, 4 aborted; 5 passed but healed or fell back, where that is asked to fail."""
    if outcome is Outcome.PASSED and fail_on_heal and HEALED & set(paths):
        return 5
    return _STATUS[outcome]

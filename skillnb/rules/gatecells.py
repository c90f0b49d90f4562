"""What gate cells have said: gates that answered, Python of their own that raised or did not, gates never asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from skillnb.terms.gate import Gate, GateKind, GateResult, Moment
from skillnb.terms.outcome import Verdict

__all__ = ["asked_now", "completed", "raised"]


def raised(gates: Sequence[Gate], moment: Moment, error_name: str, error: str) -> GateResult:
    """A gate cell raised something that is no gate's answer. A failed assertion is an answer; anything else is none."""
    verdict = Verdict.FAILED if error_name == "AssertionError" else Verdict.UNKNOWN
    return _own(gates, moment, verdict, f"{error_name}: {error}".rstrip(": "))


def completed(gates: Sequence[Gate], results: Sequence[GateResult], moment: Moment) -> tuple[GateResult, ...]:
    """What cells that raised nothing add to ``results``: their own Python has held; a gate never asked has not."""
    added = []
    silent = next((gate for gate in gates if _never_asked(gate, results)), None)
    if silent is not None:
        added.append(_own((silent,), moment, Verdict.UNKNOWN, "none of its gates was asked"))
    elif any(not gate.recheckable for gate in gates):
        added.append(_own(gates, moment, Verdict.PASSED, "raised nothing"))
    asked = Counter((result.gate.kind, result.gate.line) for result in results)
    due = Counter((gate.kind, gate.line) for gate in gates if gate.recheckable)
    missing = due - asked  # a gate asked twice does not stand for one that was not
    if missing:
        told = f"only {due.total() - missing.total()} of {due.total()} gates were asked"
        added.append(_own(gates, moment, Verdict.UNKNOWN, told))
    return tuple(added)


def _never_asked(gate: Gate, results: Sequence[GateResult]) -> bool:
    """Python of the cell's own that holds gates, such as a condition, and went past all of them."""
    if gate.recheckable or "gate." not in gate.expression:
        return False
    lines = range(gate.line, gate.line + gate.expression.count("\n") + 1)
    return not any(result.gate.line in lines for result in results)


def asked_now(results: Iterable[GateResult]) -> tuple[GateResult, ...]:
    """Without what can only be asked while it happens: a run that goes on for another has not seen its responses."""
    return tuple(item for item in results if item.gate.kind not in {GateKind.RESPONSE, GateKind.FILE})


def _own(gates: Sequence[Gate], moment: Moment, verdict: Verdict, actual: str) -> GateResult:
    custom = next((gate for gate in gates if not gate.recheckable), None)
    gate = custom or Gate(kind=GateKind.CUSTOM, expression="(the gate cell)")
    return GateResult(gate=gate, moment=moment, verdict=verdict, expected="no exception", actual=actual, seconds=0.0)

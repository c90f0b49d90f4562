from __future__ import annotations

from dataclasses import replace

import pytest

from skillnb.rules.gatecells import completed, raised
from skillnb.rules.gatesource import parse_gates
from skillnb.terms.gate import Gate, GateResult, Moment
from skillnb.terms.outcome import Verdict

SOURCE = """\
for name in ("Save", "Close"):
    await gate.visible(role="button", name=name)
await gate.visible(role="status")
"""


def answered(gate: Gate) -> GateResult:
    return GateResult(gate=gate, moment=Moment.POST, verdict=Verdict.PASSED, expected="", actual="", seconds=0.0)


def test_a_gate_asked_twice_does_not_stand_for_one_never_asked() -> None:
    loop, status = parse_gates(SOURCE)
    twice = answered(replace(status, line=2))
    own, never = completed((loop, status), [twice, twice], Moment.POST)
    assert (own.verdict, own.actual) == (Verdict.PASSED, "raised nothing")
    assert (never.verdict, never.actual) == (Verdict.UNKNOWN, "only 0 of 1 gates were asked")
    (own,) = completed((loop, status), [twice, answered(status)], Moment.POST)
    assert own.verdict is Verdict.PASSED


@pytest.mark.parametrize(
    "source",
    [
        'if params.strict:\n    await gate.visible(role="status")\n',
        'for name in []:\n    await gate.visible(role="button", name=name)\n',
        'async def ask():\n    await gate.visible(role="status")\n',
    ],
)
def test_own_python_that_went_past_its_gates_has_shown_nothing(source: str) -> None:
    (never,) = completed(parse_gates(source), [], Moment.POST)
    assert (never.verdict, never.actual) == (Verdict.UNKNOWN, "none of its gates was asked")


def test_a_failed_assertion_is_an_answer_and_any_other_exception_is_none() -> None:
    gates = parse_gates("assert True\n")
    assert raised(gates, Moment.POST, "AssertionError", "").verdict is Verdict.FAILED
    assert raised(gates, Moment.POST, "NameError", "x").verdict is Verdict.UNKNOWN

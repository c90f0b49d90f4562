"""The live gates, the parser and the check agree on what each gate takes."""

from __future__ import annotations

import inspect
import re

import pytest

from skillnb.agent.gate import Gates
from skillnb.rules.asked import _TAKES
from skillnb.rules.gatesource import SIGNATURES, parse_gates
from skillnb.terms.gate import Gate, GateKind, GateResult, Moment
from skillnb.terms.outcome import Verdict

KINDS = [kind for kind in GateKind if kind is not GateKind.CUSTOM]

CALLS = [
    'gate.url("**/orders/*")',
    'gate.visible(role="button", name="Save", exact=True, near="Order 1")',
    'gate.visible(text=re.compile("order [0-9]+", re.I))',
    'gate.value(label="Carrier", equals="DHL")',
    'gate.value(role="checkbox", near="Editors", checked=True)',
    'gate.text(role="status", contains="saved")',
    'gate.count(role="row", at_least=1, at_most=3)',
    'gate.absent(role="alert")',
    'gate.response("POST", "**/tracking", status=302)',
    'gate.file("*.csv", min_size=10)',
]


@pytest.mark.parametrize("kind", KINDS)
def test_live_gate_takes_what_the_parser_and_the_check_know(kind: GateKind) -> None:
    live = set(inspect.signature(getattr(Gates, kind)).parameters) - {"self"}
    assert SIGNATURES[kind].all == live
    assert live - {"timeout"} == set(_TAKES[kind])


@pytest.mark.parametrize("source", CALLS)
def test_a_call_makes_the_gate_that_its_source_parses_to(source: str) -> None:
    made: list[Gate] = []

    async def answered(gate: Gate, _timeout: float | None) -> GateResult:
        made.append(gate)
        return GateResult(gate=gate, moment=Moment.POST, verdict=Verdict.PASSED, expected="", actual="", seconds=0.0)

    with pytest.raises(StopIteration):
        eval(source, {"gate": Gates(answered), "re": re}).send(None)
    (parsed,) = parse_gates(f"await {source}")
    given = {argument.name: argument.value for argument in made[0].arguments}
    assert {argument.name: argument.value for argument in parsed.arguments} == {
        name: value for name, value in given.items() if name != "min_size" or "min_size" in source
    }
    assert made[0].kind is parsed.kind

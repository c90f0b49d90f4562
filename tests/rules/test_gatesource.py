from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.codec import canonical, decode
from skillnb.rules.gatesource import parse_gates
from skillnb.terms.gate import Argument, Fixed, Gate, GateKind, Operand, Param, Pattern, Template
from tests.strategies import gates, operand_source, operands


def _arguments(source: str) -> dict[str, Operand]:
    (gate,) = parse_gates(source)
    return {argument.name: argument.value for argument in gate.arguments}


@given(st.lists(gates(), max_size=4))
@settings(deadline=None)
def test_reads_back_every_gate_that_can_be_data(written: list[Gate]) -> None:
    source = "\n".join(f"await {gate.expression}  # why" for gate in written)
    assert [(gate.kind, gate.expression, gate.arguments, line) for line, gate in enumerate(written, start=1)] == [
        (gate.kind, gate.expression, gate.arguments, gate.line) for gate in parse_gates(source)
    ]


@given(operands())
@settings(deadline=None)
def test_reads_back_every_operand(operand: Operand) -> None:
    assert {"pattern": operand} == _arguments(f"await gate.url({operand_source(operand)})")


@given(gates())
@settings(deadline=None)
def test_gates_survive_the_codec(gate: Gate) -> None:
    assert gate == decode(Gate, canonical(gate), "here")


@given(st.text(max_size=60))
@settings(deadline=None)
def test_is_total_on_any_text(source: str) -> None:
    assert bool(parse_gates(source)) in (True, False)


def test_gives_positional_arguments_their_names() -> None:
    assert {"method": Fixed(value="POST"), "pattern": Fixed(value="**/t"), "status": Fixed(value=302)} == _arguments(
        'await gate.response("POST", "**/t", status=302)'
    )
    assert {"name_pattern": Fixed(value="*.csv")} == _arguments('await gate.file("*.csv")')


def test_reads_parameters_patterns_and_templates() -> None:
    assert {"label": Fixed(value="Carrier"), "equals": Param(name="carrier")} == _arguments(
        'await gate.value(label="Carrier", equals=params.carrier)'
    )
    assert {
        "pattern": Template(parts=(Fixed(value="**/orders/"), Param(name="order"), Fixed(value="/{x}")))
    } == _arguments('await gate.url(f"**/orders/{params.order}/{{x}}")')
    assert {"pattern": Pattern(source=r"\d+$", flags="is")} == _arguments(
        r'await gate.url(re.compile(r"\d+$", re.S | re.IGNORECASE))'
    )
    assert {"role": Fixed(value="row"), "at_least": Fixed(value=-1)} == _arguments(
        'await gate.count(role="row", at_least=-1)'
    )


def test_says_on_which_line_each_gate_begins() -> None:
    source = '# first the address\nimport re\n\nawait gate.url(\n    "**/x",\n)\n'
    source += 'await gate.visible(text="ü"); await gate.absent(role="alert")'
    assert [(gate.line, gate.expression) for gate in parse_gates(source)] == [
        (4, 'gate.url(\n    "**/x",\n)'),
        (7, 'gate.visible(text="ü")'),
        (7, 'gate.absent(role="alert")'),
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "total = await page.get_by_role('row').count()",
        "for _ in range(3):\n    await gate.url('**/x')",
        "assert await page.title() == 'Orders'",
        "gate.url('**/x')",
        "await gate.urll('**/x')",
        "await gate.custom('x')",
        "await gate.url()",
        "await gate.url('a', 'b')",
        "await gate.url('a', pattern='b')",
        "await gate.url(pattern='b', near='c')",
        "await gate.visible(role=wanted)",
        "await gate.visible(**wanted)",
        "await gate.url(*wanted)",
        "await gate.url('a' + params.b)",
        "await gate.url(f'{params.a!r}')",
        "await gate.url(f'{params.a:>3}')",
        "await gate.url(f'{a}')",
        "await gate.url(b'a')",
        "await gate.url(1e999)",
        "await gate.url('\\ud800')",
        "await gate.url(re.compile('('))",
        "await gate.url(re.compile('a', FLAGS))",
        "await gate.url(re.compile('a', re.U))",
        "await gate.url(re.compile(params.a))",
        "await other.gate.url('a')",
        "await gate.url(-params.a)",
        "await gate.count(role='row', equals=-True)",
        "await expect(page).to_have_title('x')",
    ],
)
def test_anything_else_is_one_custom_gate(statement: str) -> None:
    assert (Gate(kind=GateKind.CUSTOM, expression=statement),) == parse_gates(statement)


@pytest.mark.parametrize("source", ["await gate.url(", "%%page\nreturn true", "%%bash\ntest -f x", "a\0b"])
def test_what_is_not_python_is_one_custom_gate_and_never_none(source: str) -> None:
    assert (Gate(kind=GateKind.CUSTOM, expression=source),) == parse_gates(source)


@pytest.mark.parametrize("source", ["", "\n \n", "# nothing yet", "pass", "import re", "from x import y"])
def test_what_asks_nothing_is_no_gate(source: str) -> None:
    assert parse_gates(source) == ()


def test_a_call_with_one_unusable_argument_keeps_its_neighbours_data() -> None:
    first, second = parse_gates("await gate.visible(role=x)\nawait gate.url('**/y', timeout=2.5)")
    assert (first.kind, first.line) == (GateKind.CUSTOM, 1)
    assert (Argument(name="pattern", value=Fixed(value="**/y")), Argument(name="timeout", value=Fixed(value=2.5))) == (
        second.arguments
    )

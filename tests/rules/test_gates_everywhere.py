"""Gates on recorded pages, and on pages of any kind at all."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.rules.gates import check, wants_value
from skillnb.rules.gatesource import parse_gates
from skillnb.terms.gate import Gate
from skillnb.terms.observation import Node, Observation
from skillnb.terms.outcome import Verdict
from tests.pages import page, recorded
from tests.strategies import gates


def test_gates_on_recorded_pages() -> None:
    seen = recorded("django-admin-5.2-group-list", "http://h/admin/auth/group/")
    for source in (
        'url("**/admin/auth/group/")',
        'visible(role="heading", name="Select group to change")',
        'visible(role="link", name="Interns")',
        'value(label="Action", equals="---------")',
        'text(contains="4 groups")',
        'absent(role="alert")',
        'count(role="checkbox", at_least=5)',
        'visible(role="checkbox", near="Interns")',
    ):
        gate = parse_gates(f"await gate.{source}\n")[0]
        assert (source, check(gate, {}, seen).verdict) == (source, Verdict.PASSED)


nodes_of_anything = st.builds(
    Node,
    index=st.integers(-1, 5),
    depth=st.integers(0, 4),
    parent=st.integers(-1, 9),
    role=st.sampled_from(["text", "button", "option", "combobox", "row", "iframe", "status", "generic", "textbox", ""]),
    name=st.text(max_size=4),
    text=st.text(max_size=4),
    ref=st.sampled_from(["", "e1", "f1e2"]),
    value=st.none() | st.text(max_size=4),
)
anything = st.builds(
    Observation,
    url=st.text(max_size=10),
    title=st.just(""),
    nodes=st.lists(nodes_of_anything, max_size=8).map(tuple),
    settled=st.booleans(),
)


@settings(max_examples=200)
@given(gates(), st.dictionaries(st.text(max_size=4), st.none() | st.integers() | st.text()), anything)
def test_gates_are_total_and_a_blank_page_satisfies_none_of_them(
    one: Gate, values: dict[str, object], seen: Observation
) -> None:
    wants_value(one, values, seen)
    answer = check(one, values, seen)
    assert isinstance(answer.verdict, Verdict)
    assert answer.expected or one.expression == ""
    assert check(one, values, page("", url="")).verdict is not Verdict.PASSED

"""Properties of changed pages, for gates and pages of any kind."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.codec import canonical
from skillnb.rules.gates import check
from skillnb.rules.gatescores import counted, score_step
from skillnb.rules.gatesource import parse_gates
from skillnb.rules.mutationkinds import AIMS, Aim
from skillnb.rules.mutations import contradictions
from skillnb.rules.nodeedits import renumbered, reordered
from skillnb.rules.passages import Passage, at_rest
from skillnb.rules.resting import elements_of, files_of, responses_of
from skillnb.rules.variants import right_variants, wrong_for_step
from skillnb.terms.gate import Gate, GateKind
from skillnb.terms.observation import FileSeen, Node, Observation, ResponseSeen
from skillnb.terms.outcome import Verdict
from tests.strategies import gates

WORDS = ["Save", "Order 12", "zoe", "12", "a b", "", "ü"]
ROLES = [
    "text",
    "button",
    "option",
    "combobox",
    "row",
    "listitem",
    "heading",
    "iframe",
    "generic",
    "textbox",
    "checkbox",
]

nodes_of_anything = st.builds(
    Node,
    index=st.integers(-1, 5),
    depth=st.integers(0, 3),
    parent=st.integers(-1, 9),
    role=st.sampled_from(ROLES),
    name=st.sampled_from(WORDS),
    text=st.sampled_from(WORDS),
    ref=st.sampled_from(["", "e1", "f1e2"]),
    checked=st.sampled_from(["", "true"]),
    selected=st.booleans(),
    value=st.none() | st.sampled_from(WORDS),
)
pages = st.builds(
    Observation,
    url=st.sampled_from(["http://h/orders/12/?q=zoe", "", "x", "http://h/", "/a/b%20c"]),
    title=st.just(""),
    nodes=st.lists(nodes_of_anything, max_size=7).map(tuple),
    responses=st.lists(
        st.builds(
            ResponseSeen,
            method=st.sampled_from(["GET", "POST"]),
            url=st.just("http://h/orders/12/"),
            status=st.sampled_from([200, 302, 500]),
            resource=st.just("document"),
        ),
        max_size=2,
    ).map(tuple),
    files=st.lists(
        st.builds(FileSeen, name=st.just("a.csv"), path=st.just("a"), size=st.integers(0, 9)), max_size=1
    ).map(tuple),
)
apt = st.sampled_from(
    [
        'visible(role="button", name="Save")',
        'visible(text="zoe")',
        'visible(role="option", name="zoe", near="Order 12")',
        'value(role="textbox", name="Save", equals="zoe")',
        'value(role="textbox", name="zoe", contains="12")',
        'value(role="combobox", name="Save", equals="zoe")',
        'value(role="checkbox", name="zoe", checked=True)',
        'text(contains="Order 12")',
        'text(role="heading", contains="a b")',
        'count(role="button", at_least=1)',
        'count(role="button", equals=2)',
        'count(role="listitem", at_most=1)',
        'absent(role="button", name="Save")',
        'absent(role="button", near="zoe")',
        'url("**/orders/12/**")',
        'response("POST", "**/orders/*/")',
        'file("*.csv")',
    ]
).map(lambda source: parse_gates(f"await gate.{source}\n")[0])


def rests_on(gate: Gate, seen: Observation) -> Any:
    """All by which this gate holds here."""
    if gate.kind is GateKind.URL:
        return seen.url
    if gate.kind is GateKind.RESPONSE:
        return [seen.responses[at] for at in responses_of(gate, {}, seen)]
    if gate.kind is GateKind.FILE:
        return [seen.files[at] for at in files_of(gate, {}, seen)]
    if gate.kind is GateKind.ABSENT:
        return len(seen.nodes)
    shown = [seen.nodes[at] for at in elements_of(gate, {}, seen)]
    return [(node.role, node.name, node.text, node.value, node.checked) for node in shown], _around(gate, seen)


def _around(gate: Gate, seen: Observation) -> Any:
    """Of a choice its options belong to what it rests on, of a text in several elements all of them."""
    return [(node.name, node.text, node.selected) for node in seen.nodes]


@settings(max_examples=300)
@given(st.one_of(apt, gates()), pages)
def test_pages_are_changed_and_never_in_place(gate: Gate, seen: Observation) -> None:
    before = canonical(seen)
    passage = Passage("run", "step", {"user": "zoe", "order": 12}, frozenset(), None, at_rest(seen), (seen,))
    made = [
        *contradictions(gate, passage.values, seen),
        *right_variants(seen, elements_of(gate, passage.values, seen)),
    ]
    assert all(mutant.seen != seen for mutant in made)
    assert all(mutant.seen != passage.after for mutant in wrong_for_step(passage, ["user", "order", "none"]))
    assert canonical(seen) == before
    for mutant in made:
        assert check(gate, passage.values, mutant.seen).verdict in Verdict


@settings(max_examples=300)
@given(apt, pages)
def test_what_contradicts_a_gate_changes_what_it_rests_on(gate: Gate, seen: Observation) -> None:
    seen = at_rest(seen)
    if check(gate, {}, seen).verdict is not Verdict.PASSED:
        return
    for mutant in contradictions(gate, {}, seen):
        if AIMS[mutant.kind] is Aim.CLAIM:
            assert rests_on(gate, mutant.seen) != rests_on(gate, seen), mutant.change


@settings(max_examples=200)
@given(apt, pages)
def test_other_handles_never_change_an_answer(gate: Gate, seen: Observation) -> None:
    made = Observation(url=seen.url, title="", nodes=renumbered(seen.nodes), responses=seen.responses, files=seen.files)
    assert check(gate, {}, made) == check(gate, {}, seen)


@settings(max_examples=200)
@given(pages)
def test_another_order_loses_nothing(seen: Observation) -> None:
    assert sorted((node.depth, node.role, node.name, node.text) for node in reordered(seen.nodes)) == sorted(
        (node.depth, node.role, node.name, node.text) for node in seen.nodes
    )


@settings(max_examples=100)
@given(st.lists(st.one_of(apt, gates()), max_size=3), pages, pages)
def test_scores_are_total_and_together_never_let_pass_more_than_one_alone(
    several: list[Gate], before: Observation, after: Observation
) -> None:
    passage = Passage("run", "step", {"user": "zoe"}, frozenset(), before, at_rest(after), (before,))
    score = score_step("step", several, [passage], ["user"])
    assert score == score_step("step", several, [passage], ["user"])
    for tally in (*score.together.tallies, *(tally for gate in score.gates for tally in gate.tallies)):
        assert 0 <= tally.passed <= tally.n
    alone = [counted(gate.tallies, [Aim.STEP])[0] for gate in score.gates if gate.tallies]
    if alone:
        assert counted(score.together.tallies, [Aim.STEP])[0] <= min(alone)

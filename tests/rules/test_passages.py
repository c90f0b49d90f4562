"""Recorded steps: what was before, elsewhere, next to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skillnb.notebook.example import example
from skillnb.rules.passages import (
    Passage,
    at_rest,
    before_step,
    different,
    neighbours,
    other_pages,
    shows,
    used_by,
    whole,
)
from skillnb.terms.observation import Observation, ResponseSeen
from tests.pages import page

ANSWER = ResponseSeen(method="POST", url="http://h/a", status=302, resource="document")


def seen(text: str, url: str) -> Observation:
    return page(text, url=url, settled=False)


def passage(after: Observation, *elsewhere: Observation) -> Passage:
    return Passage("run", "step", {}, frozenset(), None, after, elsewhere)


def test_at_rest_fields_hold_what_is_printed_and_what_was_read_stays() -> None:
    fields = seen(
        """
        - textbox "A" [ref=e1]: one two
        - textbox "B" [ref=e2]
        - textbox "C" [ref=e3]: read
        - combobox "D" [ref=e4]:
          - option "x" [selected]
        - heading "E" [ref=e5]
        """,
        "http://h/",
    )
    nodes = tuple(replace(node, value="read  back") if node.name == "C" else node for node in fields.nodes)
    made = at_rest(replace(fields, nodes=nodes))
    assert [node.value for node in made.nodes] == ["one two", "", "read  back", None, None, None]
    assert made.settled


def test_a_step_begins_without_the_answers_of_the_one_before() -> None:
    assert before_step(replace(seen("", "http://h/"), responses=(ANSWER,))).responses == ()


def test_handles_and_focus_make_no_difference() -> None:
    one = seen('- button "Go" [active] [ref=e1]', "http://h/")
    assert not different(one, seen('- button "Go" [ref=f2e7]', "http://h/"))
    assert different(one, seen('- button "Stop" [ref=e1]', "http://h/"))
    assert different(one, seen('- button "Go" [ref=e1]', "http://h/b"))


def test_other_pages_are_those_at_other_addresses_each_once_with_the_answers_of_the_step() -> None:
    after = replace(seen('- heading "A"', "http://h/a?x=1"), responses=(ANSWER,))
    elsewhere = [seen('- heading "B"', url) for url in ("http://h/b", "http://h/b#c", "http://h/a?x=2")]
    found = other_pages(passage(after, *elsewhere))
    assert [(other.url, other.responses) for other in found] == [("http://h/b", (ANSWER,))]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("zoe", ("zoe2",)),
        ("order 19", ("order 10", "order 192")),
        (7, (8, 72)),
        ("", ()),
        (True, ()),
        (None, ()),
        (1.5, ()),
    ],
)
def test_neighbours(value: object, expected: tuple[object, ...]) -> None:
    assert neighbours(value) == expected


def test_a_value_is_shown_where_it_stands_alone() -> None:
    there = seen('- textbox "A" [ref=e1]: order 12\n- link "/p3/" [ref=e2]', "http://h/")
    assert [shows(there, value) for value in (12, 1, "/p3/", "order", "ord")] == [True, False, True, True, False]
    assert whole("1").sub("2", "1 11 1.") == "2 11 2."


def test_a_step_uses_the_parameters_of_its_procedure_and_code_but_no_secret() -> None:
    workflow = example("shop/buy", None)
    used = {step.name: used_by(workflow, step.name) for step in workflow.steps}
    assert used == {"fill-in-the-form": ("username",), "log-in": ()}

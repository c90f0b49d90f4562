"""What gates rest on, on small pages and on a recorded one."""

from __future__ import annotations

import pytest

from skillnb.rules.gatesource import parse_gates
from skillnb.rules.resting import anchors_of, asks_of, elements_of, files_of, responses_of, words_of
from skillnb.terms.gate import Gate
from skillnb.terms.observation import FileSeen, Observation, ResponseSeen
from tests.pages import page, recorded

SEEN = Observation(
    url="http://h/orders/12/edit?tab=a",
    title="",
    nodes=page(
        """
        - list [ref=e1]:
          - listitem [ref=e2]: The user "zoe" was added successfully.
        - group "Chosen" [ref=e3]:
          - option "Editors" [ref=e4]
          - textbox "Name" [ref=e5]: zoe
        """
    ).nodes,
    responses=(
        ResponseSeen(method="GET", url="http://h/orders/12", status=200, resource="document"),
        ResponseSeen(method="POST", url="http://h/orders/12", status=302, resource="document"),
    ),
    files=(FileSeen(name="a.csv", path="a.csv", size=3), FileSeen(name="b.txt", path="b.txt", size=3)),
)
VALUES = {"user": "zoe", "order": 12}


def gate(source: str) -> Gate:
    return parse_gates(f"import re\nawait gate.{source}\n")[0]


@pytest.mark.parametrize(
    ("source", "roles"),
    [
        ('visible(role="option", name="Editors")', ["option"]),
        ('value(label="Name", equals=params.user)', ["textbox"]),
        ('count(role="listitem", at_least=1)', ["listitem"]),
        ('text(contains="was added successfully")', ["listitem"]),
        ('text(contains=re.compile("was added"))', ["listitem"]),
        ('text(role="list", contains="was added")', ["list"]),
        ('text(role="list", contains="was changed")', []),
        ('absent(role="option", name="Editors")', []),
        ('url("**/orders/**")', []),
        ("visible(name=params.nobody)", []),
    ],
)
def test_elements(source: str, roles: list[str]) -> None:
    assert [SEEN.nodes[at].role for at in elements_of(gate(source), VALUES, SEEN)] == roles


def test_of_a_recorded_page_the_text_is_found_in_its_innermost_element() -> None:
    seen = recorded("django-admin-5.2-group-list")
    found = [seen.nodes[at] for at in elements_of(gate('text(contains="4 groups")'), {}, seen)]
    assert [(node.role, node.text) for node in found] == [("paragraph", "4 groups")]


def test_the_place_is_what_bears_its_name() -> None:
    near = gate('visible(role="option", near="Chosen")')
    assert [SEEN.nodes[at].name for at in anchors_of(near, {}, SEEN)] == ["Chosen"]
    assert anchors_of(gate('visible(role="option")'), {}, SEEN) == ()


def test_answers_and_files() -> None:
    assert responses_of(gate('response("POST", "**/orders/*", status=200)'), {}, SEEN) == (1,)
    assert responses_of(gate('url("**/orders/*")'), {}, SEEN) == ()
    assert files_of(gate('file("*.csv")'), {}, SEEN) == (0,)
    assert files_of(gate('file(re.compile("b"))'), {}, SEEN) == (1,)
    assert files_of(gate('url("*.csv")'), {}, SEEN) == ()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('visible(role="option", name="The Editors")', ("the", "editors")),
        ('value(label="Name", equals=params.user)', ("name",)),
        ('text(contains=re.compile(r"\\b1 of \\d+ selected"))', ("1", "of", "selected")),
        ('url(f"**/orders/{params.order}/edit*")', ("orders", "12")),
        ('response("POST", "**/orders/*")', ("orders",)),
        ("visible(name=params.nobody)", ()),
    ],
)
def test_words(source: str, words: tuple[str, ...]) -> None:
    assert words_of(gate(source), VALUES, SEEN) == words


def test_words_of_the_place() -> None:
    assert words_of(gate('visible(role="option", near="Chosen groups")'), {}, SEEN, near=True) == ("chosen", "groups")


def test_parameters_looked_at() -> None:
    assert asks_of(gate('url(f"**/{params.order}/x")')) == {"order"}
    assert asks_of(gate('value(label="Name", equals=params.user)')) == {"user"}
    assert asks_of(gate('visible(name="Name")')) == frozenset()

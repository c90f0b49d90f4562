"""The same in meaning, with likenesses given as a table: proposed only where it is clear and can be taken back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.grounding import described_elements, ground
from skillnb.rules.meaning import AHEAD, LEAST
from skillnb.rules.readings import readings, settle
from skillnb.terms.action import Abstain, Grounded, Instruction
from tests.pages import page

SEEN = page("""
    - link "New project" [ref=e1]
    - link "Explore" [ref=e2]
    - button "Delete project" [ref=e3]
    - button "Fork" [disabled] [ref=e4]
    - button "Hidden one"
    - link "Earlier projects" [ref=e5]
    - textbox "Nickname" [ref=e6]
    - textbox "Motto" [ref=e7]
    - textbox [ref=e8]
    """)


def chosen(sentence: str, **likenesses: float) -> str:
    """The ref that is chosen when only these elements (by first word) are like the sentence at all, or the reason."""
    among = readings(sentence, frozenset())
    assert not isinstance(among, Abstain)

    def likeness(_: str, element: str) -> float:
        return next((value for word, value in likenesses.items() if word in element.lower()), 0.0)

    found = settle(among, {}, SEEN, likeness)
    return found.reason if isinstance(found, Abstain) else found.target.ref if found.target else ""


def test_the_one_clearly_meant() -> None:
    assert chosen("Create a repository", new=0.5, explore=0.2) == "e1"
    assert chosen("Enter the handle 'bob'", nickname=0.6, motto=0.1) == "e6"
    assert chosen('Press "Repository"', new=0.5, explore=0.2) == "e1"


@pytest.mark.parametrize(
    ("sentence", "likenesses", "reason"),
    [
        ("Create a repository", {"new": LEAST - 0.01}, "no element is like"),
        ("Create a repository", {"new": 0.6, "explore": 0.6 - AHEAD + 0.01}, "2 elements are about as like"),
        ("Create a repository", {"delete": 0.9, "new": 0.5}, '"Delete project" can\'t be taken back'),
        ("Delete the repository", {"new": 0.9}, "what can't be taken back is never chosen"),
        ("Leave without saving", {"new": 0.9}, "meaning can't tell"),
        ("Open the next repository", {"earlier": 0.9}, '"Earlier projects" says the opposite'),
        ("Create a repository", {"fork": 0.9}, "no element is like"),
        ("Create a repository", {"hidden": 0.9}, "no element is like"),
        ("Create a repository", {"nickname": 0.9}, "no element is like"),
        ("Enter the handle 'bob'", {"explore": 0.9}, "no element is like"),
        ("Enter the Handle Bob", {"nickname": 0.9}, "no element is named like"),
        ("Go to page 9", {"explore": 0.9}, "no element is named like"),
    ],
)
def test_nothing_is_chosen_by_meaning_that(sentence: str, likenesses: dict[str, float], reason: str) -> None:
    assert chosen(sentence, **likenesses).startswith(reason)


def test_a_name_on_the_page_is_never_overruled() -> None:
    assert chosen("Click Explore", new=0.9) == "e2"


def test_the_tied_are_named() -> None:
    told = chosen("Create a repository", new=0.6, explore=0.55)
    assert 'link "New project", link "Explore"' in told
    assert "SKILLNB_MODEL" in told


def test_only_what_the_verb_can_use_is_embedded() -> None:
    (typing,) = (item for item in _read("Enter the handle 'bob'") if item.certain)
    assert described_elements(typing, SEEN) == ("textbox Nickname", "textbox Motto")
    assert described_elements(_read("Create a repository")[0], SEEN) == (
        "link New project",
        "link Explore",
        "button Delete project",
        "link Earlier projects",
    )


def _read(sentence: str) -> tuple[Instruction, ...]:
    among = readings(sentence, frozenset())
    assert not isinstance(among, Abstain)
    return among


@given(st.lists(st.floats(-1, 1), min_size=8, max_size=8))
def test_whatever_the_likenesses_it_is_one_ahead_that_can_be_taken_back_or_none(values: list[float]) -> None:
    table = dict(zip(described_elements(_read("Create a repository")[0], SEEN), values, strict=False))
    found = ground(_read("Create a repository")[0], {}, SEEN, lambda _, element: table[element])
    if isinstance(found, Grounded):
        assert found.target is not None
        best, second = sorted(table.values(), reverse=True)[:2]
        assert found.target.ref in {"e1", "e2", "e5"}
        assert best >= LEAST
        assert round(best, 4) - round(second, 4) >= AHEAD

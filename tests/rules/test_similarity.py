from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.similarity import ACCEPTED, careful, closeness, folded, holds_words, same, starts_with


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("  Username: * ", "username"),
        ("Username*", "username"),
        ("Title (required)", "title"),
        ("Yes, I’m sure", "yes, i'm sure"),
        ("\ue123 Save", "save"),
        ("Save…", "save"),
        ("Ｓａｖｅ\u200b", "save"),
        ("Groß", "gross"),
        ("*", "*"),
        ("---------", "---------"),
        ("Price ↑", "price ↑"),
        ("", ""),
    ],
)
def test_folded(name: str, expected: str) -> None:
    assert folded(name) == expected


@given(st.text())
def test_folding_twice_changes_nothing(name: str) -> None:
    assert folded(folded(name)) == folded(name)


def test_two_empty_names_are_not_the_same() -> None:
    assert not same("", "")
    assert same("I’m  sure", "i'm sure:")


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Username: *", "Username*"),
        ("Add page", "Add a page"),
        ("Log in", "Login"),
        ("Search redirects", "Search redirect"),
        ("E-mail", "Email"),
        ("Next →", "Next"),
        ("Country", "Countries"),
    ],
)
def test_names_that_differ_in_spelling_are_accepted(wanted: str, found: str) -> None:
    assert closeness(wanted, found) >= ACCEPTED
    assert closeness(found, wanted) >= ACCEPTED


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Submit", "SubmitAll"),
        ("Save", "Save and add another"),
        ("Edit", "Delete"),
        ("Choose", "Choose all groups"),
        ("order 1", "order 12"),
        ("Page 1 2", "Page 12"),
        ("Country", "County"),
        ("Import", "Export"),
        ("Enable", "Disable"),
        ("Price ↑", "Price ↓"),
        ("C++", "C"),
        ("Plan A", "Plan"),
        ("Plan A details", "Plan details"),
        ("-5", "5"),
        ("1.5", "15"),
        ("new", "news"),
        ("", ""),
        ("Save", ""),
    ],
)
def test_other_names_stay_clearly_below(wanted: str, found: str) -> None:
    assert closeness(wanted, found) <= ACCEPTED - 0.15
    assert closeness(found, wanted) <= ACCEPTED - 0.15


@given(st.text(), st.text())
def test_closeness_is_a_symmetric_share(one: str, other: str) -> None:
    score = closeness(one, other)
    assert 0.0 <= score <= 1.0
    assert score == closeness(other, one)
    assert (score == 1.0) == same(one, other)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_another_number_is_another_name(one: int, other: int) -> None:
    assert (closeness(f"Order {one}", f"Order {other}") >= ACCEPTED) == (one == other)


def test_starts_with_ends_at_a_word() -> None:
    assert starts_with("Available groups This is the list of groups.", "available groups")
    assert not starts_with("Order 12", "Order 1")
    assert not starts_with("anything", "")


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("order 1 was sent", "order 1", True),
        ("order 12 was sent", "order 1", False),
        ("joann", "ann", False),
        ("3,1 kg", "1", False),
        ("1.5 kg", "1", False),
        ("Total 1.", "1", True),
        ("日本語のページ", "日本", True),
        ("x", "", False),
    ],
)
def test_holds_words(text: str, words: str, expected: bool) -> None:
    assert holds_words(text, words) is expected


def test_careful_words() -> None:
    assert careful("Delete selected groups")
    assert careful("Log out")
    assert not careful("Save")

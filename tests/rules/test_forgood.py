from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.forgood import for_good, forbidden, granted
from tests.pages import page
from tests.strategies import texts


@pytest.mark.parametrize(
    "name",
    [
        "Delete",
        "DELETE ALL",
        "Remove item",
        "Pay now",
        "Place your order",
        "Order now",
        "Cancel order",
        "Log out",
        "Sign off",
        "Check out",
        "Send",
        "Clear all",
        "Post to everything",
        "🗑 Delete",
        "Deleting…",
        "Wiped",
        "Bans",
    ],
)
def test_names_of_what_cannot_be_undone(name: str) -> None:
    assert for_good(name)


@pytest.mark.parametrize(
    "name",
    [
        "Save",
        "Post review",
        "Orders",
        "Order 1001",
        "Sign in",
        "Log in",
        "Search",
        "Close",
        "Clear",
        "Banana",
        "Payload",
    ],
)
def test_everyday_names(name: str) -> None:
    assert not for_good(name)


def why(name: str, *sentences: str, url: str = "", given: tuple[str, ...] = ()) -> str:
    seen = page(f'- link "{name}" [ref=e1]:\n  - /url: {url}' if url else f'- button "{name}" [ref=e1]')
    return forbidden(seen.nodes, 0, name, granted(sentences), given)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Delete", "Delete the draft"),
        ("Delete draft", "Deleting the draft is what we want"),
        ("Delete the draft", "The draft has to be deleted"),
        ("Send message", "Send the message"),
        ("Save", "Tidy up"),
    ],
)
def test_the_author_s_words_allow_it(name: str, sentence: str) -> None:
    assert why(name, sentence) == ""


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Delete", "Tidy up"),
        ("Delete all", "Delete the draft"),
        ("Delete account", "Delete the draft"),
        ("Delete", "Do not delete anything"),
        ("Delete", "Tidy up without deleting"),
        ("Delete", "Don't delete the draft"),
        ("Delete and pay", "Delete and check"),
        ("Pay", "Look at the payload"),
    ],
)
def test_nothing_else_does(name: str, sentence: str) -> None:
    assert why(name, sentence)


def test_a_parameter_s_value_completes_a_name_and_allows_no_deed() -> None:
    assert why("Delete Bob", "Delete {name}", given=("Bob",)) == ""
    assert why("Delete all", "Tidy up", given=("delete all",))


def test_an_address_counts_as_well() -> None:
    assert "address" in why("Read more", "Read the news", url="/reviews/delete-all")
    assert why("Read more", "Read the news", url="/orders/1001/payload") == ""
    assert why("Go on", "Log out", url="/logout") == ""


def test_a_yes_is_what_its_dialog_is_about() -> None:
    asks = page(
        """
        - dialog "Delete all reviews?" [ref=e1]:
          - button "OK" [ref=e2]
          - button "Cancel" [ref=e3]
        - dialog "Saved" [ref=e4]:
          - button "OK" [ref=e5]
          - button "Cancel" [ref=e6]
        """
    )
    refs = {node.ref: at for at, node in enumerate(asks.nodes)}
    assert forbidden(asks.nodes, refs["e2"], "OK", granted(["Tidy up"]), ())
    assert forbidden(asks.nodes, refs["e2"], "OK", granted(["Delete the reviews"]), ()) == ""
    assert forbidden(asks.nodes, refs["e5"], "OK", granted(["Tidy up"]), ()) == ""


@given(texts(40), st.lists(texts(40), max_size=3))
def test_a_page_can_only_lose_by_its_words(name: str, sentences: list[str]) -> None:
    """Whatever is allowed with fewer sentences is allowed with more, and without any no deed is."""
    seen = page('- button "x" [ref=e1]')
    if for_good(name):
        assert forbidden(seen.nodes, 0, name, granted([]), ())
    if not forbidden(seen.nodes, 0, name, granted(sentences[:1]), ()):
        assert not forbidden(seen.nodes, 0, name, granted(sentences), ())

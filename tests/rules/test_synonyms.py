from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.synonyms import final, opposed, turned, uncounted, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("log in", "Sign in"),
        ("Login", "Signing in"),
        ("Log out", "sign off"),
        ("the shopping basket", "Cart"),
        ("E-mail address", "email"),
        ("add this product to the basket", "Add to Cart"),
        ("Zip / Postal code", "postcode"),
        ("phone number", "Telephone"),
        ("surname", "Last name"),
        ("create issue", "New issue"),
        ("delivery address", "Shipping address"),
        ("Qty", "Quantity"),
        ("wish list", "Wishlist"),
    ],
)
def test_everyday_words_for_one_thing(one: str, other: str) -> None:
    assert words_of(one) == words_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Log in", "Log out"),
        ("Log in", "Sign up"),
        ("First name", "Last name"),
        ("Save", "Save and close"),
        ("Delete", "Remove"),
        ("Order", "Buy"),
        ("Billing address", "Delivery address"),
        ("Start", "Restart"),
        ("cartoon", "basketoon"),
        ("resign in", "log in"),
    ],
)
def test_what_is_not_one_thing(one: str, other: str) -> None:
    assert words_of(one) != words_of(other)


@pytest.mark.parametrize(
    "text",
    ["Delete", "Remove item", "Place the order", "Pay now", "Cancel subscription", "Order", "Submit", "Empty basket"],
)
def test_what_cannot_be_taken_back(text: str) -> None:
    assert final(text)


@pytest.mark.parametrize("text", ["Sign in", "Orders", "the order 7", "Order history", "Save", "Sign up", "my orders"])
def test_what_only_sounds_like_it(text: str) -> None:
    assert not final(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("next page", "Previous"),
        ("Open issue", "Close issue"),
        ("turn on", "Turn off"),
        ("given name", "surname"),
        ("accept all", "Reject all"),
        ("subscribe", "Unsubscribe"),
        ("log in", "sign out"),
    ],
)
def test_opposites_both_ways(one: str, other: str) -> None:
    assert opposed(one, other)
    assert opposed(other, one)


def test_a_name_that_says_both_is_no_opposite() -> None:
    assert not opposed("next", "Previous / Next")
    assert not opposed("save", "Close")


@pytest.mark.parametrize("text", ["without accepting", "do not save", "undo it", "stop the emails", "all but the last"])
def test_a_sentence_turned_round(text: str) -> None:
    assert turned(text)


def test_a_nonstop_flight_is_not_turned() -> None:
    assert not turned("nonstop flights, notes and button")


@pytest.mark.parametrize(
    ("name", "about", "kept"),
    [
        ("Cart (2)", "cart", "cart"),
        ("Reviews 4", "reviews", "reviews"),
        ("Page 2", "page 2", "Page 2"),
        ("7", "x", "7"),
    ],
)
def test_a_count_is_left_out_where_no_number_is_sought(name: str, about: str, kept: str) -> None:
    assert uncounted(name, about) == kept


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_fails_and_opposition_is_mutual(one: str, other: str) -> None:
    assert isinstance(words_of(one), frozenset)
    assert isinstance(final(one), bool)
    assert isinstance(turned(one), bool)
    assert opposed(one, other) == opposed(other, one)
    assert not opposed(one, one)

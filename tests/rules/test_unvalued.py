"""Values of one run are taken out of what is kept for the next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.unvalued import unvalued
from skillnb.terms.fingerprint import Attribute, Fingerprint


@pytest.mark.parametrize(
    ("text", "values", "plain"),
    [
        ("Order 1001 of 10017", {"order": 1001}, "Order {order} of 10017"),
        ("/orders/1001/edit", {"order": 1001}, "/orders/{order}/edit"),
        ("Ann Annex", {"first": "Ann", "last": "Ann"}, "{first} Annex"),
        ("New York City", {"city": "New York", "area": "New York City"}, "{area}"),
        ("Yes", {"a": "Y", "b": True, "c": None}, "Yes"),
        ("True story", {"b": True}, "True story"),
        ("a.c abc", {"x": "a.c"}, "{x} abc"),
    ],
)
def test_whole_values_only(text: str, values: dict[str, object], plain: str) -> None:
    assert unvalued(text, values) == plain


def test_a_term_throughout() -> None:
    was = Fingerprint(tag="a", name="Order 1001", attributes=(Attribute(name="id", value="order-1001"),))
    now = Fingerprint(tag="a", name="Order 1002", attributes=(Attribute(name="id", value="order-1002"),))
    assert unvalued(was, {"order": 1001}) == unvalued(now, {"order": 1002})


@given(st.text(), st.text(min_size=3))
def test_without_the_value_nothing_changes(text: str, value: str) -> None:
    if value not in text:
        assert unvalued(text, {"x": value}) == text

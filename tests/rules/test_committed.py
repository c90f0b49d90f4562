from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.committed import agrees


@pytest.mark.parametrize(
    ("typed", "committed"),
    [
        ("4111111111111111", "4111 1111 1111 1111"),
        ("1228", "12/28"),
        ("zh 8001", "ZH 8001"),
        ("0445550101", "(044) 555-01-01"),
        ("two\nlines", "two\r\nlines"),
        ("Alan Becker", "Alan Becker"),
    ],
)
def test_what_a_mask_adds_is_no_difference(typed: str, committed: str) -> None:
    assert agrees(typed, committed)


@pytest.mark.parametrize(
    ("typed", "committed"),
    [
        ("12.50", "1250"),
        ("1250", "12.50"),
        ("1250", "1,250"),
        ("4111111111111111", "4111 1111"),
        ("a-b", "ab"),
        ("-5", "5"),
        ("Alan", ""),
        ("Alan", "Alan Becker"),
        ("", "x"),
    ],
)
def test_anything_else_is(typed: str, committed: str) -> None:
    assert not agrees(typed, committed)


@given(st.text())
def test_what_was_typed_agrees_with_itself(text: str) -> None:
    assert agrees(text, text)

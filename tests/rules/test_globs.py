"""Addresses against patterns: the blanks of a form's query."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.globs import matches_url


@pytest.mark.parametrize(
    ("pieces", "url", "fits"),
    [
        ([("**/p?q=", False), ("desk lamp", True)], "http://x/p?q=desk+lamp", True),
        ([("**/p?q=", False), ("desk lamp", True)], "http://x/p?q=desk%20lamp", True),
        ([("**/p?q=", False), ("a+b", True)], "http://x/p?q=a%2Bb", True),
        ([("**/p?q=", False), ("a b", True)], "http://x/p?q=a%2Bb", False),
        ([("**/p?q=desk+lamp", False)], "http://x/p?q=desk%20lamp", True),
        ([("**/a b", False)], "http://x/a+b", False),
        ([("**/p?q=", False), ("desk lamp", True), ("&n=1", False)], "http://x/p?q=desk+lamp&n=2", False),
    ],
)
def test_a_plus_in_a_query_is_a_blank(pieces: list[tuple[str, bool]], url: str, fits: bool) -> None:
    assert matches_url(pieces, url) is fits


@given(st.text(st.characters(codec="utf-8", exclude_characters="/?#%"), min_size=1, max_size=20))
def test_a_value_fits_its_own_address_however_it_is_written(value: str) -> None:
    for form in (quote(value, safe=""), quote_plus(value)):
        assert matches_url([("**/p?q=", False), (value, True)], f"http://127.0.0.1/p?q={form}")

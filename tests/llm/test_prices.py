from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.llm.prices import FREE, Price, listed, price_of
from skillnb.llm.spent import Spent
from skillnb.llm.strictness import is_strict
from skillnb.testing.chats.contract import CHOICE, NESTED

MAKER = "https://api.openai.com/v1"


def test_a_dated_release_has_the_price_of_its_model_and_other_names_none() -> None:
    assert price_of(MAKER, "gpt-5-mini") == Price(0.25, 2.0)
    assert price_of(MAKER, "gpt-5-mini-2025-08-07") == Price(0.25, 2.0)
    for name in ("gpt-5-mini-high", "gpt-5-mini-2025", "gpt-5-mini-2025-08-07-x", "gpt", ""):
        assert price_of(MAKER, name) is None


def test_the_same_model_elsewhere_has_no_listed_price() -> None:
    for url in ("https://elsewhere.example/v1", "http://127.0.0.1:8000/v1", "https://api.openai.com.example/v1"):
        assert price_of(url, "gpt-5-mini") is None


def test_the_table_has_a_day_and_sensible_prices() -> None:
    day, prices = listed()
    assert day.year >= 2026
    assert all(0 < price.sent < 100 and 0 <= price.received < 500 for price in prices.values())


counts = st.integers(0, 10_000)


@settings(deadline=None)
@given(st.lists(st.tuples(counts, counts)), st.lists(counts), st.floats(0, 100), st.floats(0, 100))
def test_a_cost_is_never_lower_than_what_was_told(
    told: list[tuple[int, int]], untold: list[int], sent: float, received: float
) -> None:
    price = Price(sent, received)
    spent = Spent(price)
    for prompt, completion in told:
        spent.told({"prompt_tokens": prompt, "completion_tokens": completion}, 10**6, 100)
    for size in untold:
        spent.untold(size, 100)
    least = price.of(sum(each[0] for each in told), sum(each[1] for each in told))
    assert spent.cost is not None
    assert spent.cost >= least
    assert Spent(None).cost == 0.0


@pytest.mark.parametrize(
    "usage", [None, {}, [], {"prompt_tokens": 1}, {"prompt_tokens": True, "completion_tokens": -1}]
)
def test_what_nobody_tells_costs_something(usage: object) -> None:
    spent = Spent(Price(1, 1))
    spent.told(usage, 50, 100)
    assert spent.cost == pytest.approx(150 / 1e6)
    without_limit = Spent(Price(1, 1))
    without_limit.told(usage, 50, None)
    assert without_limit.cost is None
    free = Spent(FREE)
    free.told(usage, 50, None)
    assert free.cost == 0.0


def test_only_closed_schemas_are_strict() -> None:
    assert is_strict(CHOICE)
    assert is_strict(NESTED)
    assert not is_strict(CHOICE | {"additionalProperties": True})
    assert not is_strict(CHOICE | {"required": []})
    assert not is_strict({"type": "array", "items": {"type": "object"}})

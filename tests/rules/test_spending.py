from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.spending import exhausted, together
from skillnb.terms.brief import ModelLimits
from skillnb.terms.record import ModelUse

uses = st.builds(
    ModelUse,
    model=st.sampled_from(["", "a", "b/c"]),
    calls=st.integers(0, 9),
    prompt_tokens=st.integers(0, 9999),
    completion_tokens=st.integers(0, 999),
    cost=st.none() | st.integers(0, 100).map(float),
    actions=st.integers(0, 9),
    seconds=st.integers(0, 100).map(float),
)


@given(st.lists(uses, max_size=4), st.lists(uses, max_size=4))
def test_sums_of_parts_are_the_sum(some: list[ModelUse], more: list[ModelUse]) -> None:
    assert together([together(some), together(more)]) == together([*some, *more])


def test_a_price_that_is_not_known_is_not_zero() -> None:
    assert together([ModelUse(cost=1.0), ModelUse(cost=None)]).cost is None


@pytest.mark.parametrize(
    ("use", "coming", "named"),
    [
        (ModelUse(seconds=10.0), 0, "10 s"),
        (ModelUse(calls=5), 0, "5 model calls"),
        (ModelUse(actions=4), 0, "4 actions"),
        (ModelUse(prompt_tokens=90), 11, "100 tokens"),
        (ModelUse(cost=0.25), 0, "$0.25"),
    ],
)
def test_a_limit_that_is_reached_is_named(use: ModelUse, coming: int, named: str) -> None:
    limits = ModelLimits(actions=4, calls=5, tokens=100, dollars=0.25, seconds=10.0)
    assert named in exhausted(use, limits, coming)
    assert exhausted(ModelUse(), limits) == ""

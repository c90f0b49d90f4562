"""Wilson's bound, by figures and by the equation that defines it."""

from __future__ import annotations

import pytest

from skillnb.rules.rates import ONE_SIDED_95, wilson_upper


@pytest.mark.parametrize(
    ("count", "n", "expected"),
    [(0, 0, 1.0), (0, 20, 0.1192), (1, 20, 0.196), (10, 20, 0.6726), (20, 20, 1.0), (0, 1000, 0.0027)],
)
def test_wilson_upper(count: int, n: int, expected: float) -> None:
    assert round(wilson_upper(count, n), 4) == expected


@pytest.mark.parametrize(("count", "n"), [(0, 1), (1, 20), (7, 9), (250, 1000)])
def test_at_the_bound_the_observed_share_is_just_z_errors_away(count: int, n: int) -> None:
    bound = wilson_upper(count, n)
    error = (bound * (1 - bound) / n) ** 0.5
    assert (bound - count / n) / error == pytest.approx(ONE_SIDED_95)


def test_more_of_the_same_makes_it_surer() -> None:
    bounds = [wilson_upper(n // 10, n) for n in (10, 100, 1000, 10_000)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] > 0.1

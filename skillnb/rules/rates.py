"""Rates with their uncertainty."""

from __future__ import annotations

import math

__all__ = ["ONE_SIDED_95", "wilson_upper"]

ONE_SIDED_95 = 1.645


def wilson_upper(count: int, n: int, z: float = ONE_SIDED_95) -> float:
    """Upper end of Wilson's interval for ``count`` of ``n``; of nothing observed nothing is known: 1.

    >>> round(wilson_upper(0, 20), 4)
    0.1192
    """
    if n <= 0:
        return 1.0
    share, square = count / n, z * z
    centre = share + square / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    return min(1.0, (centre + spread) / (1 + square / n))

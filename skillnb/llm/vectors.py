"""Vectors as tuples: unit length."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["unit"]


def unit(vector: Sequence[float]) -> tuple[float, ...]:
    """``vector`` at length 1; the zero vector stays. Raises ValueError for a number that is none."""
    length = math.sqrt(math.fsum(number * number for number in vector))
    if not math.isfinite(length):
        raise ValueError("a vector holds a number that is not finite")
    return tuple(number / length for number in vector) if length else tuple(vector)

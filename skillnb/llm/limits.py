"""How much a step, a run or a day may ask of a model, and how much it has."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Limits", "NOTHING", "Usage"]


class Usage(NamedTuple):
    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0
    seconds: float = 0.0
    unpriced: int = 0
    """Calls that cost something that no table has: with them ``dollars`` is not the whole."""

    def plus(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.tokens + other.tokens,
            self.dollars + other.dollars,
            self.seconds + other.seconds,
            self.unpriced + other.unpriced,
        )


NOTHING = Usage()


class Limits(NamedTuple):
    """None: no limit. Calls and dollars are never passed; an answer under way is not cut off for its tokens."""

    calls: int | None = None
    tokens: int | None = None
    dollars: float | None = None
    seconds: float | None = None

    def reached(self, used: Usage, next_dollars: float | None) -> str:
        """Which limit leaves nothing for a call of at most ``next_dollars`` (None: no price is known); empty: none."""
        if self.dollars is not None:
            if used.unpriced or next_dollars is None:
                return f"{self.dollars:g} dollars can't be watched over, as no price is known"
            if used.dollars + next_dollars > self.dollars:
                spent = f"{used.dollars:.6g} of {self.dollars:g} dollars are used"
                return f"{spent}, and the next call may cost {next_dollars:.2g}"
        for unit, limit, so_far in zip(self._fields, self, used, strict=False):
            if unit != "dollars" and limit is not None and so_far >= limit:
                return f"{so_far:.6g} of {limit:g} {unit} are used"
        return ""

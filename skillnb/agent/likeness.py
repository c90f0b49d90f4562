"""Likenesses in meaning of what sentences seek and what a page offers, embedded once and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skillnb.llm.protocol import Embedder
from skillnb.rules.grounding import described_elements, sought
from skillnb.rules.meaning import Likeness
from skillnb.terms.action import Instruction
from skillnb.terms.observation import Observation

__all__ = ["Likenesses"]


class Likenesses:
    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, tuple[float, ...]] = {}

    def table(self, among: Sequence[Instruction], values: Mapping[str, object], seen: Observation) -> Likeness:
        """All that grounding these instructions on this page may ask."""
        wanted = [text for item in among if item.certain and (text := sought(item, values))]
        offered = [text for item in among for text in described_elements(item, seen)] if wanted else []
        return self.of((*wanted, *offered))

    def of(self, texts: Sequence[str]) -> Likeness:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known |= zip(new, self._embedder.embed(new), strict=True)
        return self._likeness

    def _likeness(self, one: str, other: str) -> float:
        """0 where it was not asked for beforehand: nothing is chosen for that."""
        left, right = self._known.get(one, ()), self._known.get(other, ())
        return sum(a * b for a, b in zip(left, right, strict=False))

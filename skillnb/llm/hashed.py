"""Embedding without a model: the runs of three to five characters of a text's words, counted in hashed places."""

from __future__ import annotations

import math
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

from skillnb.llm.vectors import unit

__all__ = ["HashedEmbedder"]

_SIZES = (3, 4, 5)


class HashedEmbedder:
    """Likeness of spelling, not of meaning. The same everywhere and always."""

    def __init__(self, dimension: int = 4096) -> None:
        self.name, self.dimension = f"hashed-{dimension}", dimension

    def embed(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        return tuple(self._vector(text) for text in texts)

    def _vector(self, text: str) -> tuple[float, ...]:
        vector = [0.0] * self.dimension
        for run, count in Counter(_runs(text)).items():
            mark = zlib.crc32(run.encode("utf-8", "surrogatepass"))
            sign = 1.0 if mark & 1 else -1.0  # what falls together by chance cancels out on the whole
            vector[(mark >> 1) % self.dimension] += sign * (1.0 + math.log(count))
        return unit(vector)


def _runs(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    for word in "".join(sign if sign.isalnum() else " " for sign in folded).split():
        edged = f" {word} "
        for size in _SIZES:
            yield from (edged[at : at + size] for at in range(len(edged) - size + 1))

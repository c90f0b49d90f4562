"""The few elements that a small model is shown: those whose names are nearest to what is to be done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from skillnb.rules.offers import Offer
from skillnb.rules.similarity import folded, holds_words, straightened

__all__ = ["shortlisted"]

_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset({"a", "an", "and", "for", "in", "into", "it", "of", "on", "or", "the", "then", "to", "with", "your"})


def shortlisted(offers: Sequence[Offer], wanted: str, most: int, likeness: Sequence[float] = ()) -> tuple[Offer, ...]:
    """The ``most`` nearest to ``wanted``, in the page's order.

    ``likeness`` is each offer's likeness in meaning (0 to 1), where that can be told; it is added to the likeness in
    words.
    """
    told = folded(wanted)
    words = set(_WORD.findall(told)) - _SMALL
    meant = likeness if len(likeness) == len(offers) else [0.0] * len(offers)
    scored = [
        (-(_in_words(offer.name, told, words) + float(meaning)), at)
        for at, (offer, meaning) in enumerate(zip(offers, meant, strict=True))
    ]
    best = sorted(at for _, at in sorted(scored)[: max(most, 0)])
    return tuple(offers[at] for at in best)


def _in_words(name: str, told: str, words: set[str]) -> float:
    """2 for a name that is said as it is, else the part of its words that are said or nearly so."""
    if holds_words(straightened(told), folded(name)):
        return 2.0
    own = set(_WORD.findall(folded(name))) - _SMALL
    near = sum(1.0 if word in words else 0.6 if _kin(word, words) else 0.0 for word in own)
    return near / len(own) if own else 0.0


def _kin(word: str, words: set[str]) -> bool:
    """``save`` and ``saving``: the same beginning, of four letters at least."""
    return any(len(word) >= 4 and len(other) >= 4 and word[:4] == other[:4] for other in words)

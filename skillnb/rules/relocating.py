"""The element that was recorded, found among all elements of the page as it is now, or not given where it is not sure.

    columns = prepare(candidates)
    answer = relocate(was, columns)

An answer is given where its chance of being right reaches the operating point, nothing else is as likely, and nothing
it says belongs to another element. An outer element and one inside it count as one answer, not as rivals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from skillnb.rules.likeness import Columns, Ranking, prepare, ranking
from skillnb.rules.relocationweights import SHIPPED, Weights
from skillnb.rules.sameness import ALIKE, ONE_OF_MANY, another, clash, stands_elsewhere
from skillnb.rules.similarity import same
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["Abstained", "Columns", "confidence", "prepare", "Ranked", "relocate", "Relocated", "Standing", "standing"]

_SHOWN = 5
_STRANGER = 0.5
"""Share of what can be attained that a stranger has: the best of hundreds of them has about that much. A page of few
elements has not shown its strangers, so none of its answers leads by more than the distance to this one."""
_TIED = 0.5
"""Below this difference of scores two candidates are as good as equal: none is given."""
_LEAD = 8.0
"""A lead beyond this says nothing more."""


class Ranked(NamedTuple):
    at: int
    """Place among the candidates."""
    score: float


class Relocated(NamedTuple):
    at: int
    element: Fingerprint
    confidence: float
    """The chance that this is the element."""
    score: float
    runners_up: tuple[Ranked, ...]
    """The best that are neither around the answer nor inside it."""


class Abstained(NamedTuple):
    reason: str
    confidence: float
    """Of the best; 0 where there is none."""
    best: Ranked | None
    tied: tuple[Ranked, ...]
    """The candidates between which it could not be told, the best among them."""


class Standing(NamedTuple):
    """How the best candidate stands before it is judged."""

    best: Ranked
    rivals: tuple[Ranked, ...]
    lead: float
    """Over the best rival, or over what a stranger would score where that is more."""
    clash: float
    """How unlike its name is."""
    equals: int
    """Rivals that are as good."""


def relocate(was: Fingerprint, columns: Columns, weights: Weights = SHIPPED) -> Relocated | Abstained:
    stands = standing(was, columns, weights)
    if stands is None:
        return Abstained(_nothing(was, columns), 0.0, None, ())
    element, sure = columns.candidates[stands.best.at], confidence(stands, weights)
    tied = (stands.best, *stands.rivals)
    told = f"{sure:.0%} sure, and {weights.accept:.0%} are asked for"
    otherwise = another(was, element) or _elsewhere(was, stands, columns)
    if otherwise:
        return Abstained(f"the likeliest element is another: {otherwise}", sure, stands.best, tied)
    if stands.equals:
        return Abstained(f"several elements are about equally like it ({told})", sure, stands.best, tied)
    if sure < weights.accept:
        return Abstained(f"no element is like enough to it ({told})", sure, stands.best, tied)
    return Relocated(stands.best.at, element, sure, stands.best.score, stands.rivals)


def standing(was: Fingerprint, columns: Columns, weights: Weights = SHIPPED) -> Standing | None:
    """None where no candidate can take the element's place."""
    found = ranking(was, columns, weights.features)
    if not found.order:
        return None
    best = Ranked(found.order[0], found.scores[0])
    element = columns.candidates[best.at]
    rivals = tuple(_rivals(element, found, columns))
    stranger = _STRANGER * found.attainable
    second = max(rivals[0].score, stranger) if rivals else stranger
    lead = min(best.score - second, _LEAD)
    return Standing(best, rivals, lead, clash(was, element), sum(best.score - one.score < _TIED for one in rivals))


def confidence(stands: Standing, weights: Weights) -> float:
    """The chance that the best is the element, shared between equals."""
    odds = weights.lead * stands.lead + weights.clash * stands.clash + weights.constant
    return 1 / (1 + math.exp(-odds)) / (1 + stands.equals)


def _elsewhere(was: Fingerprint, stands: Standing, columns: Columns) -> str:
    element = columns.candidates[stands.best.at]
    repeated = any(same(columns.candidates[rival.at].name, element.name) for rival in stands.rivals)
    return stands_elsewhere(was, element, ONE_OF_MANY if repeated else ALIKE)


def _rivals(element: Fingerprint, found: Ranking, columns: Columns) -> Iterator[Ranked]:
    shown = 0
    for at, score in zip(found.order, found.scores, strict=True):
        if shown == _SHOWN:
            return
        if not _one_line(element, columns.candidates[at]):
            shown += 1
            yield Ranked(at, score)


def _one_line(one: Fingerprint, other: Fingerprint) -> bool:
    """One is the other, or holds it."""
    if one is other:
        return True
    outer, inner = sorted((one.path, other.path), key=len)
    return bool(outer) and outer != inner and inner.startswith(f"{outer}/")


def _nothing(was: Fingerprint, columns: Columns) -> str:
    if not columns.candidates:
        return "the page has no elements"
    where = f" in frame {'/'.join(was.frame)}" if was.frame else ""
    return f"none of the page's {len(columns.candidates)} elements{where} can be used as a {was.role or was.tag} is"

"""Where no element bears the name itself: the same in other words, and, with a table of likenesses, in meaning.

Both only propose among elements that the verb can use, and never what can't be taken back. Words first: each content
word of the sentence is borne by the element, or the page speaks of it elsewhere. Then likeness, where one element is
clearly ahead of all the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from skillnb.rules.candidates import Scored, abstained, beside, called, target, usable
from skillnb.rules.similarity import same
from skillnb.rules.synonyms import final, opposed, turned, uncounted, words_of
from skillnb.terms.action import Abstain, Target
from skillnb.terms.observation import Node

__all__ = ["AHEAD", "described", "label", "LEAST", "Likeness", "meant", "worded"]

Likeness = Callable[[str, str], float]
"""Likeness in meaning of two texts, at most 1.0: what the sentence says and an element as ``described``."""

LEAST = 0.40
"""From here on an element may be meant."""
AHEAD = 0.12
"""By so much the best must lead the second."""

_SETTING = frozenset(
    [
        "button",
        "columnheader",
        "dialog",
        "form",
        "group",
        "heading",
        "navigation",
        "radiogroup",
        "region",
        "tab",
        "table",
    ]
)
"""What says what a page or a part of it is about; rows, cells and links say what one of several things is."""
_EQUAL, _COVERED = 0.95, 0.9
_MOST_LEFT = 1


class _Borne(NamedTuple):
    at: int
    grade: float
    words: frozenset[str]


def described(nodes: Sequence[Node], at: int) -> str:
    """The element as a likeness is asked for: its role and what it is called. Empty where it is called nothing."""
    name = label(nodes, at)
    return f"{nodes[at].role} {name}" if name else ""


def label(nodes: Sequence[Node], at: int) -> str:
    return called(nodes, at) or nodes[at].placeholder or beside(nodes, at)


def worded(
    nodes: Sequence[Node], pool: Sequence[int], about: str, setting: Sequence[str], *, whole: bool
) -> tuple[int, Target] | Abstain | None:
    """The element that says the same in other words; None where there is none.

    Not ``whole``, it may also say a word less than the sentence, if the page's headings and such say it. What is
    said by an element that has other words in common with the sentence, or with a number in it, tells them apart.
    ``setting``: address and title of the page.
    """
    wanted = words_of(about)
    if not wanted or final(about):
        return None
    borne = [item for at in pool if (item := _borne(nodes, at, about, wanted)) is not None]
    hits = [item for item in borne if item.grade == _EQUAL]
    if not hits and not whole and not turned(about):
        spoken = _spoken(nodes, setting, frozenset().union(*(item.words for item in borne)))
        near = [
            item
            for item in borne
            if len(wanted - item.words) <= _MOST_LEFT and _plain_rest(wanted - item.words) <= spoken
        ]
        hits = [item for item in near if all(other.words <= item.words for other in near)]
        if near and not hits:
            return abstained(nodes, f'several elements could be "{about}"', _scored(near), "one of several")
    ready = [item for item in hits if not usable(nodes, item.at)]
    if len(ready) > 1:
        return abstained(nodes, f'{len(ready)} elements answer to "{about}"', _scored(ready), "one of several")
    if not ready:
        return abstained(nodes, f'"{about}" is {usable(nodes, hits[0].at)}', _scored(hits), "") if hits else None
    hit = ready[0]
    how = "the same in other words" if hit.grade == _EQUAL else "its words are the sentence's"
    return hit.at, target(nodes, hit.at, hit.grade, how)


def _spoken(nodes: Sequence[Node], setting: Sequence[str], borne: frozenset[str]) -> frozenset[str]:
    said = [*setting, *(node.name or node.text for node in nodes if node.role in _SETTING)]
    each = (words_of(text) for text in said)
    return frozenset().union(*(words for words in each if not words & borne))


def _plain_rest(words: frozenset[str]) -> frozenset[str]:
    """A word with a figure in it is never taken as said elsewhere."""
    return frozenset("\0" if any(sign.isdigit() for sign in word) else word for word in words)


def _borne(nodes: Sequence[Node], at: int, about: str, wanted: frozenset[str]) -> _Borne | None:
    name = label(nodes, at)
    words = words_of(uncounted(name, about))
    if not words or not words <= wanted or opposed(about, name) or (final(name) and not same(name, about)):
        return None
    return _Borne(at, _EQUAL if words == wanted else _COVERED, words)


def _scored(items: Iterable[_Borne]) -> list[Scored]:
    return [Scored(item.at, item.grade) for item in items]


def meant(nodes: Sequence[Node], pool: Sequence[int], about: str, likeness: Likeness) -> tuple[int, Target] | Abstain:
    """The element most like what the sentence says, if it is alike enough, clearly ahead, and can be taken back."""
    if final(about):
        return Abstain(reason=f'what can\'t be taken back is never chosen by meaning: "{about}"')
    if turned(about):
        return Abstain(reason=f'meaning can\'t tell what is asked for from what is not: "{about}"')
    usables = [at for at in pool if not usable(nodes, at) and described(nodes, at)]
    scored = sorted(
        (Scored(at, round(likeness(about, described(nodes, at)), 4)) for at in usables), key=lambda item: -item.score
    )
    if not scored:
        return Abstain(reason=f'nothing on the page can be "{about}"')
    best, name = scored[0], label(nodes, scored[0].at)
    second = scored[1].score if len(scored) > 1 else 0.0
    if best.score < LEAST:
        return abstained(nodes, f'no element is like "{about}" in meaning', scored, "another meaning")
    if best.score - second < AHEAD:
        tied = [item for item in scored if best.score - item.score < AHEAD]
        return abstained(nodes, f'{len(tied)} elements are about as like "{about}"', tied, "not clearly the one")
    if final(name):
        return abstained(nodes, f'"{name}" can\'t be taken back and is not chosen by meaning', scored[:1], "final")
    if opposed(about, name):
        return abstained(nodes, f'"{name}" says the opposite of "{about}"', scored[:1], "the opposite")
    return best.at, target(nodes, best.at, best.score, f'like "{about}" in meaning')

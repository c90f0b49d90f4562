"""One question to a model, made ready: what it may choose from, what it is told, how its answer is read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from skillnb.llm.protocol import ModelFailed
from skillnb.rules.offers import Offer, Value, offered, values_offered
from skillnb.rules.operands import as_text
from skillnb.rules.shortlist import shortlisted
from skillnb.rules.turnanswer import Garbled, Mandate, Turn, read_turn
from skillnb.rules.turnprompt import SYSTEM, Asked, prompt, schema
from skillnb.terms.observation import Observation
from skillnb.terms.record import Attempt

__all__ = ["choose", "Chosen", "Embed", "Question"]

Embed = Callable[[Sequence[str]], tuple[tuple[float, ...], ...]]
"""``llm.protocol.Embedder.embed``"""

_FEW = 8
_MANY = 200
_FEW_VALUES, _MANY_VALUES = 24, 120
_SHORT_PAGE, _LONG_PAGE = 2_000, 16_000
_LONGEST_VALUE = 200


class Chosen(NamedTuple):
    """``small``: the model can't choose among many."""

    goal: str
    procedure: tuple[str, ...]
    mandate: Mandate
    history: tuple[Attempt, ...]
    seen: Observation
    small: bool
    mask: Callable[[str], str]


class Question(NamedTuple):
    system: str
    user: str
    schema: dict[str, object]
    offers: tuple[Offer, ...]
    values: tuple[Value, ...]

    def read(self, text: str) -> Turn | Garbled:
        return read_turn(text, self.offers, self.values)


async def choose(told: Chosen, embed: Embed | None) -> Question:
    """Nothing of a secret is in it, but for its parameter's name."""
    mask, mandate = told.mask, told.mandate
    every = offered(told.seen.nodes, mask)
    wanted = " ".join((told.goal, *told.procedure))
    if told.small:
        settled = _settled(told.history)
        every = tuple(offer for offer in every if told.seen.nodes[offer.at].ref not in settled)
        offers = shortlisted(every, wanted, _FEW, await _likeness(embed, wanted, every))
    else:
        offers = shortlisted(every, wanted, _MANY)
    most = _FEW_VALUES if told.small else _MANY_VALUES
    values = values_offered(mandate.values, mandate.sentences, told.seen.nodes, mask, most)
    asked = Asked(told.goal, told.procedure, _parameters(mandate, mask), told.history)
    longest = _SHORT_PAGE if told.small else _LONG_PAGE
    user = prompt(asked, told.seen, offers, values, mask, longest_page=longest)
    return Question(SYSTEM, user, schema(offers, values), offers, values)


def _settled(history: tuple[Attempt, ...]) -> frozenset[str]:
    """Fields that were set since the last click or key: a small model would set them again and again."""
    found: set[str] = set()
    for attempt in history:
        if attempt.done and attempt.target is not None:
            setting = attempt.sentence.startswith(("fill ", "select ", "check ", "uncheck "))
            found = found | {attempt.target.ref} if setting else set()
    return frozenset(found)


def _parameters(mandate: Mandate, mask: Callable[[str], str]) -> dict[str, str]:
    told = {}
    for name, value in mandate.values.items():
        shown = " ".join(mask(as_text(value)).split())
        told[name] = "secret" if name in mandate.secrets else shown[:_LONGEST_VALUE]
    return told


async def _likeness(embed: Embed | None, wanted: str, offers: tuple[Offer, ...]) -> tuple[float, ...]:
    """Of each offer to what is wanted, in meaning; empty where that can't be told."""
    if embed is None or not offers:
        return ()
    try:
        first, *others = await asyncio.to_thread(embed, [wanted, *(offer.label for offer in offers)])
    except ModelFailed:
        return ()  # likeness in words remains
    return tuple(sum(a * b for a, b in zip(first, other, strict=True)) for other in others)

"""Has a page come to rest? Judged by what moves it: actions, documents, requests, and what it shows."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable
from enum import Enum
from typing import NamedTuple

__all__ = ["Stillness"]

_QUIET_SECONDS = 0.5
"""What a page does of itself after an action or a document (a banner, a message) has begun by then."""
_SAME_SECONDS = 0.1
_RESTLESS_SECONDS = 2.0
"""A page that still changes so long after everything else was quiet (a clock, a ticker) does so for ever."""
_ANSWER_SECONDS = 1.0
"""A request so soon after an action may be what the action was for."""
_USUAL_TIMES = 2
"""A page that asks the same thing more often than that since its document came is asking at intervals."""


class _Kind(Enum):
    """How long, in s, a request's answer is waited for."""

    DECISIVE = 15.0
    """A document, or what may change the site: its answer is what comes next."""
    NEW = 2.0
    """Older than that it is a stream or a long poll."""
    AGAIN = 0.0


class _Request(NamedTuple):
    begun: float
    kind: _Kind


class Stillness:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._acted = self._stirred = self._changed = clock()
        self._looked = float("-inf")
        self._text = ""
        self._pending: dict[Hashable, _Request] = {}
        self._asked: Counter[str] = Counter()

    def acted(self) -> None:
        """Something was done to the page, or it has asked something of whoever uses it."""
        self._acted = self._stirred = self._clock()

    def arrived(self) -> None:
        """Another document, or another page in front."""
        self._stirred = self._clock()
        self._asked.clear()

    def began(self, request: Hashable, address: str, *, decisive: bool) -> None:
        now, what = self._clock(), address.partition("?")[0]
        self._asked[what] += 1
        often = self._asked[what] > _USUAL_TIMES and now - self._acted > _ANSWER_SECONDS
        kind = _Kind.DECISIVE if decisive else _Kind.AGAIN if often else _Kind.NEW
        self._pending[request] = _Request(now, kind)
        if kind is not _Kind.AGAIN:
            self._stirred = now

    def ended(self, request: Hashable) -> None:
        """Answered, failed or given up."""
        known = self._pending.pop(request, None)
        if known is not None and known.kind is not _Kind.AGAIN:
            self._stirred = self._clock()

    def looked(self, text: str) -> None:
        """What the page has shown just now."""
        self._looked = self._clock()
        if text != self._text:
            self._text, self._changed = text, self._looked

    @property
    def settled(self) -> bool:
        """Was the last look at a page at rest?"""
        if any(self._looked - request.begun < request.kind.value for request in self._pending.values()):
            return False
        quiet = self._looked - self._stirred
        return quiet >= _QUIET_SECONDS and (self._looked - self._changed >= _SAME_SECONDS or quiet >= _RESTLESS_SECONDS)

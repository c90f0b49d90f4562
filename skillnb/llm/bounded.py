"""A chat that stops at limits."""

from __future__ import annotations

import time
from collections.abc import Callable

from skillnb.llm.daybook import Daybook
from skillnb.llm.limits import NOTHING, Limits, Usage
from skillnb.llm.protocol import Chat, ModelFailed, Reply

__all__ = ["BoundedChat"]


class BoundedChat:
    """Limits of the step, of the run and of the day: beyond them a question is a ModelFailed (``limit``), not sent.

    A call is counted before it is made, at the most it can cost, and set right after it; so a call that was cut off by
    a kill stays counted at its most. A run is one object; ``begin_step`` starts a step's count anew. ``seconds`` of a
    question are cut to what is left.
    """

    def __init__(
        self,
        chat: Chat,
        *,
        step: Limits | None = None,
        run: Limits | None = None,
        day: Limits | None = None,
        daybook: Daybook | None = None,
        most: Callable[[int], float] | None = None,
    ) -> None:
        """``most``: dollars that a question of so many bytes can cost; None where no price is known.

        Raises ValueError for a limit that could not be kept: of a day without a book, in dollars without a price.
        """
        self._step, self._run, self._day = step or Limits(), run or Limits(), day or Limits()
        if daybook is None and self._day != Limits():
            raise ValueError("a limit of the day needs a daybook")
        if most is None and any(limits.dollars is not None for limits in (self._step, self._run, self._day)):
            raise ValueError("a limit in dollars needs a price")
        self.name, self.small = chat.name, chat.small
        self.used_in_step = self.used_in_run = NOTHING
        self._chat, self._daybook, self._most = chat, daybook, most

    def begin_step(self) -> None:
        self.used_in_step = NOTHING

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        reserved = self._reserved(len(f"{system}{user}{schema}".encode("utf-8", "surrogatepass")))
        left = min(seconds, self._begin(reserved))
        used, before = reserved, time.monotonic()
        try:
            reply = await self._chat.ask(system, user, schema, seconds=left)
            used = _used(reply)
        except ModelFailed as failed:
            used = _used(failed)
            raise
        finally:
            self._settle(reserved, used._replace(seconds=time.monotonic() - before))
        return reply

    def _reserved(self, size: int) -> Usage:
        return Usage(calls=1, unpriced=1) if self._most is None else Usage(calls=1, dollars=self._most(size))

    def _begin(self, reserved: Usage) -> float:
        """Seconds that the limits leave. Raises ModelFailed where one of them leaves nothing."""
        dollars = None if reserved.unpriced else reserved.dollars
        for scope, limits, used in (("step", self._step, self.used_in_step), ("run", self._run, self.used_in_run)):
            problem = limits.reached(used, dollars)
            if problem:
                raise ModelFailed("limit", f"the limit of the {scope} is reached: {problem}")
        today = self._daybook.begin(self._day, reserved) if self._daybook else NOTHING
        seconds = (_left(self._step, self.used_in_step), _left(self._run, self.used_in_run), _left(self._day, today))
        self.used_in_step = self.used_in_step.plus(reserved)
        self.used_in_run = self.used_in_run.plus(reserved)
        return min(seconds)

    def _settle(self, reserved: Usage, used: Usage) -> None:
        change = Usage(
            tokens=used.tokens,
            dollars=used.dollars - reserved.dollars,
            seconds=used.seconds,
            unpriced=used.unpriced - reserved.unpriced,
        )
        self.used_in_step = self.used_in_step.plus(change)
        self.used_in_run = self.used_in_run.plus(change)
        if self._daybook:
            self._daybook.settle(change)


def _used(spent: Reply | ModelFailed) -> Usage:
    return Usage(
        calls=1,
        tokens=spent.prompt_tokens + spent.completion_tokens,
        dollars=spent.cost or 0.0,
        unpriced=int(spent.cost is None),
    )


def _left(limits: Limits, used: Usage) -> float:
    return float("inf") if limits.seconds is None else limits.seconds - used.seconds

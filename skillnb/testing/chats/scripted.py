"""A chat that answers what it is told to answer, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from skillnb.llm.answers import fitting
from skillnb.llm.protocol import ModelFailed, Reply

__all__ = ["Asked", "ScriptedChat"]


class Asked(NamedTuple):
    system: str
    user: str
    schema: dict[str, object]


class ScriptedChat:
    """Held to what a real model is held to: an answer that does not fit the schema is ``malformed``.

    ``replies`` are given one after the other; a question after the last is ``unreachable``. A function is given
    (system, user, schema) and may raise ModelFailed. Tokens are counted as words.
    """

    def __init__(
        self,
        replies: Sequence[str] | Callable[[str, str, dict[str, object]], str],
        name: str = "scripted",
        small: bool = False,
    ) -> None:
        self.name, self.small = name, small
        self.asked: list[Asked] = []
        self._replies = replies

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        self.asked.append(Asked(system, user, schema))
        if seconds <= 0:
            raise ModelFailed("timeout", f"no time was left to ask {self.name}")
        text = self._next(system, user, schema)
        return Reply(fitting(text, schema), len(f"{system} {user}".split()), len(text.split()), cost=0.0)

    def _next(self, system: str, user: str, schema: dict[str, object]) -> str:
        if callable(self._replies):
            return self._replies(system, user, schema)
        count = len(self.asked)
        if count > len(self._replies):
            raise ModelFailed(
                "unreachable", f"{self.name} has {len(self._replies)} replies, and this is question {count}"
            )
        return self._replies[count - 1]

"""A model on standby in a kernel: opened when it is first asked, so that a run that asks nothing pays nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from skillnb.config import ModelSettings
from skillnb.errors import SkillnbError
from skillnb.llm.protocol import ModelFailed, Reply
from skillnb.loading import imported
from skillnb.rules.masking import Masker

__all__ = ["Standby", "StandbyEmbedder"]


class Standby:
    """``llm.protocol.Chat``. What can't be opened is ModelFailed, not an error."""

    def __init__(self, settings: ModelSettings, masker: Masker, environment: Mapping[str, str]) -> None:
        self.name, self.small = settings.model, settings.model.startswith("local:")
        self._settings, self._masker, self._environment = settings, masker, environment
        self._chat: Any = None

    def begin_step(self) -> None:
        """Its own limits of a step count from here."""
        if self._chat is not None:
            self._chat.begin_step()

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        if self._chat is None:
            self._chat = await asyncio.to_thread(self._opened, "open_chat", self._settings, self._masker)
        reply: Reply = await self._chat.ask(system, user, schema, seconds=seconds)
        return reply

    async def close(self) -> None:
        if self._chat is not None:
            await self._chat.close()

    def _opened(self, opener: str, *what: object) -> Any:
        return _opened(opener, *what, self._environment)


class StandbyEmbedder:
    """``llm.protocol.Embedder``; texts are masked before they are given to it."""

    def __init__(self, settings: ModelSettings, masker: Masker, environment: Mapping[str, str]) -> None:
        self.name = settings.embedding
        self._settings, self._masker, self._environment = settings, masker, environment
        self._embedder: Any = None

    @property
    def dimension(self) -> int:
        size: int = self._open().dimension
        return size

    def embed(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        vectors: tuple[tuple[float, ...], ...] = self._open().embed([self._masker.text(text) for text in texts])
        return vectors

    def _open(self) -> Any:
        if self._embedder is None:
            self._embedder = _opened("open_embedder", self._settings, self._environment)
        return self._embedder


def _opened(opener: str, *what: object) -> Any:
    try:
        return getattr(imported("skillnb.models"), opener)(*what)
    except SkillnbError as error:
        raise ModelFailed("unreachable", str(error)) from None

"""What the product needs of a language model and of an embedding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

__all__ = ["Chat", "Embedder", "ModelFailed", "Reply"]


class Reply(NamedTuple):
    text: str
    """One JSON object that fits the schema that was asked for."""
    prompt_tokens: int
    """Of everything that was sent for this answer: a first try whose answer was of no use counts too."""
    completion_tokens: int
    cost: float | None = None
    """US dollars by the price table; 0 for a local model. None: no price is known, which is not 0."""
    cached: bool = False
    """Answered from an earlier answer to the same question: nothing was sent, and tokens and cost are 0."""


class ModelFailed(Exception):
    """No usable answer: unreachable, refused, out of time or not of the schema. An expected outcome, never a crash."""

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        prompt_tokens: int = 0,
        completion_tokens: int = 0,
        cost: float | None = 0.0,
    ) -> None:
        """``kind``: ``unreachable``, ``refused``, ``timeout``, ``malformed`` or ``limit``.

        The rest is what is known to have been spent in vain: a cost of None, that something was and no price is known.
        """
        self.kind, self.message = kind, message
        self.prompt_tokens, self.completion_tokens, self.cost = prompt_tokens, completion_tokens, cost
        super().__init__(f"{kind}: {message}")


class Chat(Protocol):
    """A model that answers with one JSON object of a given schema."""

    name: str
    small: bool
    """Too small to choose among many elements: it is given a short list."""

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        """The answer, within ``seconds`` for all tries together. Raises ModelFailed."""


class Embedder(Protocol):
    """Texts as vectors of unit length, so that their inner product is their likeness in meaning."""

    name: str

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        """One vector a text; a text without any content is the zero vector. Raises ModelFailed."""

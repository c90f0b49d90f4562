"""What the product needs of a language model and of an embedding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

__all__ = ["Chat", "Embedder", "ModelFailed", "Reply"]


class Reply(NamedTuple):
    text: str
    """One JSON object that fits the schema that was asked for."""
    prompt_tokens: int
    completion_tokens: int
    cost: float = 0.0
    """US dollars by the price table; 0 for a local model."""
    cached: bool = False
    """Answered from an earlier answer to the same question: nothing was sent, and tokens and cost are 0."""


class ModelFailed(Exception):
    """No usable answer: unreachable, refused, out of time or not of the schema. An expected outcome, never a crash."""

    def __init__(self, kind: str, message: str) -> None:
        """``kind``: ``unreachable``, ``refused``, ``timeout``, ``malformed`` or ``limit``."""
        self.kind, self.message = kind, message
        super().__init__(f"{kind}: {message}")


class Chat(Protocol):
    """A model that answers with one JSON object of a given schema."""

    name: str
    small: bool
    """Too small to choose among many elements: it is given a short list."""

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        """Raises ModelFailed."""


class Embedder(Protocol):
    """Texts as vectors of unit length, so that their inner product is their likeness in meaning."""

    name: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]: ...

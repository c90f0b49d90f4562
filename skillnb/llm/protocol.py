"""What the product needs of a language model."""

from __future__ import annotations

from typing import NamedTuple, Protocol

__all__ = ["Chat", "Reply"]


class Reply(NamedTuple):
    text: str
    prompt_tokens: int
    completion_tokens: int


class Chat(Protocol):
    """A model that answers with one JSON object of a given schema."""

    name: str

    async def ask(self, system: str, user: str, schema: dict[str, object]) -> Reply: ...

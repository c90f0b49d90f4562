"""A chat that never sees a secret: it stands outermost, so that no secret reaches a cache, a record or the wire."""

from __future__ import annotations

import json
from typing import Any

from skillnb.llm.answers import fitting
from skillnb.llm.protocol import Chat, ModelFailed, Reply
from skillnb.rules.masking import Masker

__all__ = ["MaskedChat"]

_WORDS = frozenset({"const", "default", "description", "enum", "examples", "title"})
"""Parts of a schema that may carry a page's words. Anything else of it is the author's and is sent as it is, or not."""


class MaskedChat:
    """Prompts, and the words of the schema, are masked; the answer fits the masked schema and is masked itself.

    So a choice that holds a secret comes back as ``[secret:NAME]``: who asks gives masked choices, and finds the thing
    that was meant by its place among them. Nothing here turns a mark back into a secret.
    """

    def __init__(self, chat: Chat, masker: Masker) -> None:
        self.name, self.small = chat.name, chat.small
        self._chat, self._masker = chat, masker

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        hidden = self._schema(schema)
        try:
            reply = await self._chat.ask(self._masker.text(system), self._masker.text(user), hidden, seconds=seconds)
        except ModelFailed as failed:
            raise ModelFailed(
                failed.kind,
                self._masker.text(failed.message),
                prompt_tokens=failed.prompt_tokens,
                completion_tokens=failed.completion_tokens,
                cost=failed.cost,
            ) from None  # the cause holds the unmasked words of a server
        return reply._replace(text=self._answer(reply.text, hidden))

    def _answer(self, text: str, schema: dict[str, object]) -> str:
        """Masked string by string, since a model can spell in escapes what it was not told."""
        said = json.loads(text)
        masked = self._masker.json(said)
        kept = text if masked == said else fitting(json.dumps(masked, ensure_ascii=False), schema)
        if self._masker.found(kept.encode("utf-8", "surrogatepass")):
            raise ModelFailed("refused", "the answer holds a secret where it can't be masked: not used")
        return kept

    def _schema(self, schema: Any) -> Any:
        if isinstance(schema, list):
            return [self._schema(item) for item in schema]
        if not isinstance(schema, dict):
            return self._authored(schema)
        return {self._authored(key): self._under(key, value) for key, value in schema.items()}

    def _under(self, key: str, value: Any) -> Any:
        if key == "type":
            return value
        if key == "properties" and isinstance(value, dict):
            return {self._authored(name): self._schema(item) for name, item in value.items()}
        if key not in _WORDS:
            return self._schema(value)
        masked = self._masker.json(value)
        if key == "enum" and len({json.dumps(item) for item in masked}) < len(masked):
            raise ModelFailed("refused", "two of the choices read the same once secrets are masked: not asked")
        return masked

    def _authored(self, value: Any) -> Any:
        """Raises ModelFailed where a name of the schema would give a secret away: masked it would be another schema."""
        if isinstance(value, str) and self._masker.text(value) != value:
            raise ModelFailed("refused", "a name in the schema holds a secret: not asked")
        return value

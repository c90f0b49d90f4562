"""What one question has cost, all its tries together."""

from __future__ import annotations

from skillnb.llm.prices import FREE, Price
from skillnb.llm.protocol import ModelFailed, Reply

__all__ = ["Spent"]


class Spent:
    """A try that the server does not account for is taken at the most it can have cost; so a cost is never too low."""

    def __init__(self, price: Price | None) -> None:
        self._price = price
        self._sent = self._received = 0
        self._more: float | None = 0.0

    def told(self, usage: object, question_bytes: int, most_tokens: int | None) -> None:
        """``usage`` as the server's answer has it."""
        sent = _count(usage, "prompt_tokens")
        received = _count(usage, "completion_tokens")
        if sent is None or received is None:
            self.untold(question_bytes, most_tokens)
        else:
            self._sent, self._received = self._sent + sent, self._received + received

    def untold(self, question_bytes: int, most_tokens: int | None) -> None:
        """A token stands for one byte at least; no more than ``most_tokens`` were asked for, None: without a limit."""
        if self._price is None or self._more is None or (most_tokens is None and self._price != FREE):
            self._more = None
        else:
            self._more += self._price.of(question_bytes, most_tokens or 0)

    @property
    def cost(self) -> float | None:
        """None where something was spent and nobody knows the price of it."""
        if self._price is not None and self._more is not None:
            return self._price.of(self._sent, self._received) + self._more
        return 0.0 if self._more == 0.0 and not self._sent and not self._received else None

    def reply(self, text: str) -> Reply:
        return Reply(text, self._sent, self._received, self.cost)

    def failed(self, kind: str, message: str) -> ModelFailed:
        return ModelFailed(kind, message, prompt_tokens=self._sent, completion_tokens=self._received, cost=self.cost)


def _count(usage: object, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None

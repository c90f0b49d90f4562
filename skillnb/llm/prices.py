"""What tokens cost: by a table with a date, or by what a person says. A price that is not known is None, never 0."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

__all__ = ["FREE", "listed", "Price", "price_of"]

_TABLE = Path(__file__).with_name("prices.toml")
_RELEASE = re.compile(r"-\d{4}-\d{2}-\d{2}")


class Price(NamedTuple):
    """US dollars for a million tokens."""

    sent: float
    received: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (self.sent * prompt_tokens + self.received * completion_tokens) / 1_000_000


FREE = Price(0.0, 0.0)
"""Of a model that runs in this process: its electricity is not counted."""


def listed() -> tuple[date, dict[tuple[str, str], Price]]:
    """The day of the table, and its prices by host and model."""
    table = tomllib.loads(_TABLE.read_text("utf-8"))
    day: date = table.pop("date")
    prices = {
        (host, model): Price(float(sent), float(received))
        for host, models in table.items()
        for model, (sent, received) in models.items()
    }
    return day, prices


def price_of(base_url: str, model: str) -> Price | None:
    """The price of ``model`` or of the model that it is a dated release of; None if the table has neither."""
    _, prices = listed()
    host = urlsplit(base_url).hostname or ""
    release = _RELEASE.search(model)
    name = model[: release.start()] if release and release.end() == len(model) else model
    return prices.get((host, model), prices.get((host, name)))

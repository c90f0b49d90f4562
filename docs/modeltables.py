"""The tables of ``models.md``: what can be fetched, and what tokens cost."""

from __future__ import annotations

from collections.abc import Iterator

from skillnb.llm.prices import listed
from skillnb.llm.weights import known

__all__ = ["price_rows", "priced_on", "weights_rows"]


def weights_rows() -> Iterator[tuple[str, ...]]:
    for name, each in known().items():
        yield f"`{name}`", each.title, f"{each.size / 1e6:.0f} MB", str(len(each.packages)), each.use, each.licence


def priced_on() -> str:
    day = listed()[0].isoformat()
    return f"As public summaries of the makers' lists had them on {day}, in US dollars for a million tokens:"


def price_rows() -> Iterator[tuple[str, ...]]:
    for (host, model), price in sorted(listed()[1].items()):
        yield host, f"`{model}`", f"{price.sent:.2f}", f"{price.received:.2f}"

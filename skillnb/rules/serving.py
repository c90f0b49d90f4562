"""Which version of a workflow is served, folded from its history."""

from __future__ import annotations

from collections.abc import Iterable

from skillnb.terms.history import Entry, What

__all__ = ["known_id", "served"]


def served(history: Iterable[Entry], versions: Iterable[int]) -> int | None:
    """The version released last; before any release the newest one there is, as provisional; ``None`` when retired."""
    chosen: int | None = None
    retired = False
    for entry in history:
        match entry.event:
            case What.RELEASED | What.ROLLED_BACK | What.RESTORED:
                chosen, retired = entry.version, False
            case What.RETIRED:
                retired = True
            case _:
                pass  # says nothing of which version is served
    if retired:
        return None
    return chosen if chosen is not None else max(versions, default=None)


def known_id(history: Iterable[Entry], version: int) -> str:
    """The identity under which ``version`` was written; empty when the history does not name it."""
    return next((entry.id for entry in history if entry.version == version and entry.event is What.CREATED), "")

"""The history of a workflow: append-only entries, one JSON line each."""

from __future__ import annotations

from enum import StrEnum

from skillnb.terms import term

__all__ = ["Entry", "What"]


class What(StrEnum):
    CREATED = "created"
    RELEASED = "released"
    ROLLED_BACK = "rolled back"
    RETIRED = "retired"
    RESTORED = "restored"


@term
class Entry:
    event: What
    version: int
    id: str
    """The version's identity, by which it is recognised when it is read again."""
    who: str
    why: str
    at: str = ""
    """ISO 8601, UTC; empty in entries that were written together with the product."""

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
    REPAIRED = "repaired"
    """A run has found and proven another locator; the version is patched with it, on trial."""
    PROMOTED = "promoted"
    """A patch has stood its trial."""
    REVERTED = "reverted"
    """A patch has failed and is dropped."""


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
    run: str = ""
    """Evidence of what a run has changed."""
    step: str = ""
    cell: str = ""
    old: str = ""
    """Source of the locator as the version has it."""
    new: str = ""
    gates: tuple[str, ...] = ()
    """The post gates that proved it."""

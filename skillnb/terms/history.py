"""The history of a workflow: append-only entries, one JSON line each."""

from __future__ import annotations

from enum import StrEnum

from skillnb.terms import term

__all__ = ["Entry", "State", "What"]


class What(StrEnum):
    CREATED = "created"
    EDITED = "edited"
    """A person has changed what the version before meant."""
    COSMETIC = "cosmetic"
    """An edit that changed nothing of what the version means: no version was made of it."""
    FORMALIZED = "formalized"
    """A step that was guided has code now."""
    DEMOTED = "demoted"
    """A step that had code is guided now."""
    RELEASED = "released"
    ROLLED_BACK = "rolled back"
    RETIRED = "retired"
    RESTORED = "restored"
    """A retired workflow is on probation."""
    UNDONE = "undone"
    """The last release, roll-back, retirement or restoration still standing is taken back."""
    REPAIRED = "repaired"
    """A run has found and proven another locator; the version is patched with it, on trial. Of an entry with ``file``:
    a version was written with the locators that have stood their trial."""
    PROMOTED = "promoted"
    """A patch has stood its trial."""
    REVERTED = "reverted"
    """A patch has failed and is dropped."""


class State(StrEnum):
    """Of a workflow."""

    PROVISIONAL = "provisional"
    """Nothing of it was released yet."""
    RELEASED = "released"
    RETIRED = "retired"
    PROBATION = "probation"
    """Restored after it was retired, and not released again."""


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
    """The post gates that proved it; of a release, those of the version."""
    parent: str = ""
    """Digest of the line before; empty in the first one and in those that were written together with the product."""
    file: str = ""
    """Of an entry that makes a version: digest of the notebook as it was written, under which it is kept as well."""
    origin: int = 0
    """The version that this one was made from, or whose place it takes; 0: none."""
    evidence: tuple[str, ...] = ()
    """Run ids."""

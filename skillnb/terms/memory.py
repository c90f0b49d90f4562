"""What is remembered of a version between runs: how its actions' elements were, and repairs that are on trial."""

from __future__ import annotations

from enum import StrEnum

from skillnb.terms import term
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["Call", "Gathered", "Known", "Memory", "Mended", "Patch", "PatchState", "Seen"]


@term
class Call:
    """An action in a cell: the ``number``-th of its calls that act on elements, from 0, in the order of the source.

    Other than a line and a column, that stays the same when a locator is replaced by a longer one.
    """

    step: str
    cell: str
    number: int


@term
class Known:
    """The element that an action acted on when the step last passed."""

    call: Call
    selector: str
    """Playwright's internal selector of the locator, values of parameters and secrets replaced by their names."""
    fingerprint: Fingerprint
    run: str


class PatchState(StrEnum):
    QUARANTINED = "quarantined"
    PROMOTED = "promoted"


@term
class Patch:
    """A locator that replaces one of a version's since a run proved it. The version itself is never changed."""

    call: Call
    method: str
    old: str
    """Source of the locator as the version has it."""
    new: str
    selector: str
    """Playwright's internal selector of ``old``, as it was when it failed."""
    gates: tuple[str, ...]
    """The post gates that proved it."""
    run: str
    """The run that found it."""
    passes: tuple[str, ...] = ()
    """Runs since that passed the step with it."""
    state: PatchState = PatchState.QUARANTINED
    taken: int = 0
    """The version that was written with it once it had stood its trial; 0: none."""


@term
class Memory:
    workflow: str
    known: tuple[Known, ...] = ()
    patches: tuple[Patch, ...] = ()


@term
class Seen:
    """An action of this run. ``place`` is the step as results name it: ``outer/inner`` in a called workflow."""

    place: str
    workflow: str
    call: Call
    selector: str
    fingerprint: Fingerprint


@term
class Mended:
    """A repair of this run that was proposed; whether it was proven only the step's result tells."""

    place: str
    workflow: str
    call: Call
    method: str
    old: str
    new: str
    selector: str


@term
class Gathered:
    """What the kernel hands back at the end of a run."""

    seen: tuple[Seen, ...] = ()
    mended: tuple[Mended, ...] = ()

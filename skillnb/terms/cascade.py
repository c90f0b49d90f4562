"""The moves of the cascade and what came of each."""

from __future__ import annotations

from enum import StrEnum

from skillnb.terms import term
from skillnb.terms.outcome import FailureClass, Outcome, Path, Verdict

__all__ = ["Happened", "Move", "Position", "Ways"]


class Move(StrEnum):
    """What is to be done next for a step."""

    PROBE = "probe"
    """Ask the post gates without waiting: is it done already, or done in spite of an error?"""
    PRE = "pre"
    CODE = "code"
    POST = "post"
    REPAIR = "repair"
    PROCEDURE = "procedure"
    INTENT = "intent"
    STOP = "stop"


@term
class Ways:
    """What a step has and what the run allows: everything the next move depends on besides what happened."""

    pre: bool
    """It has pre gates."""
    code: bool
    """It has code and is formalized."""
    post: bool
    procedure: bool
    intent: bool
    repair: bool
    once: bool
    """Doing it twice would do harm."""
    optional: bool


@term
class Happened:
    """What came of one move.

    ``verdict``: of PROBE, PRE and POST the gates' answer; of the others ``passed`` when it was carried out without an
    error, ``failed`` when it was tried and failed, ``unknown`` when it abstained and did nothing.
    """

    move: Move
    verdict: Verdict
    failure: FailureClass | None = None
    reason: str = ""
    dispatched: bool = False
    """Since the step began a request that may change the site (not GET or HEAD) has left the page."""
    seconds: float = 0.0
    barred: bool = False
    """A step called from here may have taken effect and can't be shown to have: nothing may repeat it."""


@term
class Position:
    """Where a step stands. At STOP, ``outcome`` is set; ``path`` is the way last tried, ``None`` when none was."""

    move: Move
    path: Path | None = None
    outcome: Outcome | None = None
    failure: FailureClass | None = None
    reason: str = ""
    barred: bool = False

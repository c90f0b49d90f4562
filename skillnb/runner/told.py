"""What the kernel's side tells of a step that has not succeeded."""

from __future__ import annotations

import json
from typing import NamedTuple

from skillnb.terms.outcome import FailureClass

__all__ = ["Told", "told"]


class Told(NamedTuple):
    dispatched: bool = False
    """A request that may change the site has left since the step began."""
    barred: bool = False
    """A called step was done that must not be done twice."""
    failure: FailureClass | None = None
    sign: str = ""
    """How the page itself explains the failure."""


def told(answer: str) -> Told:
    said = json.loads(answer)
    failure = FailureClass(said["failure"]) if said["failure"] else None
    return Told(bool(said["dispatched"]), bool(said["spent"]), failure, said["sign"])

"""What the kernel's side tells: of a step that has not succeeded, and along with each cell's reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from skillnb.codec import canonical, decode
from skillnb.terms.outcome import FailureClass
from skillnb.terms.record import Evidence

__all__ = ["Along", "along", "Told", "told"]


class Along(NamedTuple):
    """What came along with a cell's reply."""

    learnt: Mapping[str, str] = MappingProxyType({})
    """Secrets that called workflows were given since."""
    ended: Evidence | None = None
    """Of the step, where the cell was its last and its gates hold."""
    begun: str = ""
    """The step that has begun now, as its post gates are seen not to hold yet; empty where that must be asked."""


def along(text: str) -> Along:
    if not text:
        return Along()
    said = json.loads(text)
    ended = decode(Evidence, canonical(said["ended"]), "evidence") if said["ended"] else None
    return Along(said["learnt"], ended, said["begun"])


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

"""Verdicts, outcomes and the ways a step can be done or fail."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["CellStatus", "FailureClass", "Outcome", "Path", "Verdict"]


class Verdict(StrEnum):
    """A gate's answer. ``unknown`` means the gate could not look, never that it looked and was content."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """What became of a step or a run, computed from post gates alone."""

    PASSED = "passed"
    FAILED = "failed"
    UNVERIFIED = "unverified"
    ABORTED = "aborted"


class Path(StrEnum):
    """How a step was done."""

    CODE = "code"
    REPAIRED = "repaired"
    PROCEDURE = "procedure"
    INTENT = "intent"
    SKIPPED = "skipped"


class FailureClass(StrEnum):
    """Why a step failed, for triage. ``infrastructure`` never counts against the workflow."""

    LOCATOR = "locator"
    GATE = "gate"
    TIMEOUT = "timeout"
    AUTH = "auth"
    NETWORK = "network"
    DIALOG = "dialog"
    DATA = "data"
    CODE = "code"
    MODEL = "model"
    INFRASTRUCTURE = "infrastructure"


class CellStatus(StrEnum):
    """Exactly one of these stands on every code cell of an executed notebook."""

    PASSED = "passed"
    REPAIRED = "repaired"
    FAILED = "failed"
    TIMEOUT = "timeout"
    SKIPPED = "skipped"
    NOT_RUN = "not-run"

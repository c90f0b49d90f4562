"""Trace lines: what happened in a run, one frozen event each. Time, sequence and run id are put on by the writer."""

from __future__ import annotations

from skillnb.terms import term
from skillnb.terms.action import Refusal
from skillnb.terms.gate import GateResult
from skillnb.terms.outcome import CellStatus, FailureClass, Outcome, Path
from skillnb.terms.record import Evidence, GuidedReport, Proposal

__all__ = [
    "BrowserStarted",
    "CellRan",
    "Event",
    "FORMAT",
    "GateAsked",
    "Guided",
    "PageOpened",
    "Pictured",
    "RepairTried",
    "RunFinished",
    "RunStarted",
    "StepFinished",
    "StepStarted",
    "TraceLine",
]

FORMAT = 1
"""Version of the trace line's form; a reader refuses versions it does not know."""


@term
class RunStarted:
    workflow: str
    version: int
    version_id: str
    calls: tuple[str, ...]
    """Called workflows, as ``name@version``."""
    parameters: str
    """Canonical JSON of the values, secrets masked."""
    base_url: str
    task_type: str
    site: str
    options: tuple[str, ...]
    machine: str
    """Versions of skillnb, Python and Playwright."""
    path: str
    """The notebook file that was run."""
    resumes: str
    """Run id of the interrupted run that this one goes on with; empty otherwise."""
    locale: str = ""
    timezone: str = ""
    """What the browser was told to be in, whatever the machine is."""


@term
class BrowserStarted:
    """The Chromium of the run: by this a resumed run finds it again, and nothing else is ever taken for it."""

    endpoint: str
    pid: int
    profile: str


@term
class PageOpened:
    """The page as the first step finds it."""

    evidence: Evidence


@term
class StepStarted:
    step: str
    intent: str


@term
class GateAsked:
    step: str
    result: GateResult


@term
class CellRan:
    step: str
    cell: str
    code: str
    """Digest of the source that ran."""
    status: CellStatus
    seconds: float
    error_name: str = ""
    error: str = ""


@term
class RepairTried:
    step: str
    status: str
    """``accepted`` (proven by the post gates), ``rejected`` or ``abstained``."""
    reason: str
    proposal: Proposal | None
    refused: tuple[Refusal, ...]


@term
class Guided:
    step: str
    report: GuidedReport


@term
class StepFinished:
    step: str
    workflow: str
    outcome: Outcome
    path: Path | None
    failure: FailureClass | None
    reason: str
    seconds: float
    tokens: int
    evidence: Evidence


@term
class Pictured:
    """A picture of a step's end, which is drawn while the run goes on."""

    step: str
    screenshot: str
    """Digest of the blob."""


@term
class RunFinished:
    outcome: Outcome
    exit_status: int
    reason: str
    seconds: float
    start_seconds: float
    """Of ``seconds``, what starting browser and kernel and connecting them took."""


Event = (
    RunStarted
    | BrowserStarted
    | PageOpened
    | StepStarted
    | GateAsked
    | CellRan
    | RepairTried
    | Guided
    | StepFinished
    | Pictured
    | RunFinished
)


@term
class TraceLine:
    """One line of a trace file: an event dressed with where and when."""

    format: int
    run: str
    seq: int
    """Counts from 0 without gaps."""
    at: str
    """ISO 8601, UTC, microseconds."""
    kind: str
    """The event's class."""
    event: Event

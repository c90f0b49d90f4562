"""What a run leaves behind: results of steps and runs, and what repair and guidance tried."""

from __future__ import annotations

from skillnb.terms import term
from skillnb.terms.action import Refusal, Target
from skillnb.terms.cascade import Happened
from skillnb.terms.gate import GateResult
from skillnb.terms.observation import DialogSeen
from skillnb.terms.outcome import FailureClass, Outcome, Path, Verdict

__all__ = [
    "Attempt",
    "Candidate",
    "Evidence",
    "FallbackReport",
    "GuidedReport",
    "ModelUse",
    "Proposal",
    "RepairReport",
    "RunResult",
    "StepResult",
]


@term
class Attempt:
    """One sentence of a procedure and what became of it."""

    sentence: str
    done: bool
    reason: str
    target: Target | None = None
    refused: tuple[Refusal, ...] = ()
    by_model: bool = False
    """A model chose it; ``sentence`` then says what it chose."""


@term
class ModelUse:
    """What a model was asked for and did. All zero where none was asked."""

    model: str = ""
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    """US dollars; None where something was asked whose price is not known."""
    actions: int = 0
    """Carried out or tried on the page."""
    seconds: float = 0.0


@term
class GuidedReport:
    """One go at a step by its procedure or its intent."""

    way: Path
    verdict: Verdict
    """``passed``: carried out; ``failed``: an action failed; ``unknown``: abstained."""
    reason: str
    attempts: tuple[Attempt, ...] = ()
    tokens: int = 0
    use: ModelUse = ModelUse()
    failure: FailureClass | None = None
    """Set where something else than the way's usual failing was the cause: ``model``."""


@term
class Proposal:
    """A repair that has been found and not yet proven."""

    old: str
    """Source of the locator that failed."""
    new: str
    method: str
    target: Target
    refused: tuple[Refusal, ...]
    source: str
    """The rest of the cell, from the failed statement on, with the new locator."""


@term
class RepairReport:
    """A repair as tried. ``verdict`` is ``unknown`` where nothing was proposed."""

    verdict: Verdict
    reason: str
    error_name: str = ""
    error: str = ""
    proposal: Proposal | None = None
    refused: tuple[Refusal, ...] = ()


@term
class Evidence:
    """What a step left to look at. Digests name blobs; empty where there is none."""

    url: str = ""
    screenshot: str = ""
    snapshot: str = ""
    dialogs: tuple[DialogSeen, ...] = ()


@term
class Candidate:
    """An element that was looked at for a step that failed, and why it was not taken."""

    by: Path
    """Who looked: ``repaired`` (a repair), ``procedure`` or ``intent``."""
    wanted: str
    """What for: the source of the locator that failed, or the sentence."""
    refused: Refusal


@term
class FallbackReport:
    """What a fallback cell did. ``happened`` are the moves made in it, in order."""

    step: str
    happened: tuple[Happened, ...]
    guided: tuple[GuidedReport, ...]
    reason: str


@term
class StepResult:
    """A step of a run. ``step`` is ``outer/inner`` for steps of a called workflow."""

    step: str
    workflow: str
    outcome: Outcome
    path: Path | None
    failure: FailureClass | None
    reason: str
    seconds: float
    tokens: int
    gates: tuple[GateResult, ...]
    happened: tuple[Happened, ...]
    evidence: Evidence = Evidence()
    patched: tuple[str, ...] = ()
    """Locators that were not the version's own but repairs on trial."""
    use: ModelUse = ModelUse()


@term
class RunResult:
    """A finished run. Paths are as the command was given them, relative to where it ran."""

    run_id: str
    workflow: str
    version: int
    version_id: str
    outcome: Outcome
    exit_status: int
    reason: str
    seconds: float
    steps: tuple[StepResult, ...]
    notebook: str
    trace: str
    failure_bundle: str = ""
    """One file that holds or names all there is to look at; empty for a run that passed."""
    notes: tuple[str, ...] = ()
    """What was amiss beside the run itself."""

"""Act from the intent alone: the model plans, the page and the gates decide."""

from __future__ import annotations

from skillnb.terms.outcome import Path, Verdict
from skillnb.terms.record import GuidedReport

__all__ = ["unasked"]


def unasked(intent: str, *, allowed: bool) -> GuidedReport:
    """Without a model an intent can't be acted on, and says so: nothing is done to the page."""
    why = "no model is configured" if allowed else "models are switched off for this run (--no-model)"
    return GuidedReport(
        way=Path.INTENT,
        verdict=Verdict.UNKNOWN,
        reason=f"{why}; acting from the intent alone ({intent!r}) needs one",
    )

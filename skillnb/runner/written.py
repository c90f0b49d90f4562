"""A finished step written down: in the executed copy, in the trace, for whoever listens."""

from __future__ import annotations

from skillnb.rules.bundles import repair_bundle, step_bundle
from skillnb.rules.outcome import HEALED
from skillnb.runner.means import Means
from skillnb.terms import term
from skillnb.terms.outcome import CellStatus, Outcome, Path, Verdict
from skillnb.terms.record import RepairReport, StepResult
from skillnb.terms.trace import RepairTried, StepFinished
from skillnb.terms.workflow import Step

__all__ = ["Mended", "StepWriter", "traced"]


@term
class Mended:
    """A repair as it was tried: ``failed`` is the cell that it was for, ``cell`` the one that it stands in."""

    failed: str
    cell: str
    report: RepairReport


def traced(result: StepResult) -> StepFinished:
    return StepFinished(
        step=result.step,
        workflow=result.workflow,
        outcome=result.outcome,
        path=result.path,
        failure=result.failure,
        reason=result.reason,
        seconds=result.seconds,
        tokens=result.tokens,
        evidence=result.evidence,
    )


def _not_called_for(result: StepResult) -> str:
    if result.path in HEALED:
        return f"not run: the step was done by {result.path}, and its gates were asked again there"
    return f"not called for: {result.outcome}" + (f" by {result.path}" if result.path else "")


class StepWriter:
    def __init__(self, step: Step, means: Means) -> None:
        self._step, self._copy, self._trace, self._behind = step, means.copy, means.trace, means.behind
        self._mask, self._listener = means.mask, means.listener

    def write(self, result: StepResult, touched: tuple[str, ...], mended: Mended | None) -> None:
        if mended is not None:
            self._write_repair(mended, result)
        if result.outcome in {Outcome.PASSED, Outcome.UNVERIFIED}:
            self._copy.soften_errors(tuple(dict.fromkeys(touched)))
        self._mark_skipped(result, touched)
        step = self._step
        last = step.fallback or (step.post or step.code or step.pre or (None,))[-1]
        if last is not None:
            self._copy.add(self._copy.cell(last), step_bundle(result))
        self._trace.write(traced(result))
        self._behind.do(self._trace.flush)
        self._copy.save()
        self._listener.step_finished(result)

    def _write_repair(self, mended: Mended, result: StepResult) -> None:
        report = mended.report
        proven = result.path is Path.REPAIRED and result.outcome is Outcome.PASSED
        if report.proposal is None:
            status, told = "abstained", report
        else:
            status = "accepted" if proven else "rejected"
            told = RepairReport(
                verdict=Verdict.PASSED if proven else Verdict.FAILED,
                reason="proven by the post gates" if proven else f"not proven, so not kept: {result.reason}",
                error_name=report.error_name,
                error=report.error,
                proposal=report.proposal,
            )
        self._copy.add(self._copy.cell(mended.cell), repair_bundle(self._mask.term(told)), first=True)
        if proven:
            self._copy.note(self._copy.cell(mended.failed), status=CellStatus.REPAIRED)
        self._trace.write(
            RepairTried(
                step=self._step.name,
                status=status,
                reason=told.reason,
                proposal=report.proposal,
                refused=report.refused,
            )
        )

    def _mark_skipped(self, result: StepResult, touched: tuple[str, ...]) -> None:
        """Cells that the cascade had no need of say so, instead of seeming forgotten."""
        step = self._step
        reason = result.reason if result.path is Path.SKIPPED else _not_called_for(result)
        for identifier in (*step.pre, *step.code, *step.post, *((step.fallback,) if step.fallback else ())):
            if identifier not in touched:
                self._copy.note(self._copy.cell(identifier), status=CellStatus.SKIPPED, reason=reason)

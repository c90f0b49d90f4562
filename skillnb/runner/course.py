"""The course of a run: cells and steps in the notebook's order, from the first step or where another stopped."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

from skillnb.codec import decode
from skillnb.kernel.protocol import CellReport, KernelLost
from skillnb.rules.address import rebased
from skillnb.rules.failure import classify
from skillnb.rules.outcome import run_outcome
from skillnb.rules.resuming import checkpoint_address, not_there
from skillnb.runner.cells import status_of
from skillnb.runner.means import Means
from skillnb.runner.plan import Resume
from skillnb.runner.step import StepRun
from skillnb.runner.told import along
from skillnb.runner.written import traced
from skillnb.terms.memory import Gathered
from skillnb.terms.outcome import CellStatus, FailureClass, Outcome, Path
from skillnb.terms.record import Candidate, Evidence, StepResult
from skillnb.terms.trace import PageOpened, Pictured
from skillnb.terms.workflow import Role, Step

__all__ = ["Course"]

_OPEN_SECONDS = 60.0
_ASK_SECONDS = 40.0
_PICTURE_SECONDS = 20.0
_READY_SECONDS = 1.0
_PICTURES_AT_ONCE = 5

_Ended = tuple[Outcome, str]


class Course:
    """``results`` grow as steps end; ``place`` says in words where the run is."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._plan, self._kernel, self._copy, self._trace, self._behind = means[:5]
        self._blobs, self._mask, self._listener = means.blobs, means.mask, means.listener
        self._pictured = 0
        self._now: StepRun | None = None
        self._ahead = ""
        """A step that has begun in the kernel already, and is not done yet."""
        self.results: list[StepResult] = []
        self.candidates: tuple[Candidate, ...] = ()
        self.gathered = Gathered()
        self.place = "before the first step"

    async def open(self) -> _Ended | None:
        """Run the cells before the first step; the outcome is given when they fail."""
        steps = self._plan.workflow.steps
        failed = await self._preamble(before=steps[0].name if steps else "")
        if failed:
            return failed
        try:
            seen = decode(Evidence, await self._kernel.ask("opened()", _ASK_SECONDS), "the opened page")
        except KernelLost as error:
            return Outcome.ABORTED, f"the kernel was lost: {error}"
        self._trace.write(PageOpened(evidence=seen))
        return None

    async def run(self) -> _Ended:
        """Every step up to the first that ends the run, and what the run comes to."""
        steps = self._plan.workflow.steps
        first = 0
        if self._plan.resume is not None:
            found = await self._find_place(self._plan.resume)
            if isinstance(found, tuple):
                return found
            first = found
        for step in steps[first:]:
            ended = await self._preamble(before=step.name) or await self._run_step(step)
            if ended:
                return ended
        await self._collect_pictures()
        failed = await self._preamble(before="")
        if failed:
            return failed
        outcome = run_outcome(item.outcome for item in self.results)
        if outcome is Outcome.PASSED:
            await self._gather()
        unproven = next((item for item in self.results if item.outcome is outcome), None)
        told = f"step {unproven.step}: {unproven.reason}" if unproven and outcome is not Outcome.PASSED else ""
        return outcome, told

    async def _gather(self) -> None:
        try:
            self.gathered = decode(Gathered, await self._kernel.ask("gathered()", _ASK_SECONDS), "gathered")
        except KernelLost:
            return  # every step has passed; what it was done to is not remembered then

    def cut_off(self, outcome: Outcome, failure: FailureClass, reason: str) -> None:
        """The run ends in the midst of a step: the record says in which."""
        if self._now is not None:
            self.candidates = self._now.candidates
            self.results += [*self._now.nested, self._now.cut_off(outcome, failure, reason)]

    async def _run_step(self, step: Step) -> _Ended | None:
        self.place = f"in step {step.name}"
        run = StepRun(step, self._means, begun=self._ahead == step.name)
        self._now = run
        result = await run.run()
        self._now, self.candidates, self._ahead = None, run.candidates, run.ahead
        self.results += [*run.nested, result]
        self._pictured += 1
        if result.outcome is not Outcome.PASSED or self._pictured >= _PICTURES_AT_ONCE:
            await self._collect_pictures()
        if result.outcome is not Outcome.PASSED and not _merely_ungated(result):
            return run_outcome(item.outcome for item in self.results), f"step {result.step}: {result.reason}"
        return None

    # where an interrupted run goes on

    async def _find_place(self, resume: Resume) -> int | _Ended:
        """The step to go on with, once the page is shown to be where that step can begin."""
        if len(resume.done) == len(self._plan.workflow.steps):
            self._spare(resume.done, resume.run_id)
            return len(resume.done)
        try:
            if resume.survived:
                return await self._stand_again(resume)
            return await self._come_back(resume)
        except KernelLost as error:
            return Outcome.ABORTED, f"the kernel was lost: {error}"

    async def _stand_again(self, resume: Resume) -> int | _Ended:
        """The page survived: it must still show the last confirmed step, or that the next one can begin or is done."""
        steps, following = self._plan.workflow.steps, len(resume.done)
        last, rest = steps[:following][-1:], steps[following:][:1]
        held = [await self._asked(f"probe({step.name!r}, begin=True, past=True)", "held") for step in (*last, *rest)]
        ready = [await self._asked(f"ready({step.name!r}, {_READY_SECONDS})", "ready") for step in rest]
        if not last or any(held) or any(ready):
            self._spare(resume.done, resume.run_id)
            return following
        return Outcome.FAILED, (
            f"the page is no longer where run {resume.run_id} left it: neither do the post gates of step "
            f"{last[0].name} hold nor can the next step begin; nothing was done"
        )

    async def _come_back(self, resume: Resume) -> int | _Ended:
        """The browser is new: repeat no more of the harmless first steps than it takes to stand at the checkpoint."""
        way = resume.restart
        if not way.address:
            return 0
        steps = self._plan.workflow.steps
        recorded = urljoin(self._plan.workflow.start_url, checkpoint_address(way.address, self._plan.values))
        address = rebased(recorded, self._plan.base_url)
        why = ""
        for lead in range(way.lead + 1):
            self._ahead = ""
            went = json.loads(await self._kernel.ask(f"goto({address!r})", _ASK_SECONDS))
            trouble = went["trouble"] or not_there(address, went["url"])
            following = steps[way.following :][:1]
            if not following and not trouble:
                self._spare(resume.done, resume.run_id)
                return way.following
            answer = await self._ready(following) if not trouble else {"ready": False, "why": ""}
            if answer["ready"]:
                self._spare(tuple(step.name for step in steps[: way.following]), resume.run_id)
                return way.following
            why = trouble or str(answer["why"])
            if lead < way.lead:
                await self._kernel.ask(f"goto({self._plan.start_url!r})", _ASK_SECONDS)
                ended = await self._run_step(steps[lead])
                if ended:
                    return ended
        return Outcome.FAILED, self._mask.text(f"from the checkpoint {address} the run can't go on: {why}")

    async def _ready(self, following: tuple[Step, ...]) -> dict[str, Any]:
        question = f"ready({following[0].name!r}, {_READY_SECONDS})"
        answer: dict[str, Any] = json.loads(await self._kernel.ask(question, _ASK_SECONDS))
        return answer

    async def _asked(self, question: str, key: str) -> bool:
        return bool(json.loads(await self._kernel.ask(question, _ASK_SECONDS))[key])

    def _spare(self, names: tuple[str, ...], run_id: str) -> None:
        """Steps confirmed by the run before are not done again; the record says so."""
        again = {item.step for item in self.results}
        for name in names:
            step = self._plan.workflow.step(name)
            result = StepResult(
                step=name,
                workflow=self._plan.workflow.name,
                outcome=Outcome.PASSED if step.post_gates else Outcome.UNVERIFIED,
                path=Path.SKIPPED,
                failure=None,
                reason=f"done in run {run_id}",
                seconds=0.0,
                tokens=0,
                gates=(),
                happened=(),
            )
            for identifier in (*step.pre, *step.code, *step.post, *((step.fallback,) if step.fallback else ())):
                if name not in again:
                    self._copy.note(self._copy.cell(identifier), status=CellStatus.SKIPPED, reason=result.reason)
            if name not in again:
                self.results.append(result)
                self._trace.write(traced(result))
                self._listener.step_finished(result)
        self._trace.flush()

    async def _preamble(self, before: str) -> tuple[Outcome, str] | None:
        """Execute the cells that belong to no step and stand before step ``before`` (at the end: all that are left)."""
        for index, cell in enumerate(self._copy.nb["cells"]):
            own = cell["metadata"].get("skillnb", {})
            if before and own.get("step") == before:
                return None
            run = own.get("run", {})
            if cell["cell_type"] != "code" or own.get("step") or run.get("status") != CellStatus.NOT_RUN:
                continue
            failed = await self._run_plain(index, cell)
            if failed:
                return failed
        return None

    async def _run_plain(self, index: int, cell: Any) -> tuple[Outcome, str] | None:
        self._listener.cell_started(index, cell)
        try:
            self._ahead = ""
            await self._behind.done()
            report = await self._kernel.run(index, _OPEN_SECONDS)
            self._copy.learn(along(report.told).learnt)
        except KernelLost as error:
            report = CellReport("KernelLost", str(error), False, 0.0)
        finally:
            self._copy.hide(cell)
        status = status_of(report)
        self._copy.ran(cell, status, report.seconds)
        self._listener.cell_finished(index, cell, status is not CellStatus.PASSED)
        if status is CellStatus.PASSED:
            return None
        failure = FailureClass.TIMEOUT if report.timed_out else classify(report.error_name, report.error)
        first = report.error.splitlines()[0] if report.error else "no message"
        reason = f"cell {cell.get('id')} [{failure}]: {report.error_name}: {first}"
        opening = cell["metadata"].get("skillnb", {}).get("role") == Role.OPEN
        infrastructure = (
            failure in {FailureClass.INFRASTRUCTURE, FailureClass.NETWORK} or report.error_name == "KernelLost"
        )
        return (Outcome.ABORTED if infrastructure or opening else Outcome.FAILED), self._mask.text(reason)

    async def _collect_pictures(self) -> None:
        """Pictures are drawn while the run goes on, and fetched a few at a time."""
        self._pictured = 0
        try:
            told = json.loads(await self._kernel.ask("pictures()", _PICTURE_SECONDS))
        except KernelLost:
            return  # what can still be seen from outside is taken when the run ends
        for picture in told:
            step, screenshot = picture["step"], picture["screenshot"]
            self._trace.write(Pictured(step=step, screenshot=screenshot))
            self._copy.picture(step, picture["thumbnail"], self._blobs.path(screenshot))
            self.results = [
                replace(item, evidence=replace(item.evidence, screenshot=screenshot)) if item.step == step else item
                for item in self.results
            ]


def _merely_ungated(result: StepResult) -> bool:
    """Unverified because there was nothing to ask, not because an answer was wanting: the run may go on."""
    return result.outcome is Outcome.UNVERIFIED and result.failure is None

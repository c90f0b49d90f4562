"""One step of a run: each move of its cascade carried out through cells of the executed copy."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from skillnb.codec import canonical, decode
from skillnb.kernel.protocol import CellReport, KernelLost
from skillnb.rules.cascade import begin, begin_uncertain, walk
from skillnb.rules.failure import classify
from skillnb.rules.gatecells import asked_now, completed, raised
from skillnb.rules.outcome import already_done, joined
from skillnb.rules.patches import patched_step
from skillnb.rules.spending import used_by
from skillnb.rules.ways import pictured, ways_of
from skillnb.runner.cells import CellRunner
from skillnb.runner.means import Means
from skillnb.runner.told import Told, told
from skillnb.runner.written import Mended, StepWriter, traced
from skillnb.terms.cascade import Happened, Move, Position, Ways
from skillnb.terms.gate import GateResult, Moment
from skillnb.terms.outcome import CellStatus, FailureClass, Outcome, Path, Verdict
from skillnb.terms.record import Candidate, Evidence, GuidedReport, RepairReport, StepResult
from skillnb.terms.trace import GateAsked, Guided, StepStarted
from skillnb.terms.workflow import Role, Step

__all__ = ["StepRun"]

_LOOKING = frozenset({Move.PROBE, Move.PRE, Move.POST})
_ASK_SECONDS = 20.0
_FALLBACK_SECONDS = 180.0


class StepRun:
    """Runs one step; afterwards ``result`` and ``nested`` (steps of called workflows) say what became of it."""

    def __init__(self, step: Step, means: Means, *, begun: bool = False) -> None:
        """``begun``: the kernel's side has begun the step already, and seen that it is not done yet."""
        self._seen_undone = begun
        plan, kernel, copy, trace, self._behind, _, mask, listener, clock = means
        self.step, self._plan, self._kernel, self._copy = step, plan, kernel, copy
        self._trace, self._mask, self._clock = trace, mask, clock
        calls = any(item.secret for _, workflow in plan.callees for item in workflow.parameters)
        self._cells = CellRunner(step.name, kernel, copy, trace, listener, calls=calls)
        self._writer = StepWriter(step, means)
        self._gates: list[GateResult] = []
        self._guided: list[GuidedReport] = []
        self._mended: Mended | None = None
        self._failed_cell = ""
        self._past = False
        self._begun = clock()
        self.nested: list[StepResult] = []

    async def run(self) -> StepResult:
        begun = self._begun = self._clock()
        self._trace.write(StepStarted(step=self.step.name, intent=self.step.intent))
        ways = ways_of(self.step, repair=self._plan.repair)
        end, log = await walk(ways, await self._begun_at(ways), self._make)
        end = self._with_nested(end)
        last = self.step is self._plan.workflow.steps[-1]
        picture = pictured(self._plan.screenshots, self.step, end.outcome, end.path, last)
        evidence = await self._evidence(picture, end)
        told = StepResult(
            step=self.step.name,
            workflow=self._plan.workflow.name,
            outcome=end.outcome or Outcome.FAILED,
            path=end.path,
            failure=end.failure,
            reason=end.reason,
            seconds=round(self._clock() - begun, 4),
            tokens=sum(report.tokens for report in self._guided),
            use=used_by(self._guided),
            gates=tuple(self._gates),
            happened=log,
            evidence=evidence,
            patched=patched_step(self._plan.memories, self._plan.workflow.name, self.step.name),
        )
        result: StepResult = self._mask.term(told)
        self._writer.write(result, tuple(self._cells.touched), self._mended)
        return result

    def cut_off(self, outcome: Outcome, failure: FailureClass, reason: str) -> StepResult:
        """The run ends in the midst of this step, and nobody can be asked any more."""
        told = StepResult(
            step=self.step.name,
            workflow=self._plan.workflow.name,
            outcome=outcome,
            path=Path.CODE if set(self.step.code) & set(self._cells.touched) else None,
            failure=failure,
            reason=reason,
            seconds=round(self._clock() - self._begun, 4),
            tokens=sum(report.tokens for report in self._guided),
            use=used_by(self._guided),
            gates=tuple(self._gates),
            happened=(),
        )
        result: StepResult = self._mask.term(told)
        self._writer.write(result, tuple(self._cells.touched), None)
        return result

    @property
    def ahead(self) -> str:
        """The step after this one, where it has begun already."""
        return self._cells.along.begun

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Elements that were looked at in vain."""
        report = self._mended.report if self._mended else None
        by_repair = [*report.refused, *(report.proposal.refused if report.proposal else ())] if report else []
        wanted = self._copy.cell(self._failed_cell)["source"] if self._failed_cell else ""
        found = (
            *(Candidate(by=Path.REPAIRED, wanted=wanted, refused=item) for item in by_repair),
            *(
                Candidate(by=guided.way, wanted=attempt.sentence, refused=item)
                for guided in self._guided
                for attempt in guided.attempts
                for item in attempt.refused
            ),
        )
        return tuple(self._mask.term(item) for item in found)

    async def _begun_at(self, ways: Ways) -> Position:
        try:
            return await self._begin(ways)
        except KernelLost as error:
            lost, why = FailureClass.INFRASTRUCTURE, f"the kernel was lost: {error}"
            return Position(move=Move.STOP, outcome=Outcome.ABORTED, failure=lost, reason=why)

    async def _begin(self, ways: Ways) -> Position:
        resume, name = self._plan.resume, self.step.name
        if not ways.post and not self._seen_undone:  # no gate will be asked first, which begins a step as well
            await self._kernel.ask(f"probe({name!r}, begin=True)", _ASK_SECONDS)
        if resume is None or not any(item == name or item.startswith(f"{name}/") for item in resume.dispatched):
            return begin(ways)
        self._past = True
        await self._kernel.ask(f"probe({name!r}, begin=True, past=True)", _ASK_SECONDS)
        return begin_uncertain(ways, f"its request may have been sent in run {resume.run_id}")

    def _with_nested(self, end: Position) -> Position:
        """Steps of a called workflow that could not be proven leave their caller unproven too."""
        unproven = next((item for item in self.nested if item.outcome is Outcome.UNVERIFIED), None)
        if unproven is None or end.outcome is not Outcome.PASSED:
            return end
        return Position(
            move=end.move,
            path=end.path,
            outcome=Outcome.UNVERIFIED,
            failure=end.failure,
            reason=f"called step {unproven.step}: {unproven.reason}",
        )

    # moves

    async def _make(self, at: Position) -> tuple[Happened, ...]:
        if at.move not in _LOOKING:
            await self._behind.done()
        try:
            match at.move:
                case Move.PROBE:
                    return (await self._probe(at),)
                case Move.PRE:
                    return (await self._ask_gates(at.move, self.step.pre, Moment.PRE),)
                case Move.POST:
                    return (await self._ask_gates(at.move, self.step.post, Moment.POST),)
                case Move.CODE:
                    return (await self._code(),)
                case Move.REPAIR:
                    return (await self._mend(),)
                case _:
                    return await self._fall_back(at.move)
        except KernelLost as error:
            return (
                Happened(
                    move=at.move,
                    verdict=Verdict.FAILED,
                    failure=FailureClass.INFRASTRUCTURE,
                    reason=f"the kernel was lost: {error}",
                ),
            )

    async def _probe(self, at: Position) -> Happened:
        begun = self._clock()
        if self._seen_undone and at.path is None:
            return self._happened(at.move, Verdict.FAILED, begun)
        answer = json.loads(await self._kernel.ask(f"probe({self.step.name!r}, begin={at.path is None})", _ASK_SECONDS))
        results = decode(tuple[GateResult, ...], canonical(answer["results"]), f"step {self.step.name}")
        held = bool(answer["held"]) and already_done(result for result in results if result.moment is Moment.PROBE)
        if held:
            self._keep(result for result in results if result.moment is Moment.PROBE)
        if held or at.path is None:
            return self._happened(at.move, Verdict.PASSED if held else Verdict.FAILED, begun)
        return self._happened(at.move, Verdict.FAILED, begun, page=await self._told(""))  # a request may leave late

    async def _ask_gates(self, move: Move, cells: tuple[str, ...], moment: Moment) -> Happened:
        begun = self._clock()
        parsed = self.step.pre_gates if moment is Moment.PRE else self.step.post_gates
        results: list[GateResult] = []
        for cell in cells:
            report = await self._cells.run(cell, self.step.settings.timeout)
            found = [result for result in self._copy.gate_results(self._copy.cell(cell)) if result.moment is moment]
            results += found
            if report.error_name:
                if not found or found[-1].verdict is Verdict.PASSED:
                    results.append(raised(parsed, moment, report.error_name, report.error))
                break
        else:
            results += completed(parsed, results, moment)
        self._keep(results)
        if self._past:
            results = list(asked_now(results))
        verdict = joined(result.verdict for result in results)
        if verdict is Verdict.PASSED:
            return self._happened(move, verdict, begun)
        bad = next(result for result in results if result.verdict is not Verdict.PASSED)
        reason = f"{moment} gate {bad.gate.expression} {bad.verdict}: expected {bad.expected}, saw {bad.actual}"
        failure = FailureClass.INFRASTRUCTURE if "PageLost" in bad.actual else FailureClass.GATE
        return await self._fell(move, verdict, begun, failure, reason)

    async def _code(self) -> Happened:
        begun = self._clock()
        for cell in self.step.code:
            report = await self._cells.run(cell, self.step.settings.timeout)
            results = self._copy.step_results(self._copy.cell(cell))
            self.nested += results
            for item in results:
                self._trace.write(traced(item))
            if report.error_name or report.timed_out:
                self._failed_cell = cell
                return await self._failed(Move.CODE, report, begun)
        return self._happened(Move.CODE, Verdict.PASSED, begun)

    async def _failed(self, move: Move, report: CellReport, begun: float) -> Happened:
        failure = FailureClass.TIMEOUT if report.timed_out else classify(report.error_name, report.error)
        if report.error_name == "StepFailed" and self.nested and self.nested[-1].failure:
            failure = self.nested[-1].failure
        reason = f"{report.error_name or 'timeout'}: {report.error.splitlines()[0] if report.error else ''}"
        if report.timed_out:
            reason = f"the cell was stopped after its {self.step.settings.timeout:g} s: {reason}"
        happened = await self._fell(move, Verdict.FAILED, begun, failure, reason)
        return replace(happened, barred=happened.barred or report.error_name == "EffectUncertain")

    async def _mend(self) -> Happened:
        begun = self._clock()
        asked = await self._kernel.ask(f"propose({self._failed_cell!r})", _ASK_SECONDS)
        report = decode(RepairReport, asked, f"step {self.step.name}")
        proposal = report.proposal
        if proposal is None:
            source = f"# repair: {report.reason}"
        else:
            source = f"# repair of {self._failed_cell}: {proposal.old} -> {proposal.new}\n{proposal.source}"
        cell = self._copy.insert_after(self._failed_cell, Role.REPAIR, self.step.name, source)
        self._mended = Mended(failed=self._failed_cell, cell=cell, report=report)
        if proposal is None:
            self._copy.note(self._copy.cell(cell), status=CellStatus.SKIPPED, reason=report.reason)
            return self._happened(Move.REPAIR, Verdict.UNKNOWN, begun, report.reason, await self._told(""))
        ran = await self._cells.run(cell, self.step.settings.timeout)
        if ran.error_name or ran.timed_out:
            return await self._failed(Move.REPAIR, ran, begun)
        return self._happened(Move.REPAIR, Verdict.PASSED, begun)

    async def _fall_back(self, move: Move) -> tuple[Happened, ...]:
        begun, plan = self._clock(), self._plan
        cell = self.step.fallback
        if cell is None:
            last = (self.step.post or self.step.code or self.step.pre)[-1]
            source = f'await fallback("{self.step.name}")'
            cell = self._copy.insert_after(last, Role.FALLBACK, self.step.name, source)
        report = await self._cells.run(cell, _FALLBACK_SECONDS + (plan.limits.seconds if plan.model else 0.0))
        done = self._copy.fallback_report(self._copy.cell(cell))
        if done is None:
            failed = await self._failed(move, report, begun)
            return (failed, *_nothing_more(move, failed))
        self._guided += done.guided
        for guided in done.guided:
            self._trace.write(Guided(step=self.step.name, report=guided))
        self._keep(self._copy.gate_results(self._copy.cell(cell)))
        if not done.happened:
            held = self._happened(move, Verdict.PASSED, begun, done.reason)
            return (held, self._happened(Move.POST, Verdict.PASSED, begun)) if self.step.post_gates else (held,)
        return done.happened

    def _keep(self, results: Any) -> None:
        for result in results:
            self._gates.append(result)
            self._trace.write(GateAsked(step=self.step.name, result=result))

    async def _fell(self, move: Move, verdict: Verdict, begun: float, failure: FailureClass, reason: str) -> Happened:
        """A move that did not succeed, with what the page tells of why."""
        page = await self._told(failure)
        reason = f"{reason}; {page.sign}" if page.sign else reason
        return self._happened(move, verdict, begun, reason, page)

    async def _told(self, failure: str) -> Told:
        if self.ahead:  # the kernel took the step for proven and went on: of this one it can't be asked any more
            return Told(dispatched=True, failure=FailureClass(failure) if failure else None)
        try:
            return told(await self._kernel.ask(f"state({str(failure)!r})", _ASK_SECONDS))
        except KernelLost:
            # not known, and then nothing may be repeated
            return Told(dispatched=True, failure=FailureClass(failure) if failure else None)

    def _happened(
        self,
        move: Move,
        verdict: Verdict,
        begun: float,
        reason: str = "",
        page: Told | None = None,
    ) -> Happened:
        page = page or Told()
        return Happened(
            move=move,
            verdict=verdict,
            failure=page.failure,
            reason=self._mask.text(reason),
            dispatched=page.dispatched,
            seconds=round(self._clock() - begun, 4),
            barred=page.barred,
        )

    async def _evidence(self, picture: bool, end: Position) -> Evidence:
        if end.outcome is Outcome.ABORTED:
            return Evidence()
        try:
            if self._cells.along.ended is not None:
                if picture:
                    await self._kernel.ask(f"picture({self.step.name!r})", _ASK_SECONDS)
                return self._cells.along.ended
            answer = await self._kernel.ask(f"finish({self.step.name!r}, {picture!r})", _ASK_SECONDS)
        except KernelLost:
            return Evidence()
        return decode(Evidence, answer, "evidence")


def _nothing_more(move: Move, failed: Happened) -> tuple[Happened, ...]:
    """A fallback cell that reported nothing has had its intent's turn as well."""
    if move is Move.PROCEDURE and not failed.dispatched:
        return (
            Happened(
                move=Move.INTENT, verdict=Verdict.UNKNOWN, failure=failed.failure, reason="the fallback cell failed"
            ),
        )
    return ()

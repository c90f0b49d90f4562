"""One step of a run: each move of its cascade carried out through cells of the executed copy."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from skillnb.codec import decode, digest
from skillnb.kernel.protocol import CellReport, Kernel, KernelLost
from skillnb.rules.bundles import repair_bundle, step_bundle
from skillnb.rules.cascade import begin, walk
from skillnb.rules.failure import classify
from skillnb.rules.outcome import already_done, joined
from skillnb.runner.copybook import Copybook
from skillnb.runner.plan import Plan
from skillnb.runner.protocol import Listener, Mask
from skillnb.store.protocol import Blobs, Trace
from skillnb.terms.cascade import Happened, Move, Position, Ways
from skillnb.terms.gate import GateKind, GateResult, Moment
from skillnb.terms.outcome import CellStatus, FailureClass, Outcome, Path, Verdict
from skillnb.terms.record import Evidence, GuidedReport, RepairReport, StepResult
from skillnb.terms.trace import CellRan, GateAsked, Guided, RepairTried, StepFinished, StepStarted
from skillnb.terms.workflow import Effect, Role, Step

__all__ = ["StepRun"]

_ASK_SECONDS = 20.0
_FALLBACK_SECONDS = 180.0


class StepRun:
    """Runs one step; afterwards ``result`` and ``nested`` (steps of called workflows) say what became of it."""

    def __init__(
        self,
        step: Step,
        plan: Plan,
        kernel: Kernel,
        copy: Copybook,
        trace: Trace,
        blobs: Blobs,
        mask: Mask,
        listener: Listener,
        clock: Callable[[], float],
    ) -> None:
        self.step, self._plan, self._kernel, self._copy, self._trace = step, plan, kernel, copy, trace
        self._blobs, self._mask, self._listener, self._clock = blobs, mask, listener, clock
        self._touched: list[str] = []
        self._gates: list[GateResult] = []
        self._guided: list[GuidedReport] = []
        self._repair: RepairReport | None = None
        self._failed_cell = ""
        self.nested: list[StepResult] = []

    def ways(self) -> Ways:
        step = self.step
        return Ways(
            pre=bool(step.pre_gates),
            code=bool(step.code) and step.settings.formalized,
            post=bool(step.post_gates),
            procedure=bool(step.procedure),
            intent=True,
            repair=self._plan.repair,
            once=step.settings.effect is Effect.ONCE,
            optional=step.settings.optional,
        )

    async def run(self) -> StepResult:
        begun = self._clock()
        self._trace.write(StepStarted(step=self.step.name, intent=self.step.intent))
        ways = self.ways()
        end, log = await walk(ways, begin(ways), self._make)
        end = self._with_nested(end)
        picture = self._plan.screenshots == "steps" or (
            self._plan.screenshots == "failures" and end.outcome is not Outcome.PASSED
        )
        evidence = await self._evidence(picture, end)
        result = StepResult(
            step=self.step.name,
            workflow=self._plan.workflow.name,
            outcome=end.outcome or Outcome.FAILED,
            path=end.path,
            failure=end.failure,
            reason=self._mask.text(end.reason),
            seconds=round(self._clock() - begun, 4),
            tokens=sum(report.tokens for report in self._guided),
            gates=tuple(self._gates),
            happened=log,
            evidence=evidence,
        )
        self._record(result)
        return result

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
        answer = json.loads(await self._kernel.ask(f"probe({self.step.name!r}, begin={at.path is None})", _ASK_SECONDS))
        results = decode(tuple[GateResult, ...], json.dumps(answer["results"]), f"step {self.step.name}")
        held = bool(answer["held"]) and already_done(result for result in results if result.moment is Moment.PROBE)
        if held:
            self._keep(result for result in results if result.moment is Moment.PROBE)
        return self._happened(at.move, Verdict.PASSED if held else Verdict.FAILED, begun)

    async def _ask_gates(self, move: Move, cells: tuple[str, ...], moment: Moment) -> Happened:
        begun = self._clock()
        parsed = self.step.pre_gates if moment is Moment.PRE else self.step.post_gates
        results: list[GateResult] = []
        for cell in cells:
            report = await self._run_cell(cell)
            found = [result for result in self._copy.gate_results(self._copy.cell(cell)) if result.moment is moment]
            results += found
            if report.error_name:
                if not found or found[-1].verdict is Verdict.PASSED:
                    results.append(_raised(parsed, moment, report))
                break
        else:
            results += _answered(parsed, results, moment)
        self._keep(results)
        verdict = joined(result.verdict for result in results)
        if verdict is Verdict.PASSED:
            return self._happened(move, verdict, begun)
        bad = next(result for result in results if result.verdict is not Verdict.PASSED)
        reason = f"{moment} gate {bad.gate.expression} {bad.verdict}: expected {bad.expected}, saw {bad.actual}"
        failure = FailureClass.INFRASTRUCTURE if "PageLost" in bad.actual else FailureClass.GATE
        return self._happened(move, verdict, begun, failure, reason, await self._dispatched())

    async def _code(self) -> Happened:
        begun = self._clock()
        for cell in self.step.code:
            report = await self._run_cell(cell)
            results = self._copy.step_results(self._copy.cell(cell))
            self.nested += results
            for item in results:
                self._trace_step(item)
            if report.error_name or report.timed_out:
                self._failed_cell = cell
                return await self._failed(Move.CODE, report, begun)
        return self._happened(Move.CODE, Verdict.PASSED, begun)

    async def _failed(self, move: Move, report: CellReport, begun: float) -> Happened:
        failure = FailureClass.TIMEOUT if report.timed_out else classify(report.error_name, report.error)
        reason = f"{report.error_name or 'timeout'}: {report.error.splitlines()[0] if report.error else ''}"
        if report.timed_out:
            reason = f"the cell was stopped after its {self.step.settings.timeout:g} s: {reason}"
        return self._happened(move, Verdict.FAILED, begun, failure, reason, await self._dispatched())

    async def _mend(self) -> Happened:
        begun = self._clock()
        call = f"propose({self.step.name!r}, {self._failed_cell!r})"
        report = decode(RepairReport, await self._kernel.ask(call, _ASK_SECONDS), f"step {self.step.name}")
        self._repair = report
        if report.proposal is None:
            cell = self._copy.insert_after(self._failed_cell, Role.REPAIR, self.step.name, f"# repair: {report.reason}")
            self._copy.add(self._copy.cell(cell), self._mask.json(repair_bundle(report)))
            self._copy.note(self._copy.cell(cell), status=CellStatus.SKIPPED, reason=report.reason)
            return self._happened(Move.REPAIR, Verdict.UNKNOWN, begun, None, report.reason, await self._dispatched())
        source = (
            f"# repair of {self._failed_cell}: {report.proposal.old} -> {report.proposal.new}\n{report.proposal.source}"
        )
        cell = self._copy.insert_after(self._failed_cell, Role.REPAIR, self.step.name, source)
        ran = await self._run_cell(cell)
        if ran.error_name or ran.timed_out:
            return await self._failed(Move.REPAIR, ran, begun)
        return self._happened(Move.REPAIR, Verdict.PASSED, begun)

    async def _fall_back(self, move: Move) -> tuple[Happened, ...]:
        begun = self._clock()
        cell = self.step.fallback
        if cell is None:
            last = (self.step.post or self.step.code or self.step.pre)[-1]
            source = f'await fallback("{self.step.name}")'
            cell = self._copy.insert_after(last, Role.FALLBACK, self.step.name, source)
        report = await self._run_cell(cell, _FALLBACK_SECONDS)
        done = self._copy.fallback_report(self._copy.cell(cell))
        if done is None:
            failed = await self._failed(move, report, begun)
            return (failed, *_nothing_more(move, failed))
        self._guided += done.guided
        for guided in done.guided:
            self._trace.write(Guided(step=self.step.name, report=guided))
        self._keep(self._copy.gate_results(self._copy.cell(cell)))
        if not done.happened:
            held = self._happened(move, Verdict.PASSED, begun, None, done.reason)
            return (held, self._happened(Move.POST, Verdict.PASSED, begun)) if self.step.post_gates else (held,)
        return done.happened

    # cells

    async def _run_cell(self, identifier: str, seconds: float | None = None) -> CellReport:
        index = self._copy.index(identifier)
        cell = self._copy.nb["cells"][index]
        self._listener.cell_started(index, cell)
        self._touched.append(identifier)
        limit = self.step.settings.timeout if seconds is None else seconds
        try:
            report = await self._kernel.run(index, limit)
        except KernelLost as error:
            self._copy.ran(cell, CellStatus.FAILED, 0.0)
            self._copy.note(cell, reason=f"the kernel was lost: {error}")
            self._listener.cell_finished(index, cell, True)
            raise
        status = (
            CellStatus.TIMEOUT if report.timed_out else CellStatus.FAILED if report.error_name else CellStatus.PASSED
        )
        self._copy.ran(cell, status, report.seconds)
        self._trace.write(
            CellRan(
                step=self.step.name,
                cell=identifier,
                code=digest(cell["source"]),
                status=status,
                seconds=round(report.seconds, 4),
                error_name=report.error_name,
                error=report.error[:2000],
            )
        )
        self._listener.cell_finished(index, cell, status is not CellStatus.PASSED)
        return report

    def _keep(self, results: Any) -> None:
        for result in results:
            self._gates.append(result)
            self._trace.write(GateAsked(step=self.step.name, result=result))

    async def _dispatched(self) -> bool:
        try:
            return bool(json.loads(await self._kernel.ask("state()", _ASK_SECONDS))["dispatched"])
        except KernelLost:
            return True  # not known, and then nothing may be repeated

    def _happened(
        self,
        move: Move,
        verdict: Verdict,
        begun: float,
        failure: FailureClass | None = None,
        reason: str = "",
        dispatched: bool = False,
    ) -> Happened:
        return Happened(
            move=move,
            verdict=verdict,
            failure=failure,
            reason=self._mask.text(reason),
            dispatched=dispatched,
            seconds=round(self._clock() - begun, 4),
        )

    # the record

    async def _evidence(self, picture: bool, end: Position) -> Evidence:
        if end.outcome is Outcome.ABORTED:
            return Evidence()
        try:
            answer = await self._kernel.ask(f"finish({self.step.name!r}, {picture!r})", _ASK_SECONDS)
        except KernelLost:
            return Evidence()
        return decode(Evidence, answer, "evidence")

    def _record(self, result: StepResult) -> None:
        if self._repair is not None:
            self._record_repair(self._repair, result)
        healed = result.outcome in {Outcome.PASSED, Outcome.UNVERIFIED}
        if healed:
            self._copy.soften_errors(tuple(dict.fromkeys(self._touched)))
        self._skipped_cells(result)
        last = self.step.fallback or (self.step.post or self.step.code or self.step.pre or (None,))[-1]
        if last is not None:
            self._copy.add(self._copy.cell(last), self._mask.json(step_bundle(result)))
        self._trace_step(result)
        self._trace.flush()
        self._copy.save()
        self._listener.step_finished(result)

    def _record_repair(self, report: RepairReport, result: StepResult) -> None:
        proven = result.path is Path.REPAIRED and result.outcome is Outcome.PASSED
        if report.proposal is None:
            status = "abstained"
        else:
            status = "accepted" if proven else "rejected"
            cell = self._copy.cell(f"{self.step.name}-repair")
            verdict = Verdict.PASSED if proven else Verdict.FAILED
            reason = "proven by the post gates" if proven else f"not proven, so not kept: {result.reason}"
            told = RepairReport(
                verdict=verdict,
                reason=reason,
                error_name=report.error_name,
                error=report.error,
                proposal=report.proposal,
            )
            cell["outputs"].insert(0, self._copy.output(self._mask.json(repair_bundle(told))))
            if proven:
                self._copy.note(self._copy.cell(self._failed_cell), status=CellStatus.REPAIRED)
        self._trace.write(
            RepairTried(
                step=self.step.name,
                status=status,
                reason=report.reason,
                proposal=report.proposal,
                refused=report.refused,
            )
        )

    def _skipped_cells(self, result: StepResult) -> None:
        """Cells that the cascade had no need of say so, instead of seeming forgotten."""
        reason = result.reason if result.path is Path.SKIPPED else f"not called for: {result.outcome} by {result.path}"
        own = (*self.step.pre, *self.step.code, *self.step.post, *((self.step.fallback,) if self.step.fallback else ()))
        for identifier in own:
            if identifier not in self._touched:
                self._copy.note(self._copy.cell(identifier), status=CellStatus.SKIPPED, reason=reason)

    def _trace_step(self, result: StepResult) -> None:
        self._trace.write(
            StepFinished(
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
        )


def _raised(parsed: Any, moment: Moment, report: CellReport) -> GateResult:
    """A gate cell raised something that is no gate's answer: it has not held."""
    failed = report.error_name == "AssertionError"
    return GateResult(
        gate=_own_python(parsed),
        moment=moment,
        verdict=Verdict.FAILED if failed else Verdict.UNKNOWN,
        expected="no exception",
        actual=f"{report.error_name}: {report.error}",
        seconds=round(report.seconds, 4),
    )


def _answered(parsed: Any, results: list[GateResult], moment: Moment) -> list[GateResult]:
    """What a gate cell that raised nothing adds: its own Python has held; a gate that was never asked has not."""
    added = []
    if any(not gate.recheckable for gate in parsed):
        added.append(_custom(parsed, moment, Verdict.PASSED, "raised nothing"))
    asked = sum(gate.recheckable for gate in parsed)
    if len(results) < asked:
        added.append(_custom(parsed, moment, Verdict.UNKNOWN, f"only {len(results)} of {asked} gates were asked"))
    return added


def _custom(parsed: Any, moment: Moment, verdict: Verdict, actual: str) -> GateResult:
    gate = _own_python(parsed)
    return GateResult(gate=gate, moment=moment, verdict=verdict, expected="no exception", actual=actual, seconds=0.0)


def _own_python(parsed: Any) -> Any:
    custom = next((gate for gate in parsed if not gate.recheckable), None)
    if custom is not None:
        return custom
    first = parsed[0]
    return type(first)(kind=GateKind.CUSTOM, expression="(the gate cell)", arguments=(), line=first.line)


def _nothing_more(move: Move, failed: Happened) -> tuple[Happened, ...]:
    """A fallback cell that reported nothing has had its intent's turn as well."""
    if move is Move.PROCEDURE and not failed.dispatched:
        return (
            Happened(
                move=Move.INTENT, verdict=Verdict.UNKNOWN, failure=failed.failure, reason="the fallback cell failed"
            ),
        )
    return ()

"""The moves of a step made inside the kernel: for called workflows, fallback cells, and the runner's questions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from skillnb.agent.follow import follow
from skillnb.agent.frame import Frame
from skillnb.agent.intend import unasked
from skillnb.agent.mend import abstained, propose
from skillnb.agent.pursuit import Errand, Model, Pursued, pursue
from skillnb.agent.recall import Recall
from skillnb.browser.protocol import ActionFailed, Page, PageLost
from skillnb.errors import CellLeft, EffectUncertain, GateFailed
from skillnb.kernel.protocol import Shell
from skillnb.llm.protocol import Embedder
from skillnb.rules.failure import classify
from skillnb.rules.gatecells import asked_now, completed, raised
from skillnb.rules.outcome import already_done, joined
from skillnb.rules.signs import Explained, explained, logs_in
from skillnb.rules.spending import together, used_by
from skillnb.rules.turnanswer import Mandate
from skillnb.store.protocol import Repairs
from skillnb.terms.cascade import Happened, Move, Position
from skillnb.terms.gate import GateResult, Moment
from skillnb.terms.outcome import FailureClass, Path, Verdict
from skillnb.terms.record import GuidedReport, ModelUse, RepairReport
from skillnb.terms.workflow import Effect, Step

__all__ = ["Limits", "Moves"]

_REST_SECONDS = 3.0
_REST_POLL_SECONDS = 0.1
_PROBE_SECONDS = 2.0
"""A post cell may hold Python of its own that waits; as a probe it is not waited for."""


class Limits(NamedTuple):
    """What the run allows. ``gate_seconds`` is how long a gate waits that names no time-out of its own."""

    gate_seconds: float
    repair: bool
    model: bool


class _Came(NamedTuple):
    verdict: Verdict
    failure: FailureClass | None = None
    reason: str = ""
    barred: bool = False


class Moves:
    def __init__(
        self,
        page: Page,
        shell: Shell,
        limits: Limits,
        recall: Recall,
        clock: Callable[[], float],
        repairs: Repairs | None = None,
        model: Model | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self._page, self._shell, self._limits, self._recall, self._clock = page, shell, limits, recall, clock
        self._repairs = repairs
        self._model = model if limits.model else None
        self._embedder = embedder if limits.model else None

    async def make(self, frame: Frame, step: Step, at: Position, guided: list[GuidedReport]) -> Happened:
        """Make the move that ``at`` asks for; a guided one adds its report to ``guided``."""
        begun = self._clock()
        try:
            came = await self._carry_out(frame, step, at, guided)
        except PageLost as error:
            came = _Came(Verdict.FAILED, FailureClass.INFRASTRUCTURE, str(error))
        failure, sign = await self.explained(frame, step, came.failure)
        return Happened(
            move=at.move,
            verdict=came.verdict,
            failure=failure,
            reason=f"{came.reason}; {sign}" if sign else came.reason,
            dispatched=bool(self._page.dispatched(frame.since)),
            seconds=round(self._clock() - begun, 4),
            barred=came.barred or frame.spent,
        )

    async def explained(self, frame: Frame, step: Step, failure: FailureClass | None) -> Explained:
        """``failure`` as the page explains it, where it can still be asked."""
        if failure is None:
            return Explained(failure, "")
        try:
            awaited = await self._page.recover()
            if awaited and failure in {FailureClass.GATE, FailureClass.LOCATOR, FailureClass.TIMEOUT}:
                return Explained(FailureClass.TIMEOUT, f"the page was still waiting for {awaited}, and was stopped")
            seen = await self._page.observe(frame.since, nodes=False)
            password = await self._page.asks_password()
        except (PageLost, ActionFailed):
            return Explained(failure, "")
        return explained(failure, seen, password=password, logging_in=logs_in(frame.workflow, step))

    async def _carry_out(self, frame: Frame, step: Step, at: Position, guided: list[GuidedReport]) -> _Came:
        match at.move:
            case Move.PROBE:
                return _Came(Verdict.PASSED if await self.holds(frame, step) else Verdict.FAILED)
            case Move.PRE:
                return await self._gated(frame, step, Moment.PRE)
            case Move.POST:
                return await self._gated(frame, step, Moment.POST)
            case Move.CODE:
                return await self._run_code(frame, [(cell, frame.workflow.cell(cell).source) for cell in step.code])
            case Move.REPAIR:
                failed = frame.cell if frame.cell in step.code else step.code[-1]
                report = await self.propose(frame, failed)
                if report.proposal is None:
                    return _Came(Verdict.UNKNOWN, None, report.reason)
                return await self._run_code(frame, [(failed, report.proposal.source)])
            case _:
                way = await self._guide(frame, step, at.move, used_by(guided))
                guided.append(way)
                kind = way.failure or (FailureClass.LOCATOR if way.way is Path.PROCEDURE else FailureClass.MODEL)
                return _Came(way.verdict, None if way.verdict is Verdict.PASSED else kind, way.reason)

    async def _guide(self, frame: Frame, step: Step, move: Move, used: ModelUse) -> GuidedReport:
        model = self._model
        if model is None and move is Move.INTENT:
            return unasked(step.intent, allowed=self._limits.model)
        if model is None:
            return await follow(step.procedure, frame.values, self._page, self._clock, self._embedder)
        if move is Move.INTENT:
            errand = self._errand(frame, step, model, Path.INTENT, step.intent, used)
            return (await pursue(errand, self._page, model, self._clock)).report

        async def aid(sentence: str, since: ModelUse) -> Pursued:
            so_far = together((used, since))
            errand = self._errand(frame, step, model, Path.PROCEDURE, sentence, so_far)
            return await pursue(errand, self._page, model, self._clock)

        return await follow(step.procedure, frame.values, self._page, self._clock, self._embedder, aid)

    def _errand(self, frame: Frame, step: Step, model: Model, way: Path, goal: str, used: ModelUse) -> Errand:
        async def holds(wait: bool) -> bool:
            deadline = self._clock() + (self._limits.gate_seconds if wait and step.post_gates else 0.0)
            while not (held := await self.holds(frame, step)) and self._clock() < deadline:  # noqa: ASYNC110 - a page tells nobody
                await asyncio.sleep(_REST_POLL_SECONDS)
            return held

        if not used.calls:
            model.begin_step()
        return Errand(
            way=way,
            goal=goal,
            procedure=step.procedure if way is Path.INTENT else (),
            mandate=Mandate((step.intent, *step.procedure), frame.values, frame.secrets, model.limits.hosts),
            once=step.settings.effect is Effect.ONCE,
            since=frame.since,
            used=used,
            gated=bool(step.post_gates),
            holds=holds,
        )

    async def _run_code(self, frame: Frame, cells: list[tuple[str, str]]) -> _Came:
        step = frame.step.name if frame.step else ""
        try:
            for cell, source in cells:
                frame.cell = cell
                with self._recall.within(frame, step, cell, source):
                    await self._evaluated(source, frame)
        except PageLost:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a cell raises is that cell's outcome, not ours
            name = type(error).__name__
            barred = isinstance(error, EffectUncertain)
            return _Came(Verdict.FAILED, classify(name, str(error)), f"{name}: {error}", barred)
        return _Came(Verdict.PASSED)

    async def _evaluated(self, source: str, frame: Frame) -> None:
        try:
            await self._shell.evaluate(source, frame.namespace)
        except SystemExit as leaving:
            # beyond the task that runs it this would end the kernel, and so pass for a fault of the surroundings
            raise CellLeft(status=str(leaving.code)) from None

    async def propose(self, frame: Frame, cell: str) -> RepairReport:
        """A repair of ``cell``, whose locator has just failed."""
        source, failed = frame.workflow.cell(cell).source, self._page.failed_action()
        if failed is None:
            return await propose(source, failed, self._page, self._clock)
        spent = self._repairs.take(frame.prefix + (frame.step.name if frame.step else "")) if self._repairs else ""
        if spent:
            return abstained(spent, failed)
        recall = self._recall
        report = await propose(
            source,
            failed,
            self._page,
            self._clock,
            recall.known(frame, cell, source, failed),
            recall.patch(frame, cell, source, failed),
        )
        if report.proposal is not None:
            recall.proposed(frame, cell, source, failed, report.proposal)
        return report

    async def _gated(self, frame: Frame, step: Step, moment: Moment) -> _Came:
        results = await self._ask_cells(frame, step, moment)
        verdict = joined(result.verdict for result in results)
        if verdict is Verdict.PASSED:
            return _Came(verdict)
        bad = next((item for item in results if item.verdict is not Verdict.PASSED), None)
        if bad is None:
            return _Came(verdict, FailureClass.GATE, f"there are no {moment} gates")
        told = f"{moment} gate {bad.gate.expression} {bad.verdict}: expected {bad.expected}, saw {bad.actual}"
        return _Came(verdict, FailureClass.GATE, told)

    async def holds(self, frame: Frame, step: Step) -> bool:
        """Do the step's post gates hold now, without waiting for them to?

        Where they do, they must go on holding once the page has come to rest: scripts that are still to run may hide
        what a document shows at first, and a step that is skipped is not looked at again.
        """
        if not step.post_gates or not await self._hold_now(frame, step):
            return False
        deadline = self._clock() + _REST_SECONDS
        while self._clock() < deadline and not (await self._page.observe(frame.since)).settled:  # noqa: ASYNC110 - rest is no event
            await asyncio.sleep(_REST_POLL_SECONDS)
        return await self._hold_now(frame, step)

    async def _hold_now(self, frame: Frame, step: Step) -> bool:
        frame.results[:] = [result for result in frame.results if result.moment is not Moment.PROBE]
        results = await self._ask_cells(frame, step, Moment.PROBE)
        return already_done(asked_now(results) if frame.past else results)

    async def ready(self, frame: Frame, step: Step, seconds: float) -> tuple[bool, str]:
        """Do the step's pre gates hold, within ``seconds``? Without pre gates nothing is in its way."""
        deadline = self._clock() + seconds
        while step.pre_gates:
            came = await self._gated(frame, step, Moment.PRE)
            if came.verdict is not Verdict.PASSED and self._clock() < deadline:
                continue
            return came.verdict is Verdict.PASSED, came.reason
        return True, ""

    async def _ask_cells(self, frame: Frame, step: Step, moment: Moment) -> tuple[GateResult, ...]:
        """Run the step's gate cells up to the first that does not hold."""
        frame.step, frame.moment = step, moment
        start = len(frame.results)
        gates = step.pre_gates if moment is Moment.PRE else step.post_gates
        try:
            for cell in step.pre if moment is Moment.PRE else step.post:
                frame.cell = cell
                running = self._evaluated(frame.workflow.cell(cell).source, frame)
                await (asyncio.wait_for(running, _PROBE_SECONDS) if moment is Moment.PROBE else running)
        except GateFailed:
            return tuple(frame.results[start:])
        except PageLost:
            raise
        except Exception as error:  # noqa: BLE001 - a gate's own Python may raise anything: then it has not held
            frame.results.append(raised(gates, moment, type(error).__name__, str(error)))
            return tuple(frame.results[start:])
        frame.results += completed(gates, frame.results[start:], moment)
        return tuple(frame.results[start:])

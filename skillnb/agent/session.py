"""The workflow's side in the kernel: what ``page``, ``gate``, ``params``, ``fallback`` and ``call`` stand on.

A person who presses Run and the runner outside use the same object; the runner asks it through the few methods at the
end (`probe`, `propose`, `finish`, `state`), whose answers are JSON texts.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from skillnb.agent.asking import ask
from skillnb.agent.follow import follow
from skillnb.agent.frame import Frame, ways_of
from skillnb.agent.gate import Gates
from skillnb.agent.intend import intend
from skillnb.agent.mend import propose
from skillnb.agent.params import Params
from skillnb.browser.protocol import Page, PageLost, Screenshot
from skillnb.codec import canonical, plain
from skillnb.errors import GateFailed, StepFailed
from skillnb.kernel.protocol import CurrentCell, Shell
from skillnb.rules.bundles import fallback_bundle, gate_bundle, step_bundle
from skillnb.rules.cascade import begin, begin_fallback, walk
from skillnb.rules.failure import classify
from skillnb.rules.outcome import already_done, joined
from skillnb.store.protocol import Blobs
from skillnb.terms.cascade import Happened, Move, Position
from skillnb.terms.gate import Gate, GateKind, GateResult, Moment
from skillnb.terms.outcome import FailureClass, Outcome, Path, Verdict
from skillnb.terms.record import Evidence, FallbackReport, GuidedReport, RepairReport, StepResult
from skillnb.terms.workflow import Role, Step, Workflow

__all__ = ["Limits", "Session"]

_PROBE_SECONDS = 2.0
"""A post cell may hold Python of its own that waits; as a probe it is not waited for."""


class Limits(NamedTuple):
    """What the run allows. ``gate_seconds`` is how long a gate waits that names no time-out of its own."""

    gate_seconds: float
    repair: bool
    model: bool


class Session:
    def __init__(
        self,
        *,
        page: Page,
        live_page: object,
        shell: Shell,
        blobs: Blobs,
        workflows: Mapping[str, Workflow],
        main: str,
        values: dict[str, object],
        secrets: frozenset[str],
        limits: Limits,
        resolve_call: Callable[[Workflow, Mapping[str, object]], dict[str, object]],
        mask: Callable[[Any], Any],
        clock: Callable[[], float],
    ) -> None:
        """``live_page`` is what cells see as ``page``; ``resolve_call`` types the arguments of a called workflow."""
        self._page, self._live_page, self._shell, self._blobs, self._mask = page, live_page, shell, blobs, mask
        self._workflows, self._limits, self._resolve_call, self._clock = workflows, limits, resolve_call, clock
        self.gates = Gates(self._ask)
        self.params = Params(values, secrets)
        main_frame = Frame(workflows[main], values, secrets, shell.namespace)
        self._frames = [main_frame]
        self.answer = ""
        self._drawn: list[tuple[str, Awaitable[Screenshot | None]]] = []

    # what cells call

    async def _ask(self, gate: Gate, timeout: float | None) -> GateResult:
        frame = self._frames[-1]
        parsed = frame.parsed_gate(gate.kind, gate.line)
        seconds = self._limits.gate_seconds if timeout is None else timeout
        result = await ask(
            parsed or gate, frame.values, self._page, moment=frame.moment, seconds=seconds, clock=self._clock
        )
        frame.results.append(result)
        if frame.moment is not Moment.PROBE:
            self._shell.show(gate_bundle(result))
        if result.verdict is not Verdict.PASSED:
            step = frame.prefix + frame.step.name if frame.step else "(no step)"
            raise GateFailed(
                gate=result.gate.expression,
                where=f"{frame.workflow.name}, step {step}, cell {frame.cell or '(unknown)'}",
                verdict=result.verdict,
                expected=result.expected,
                actual=result.actual,
            )
        return result

    async def fallback(self, name: str) -> None:
        """Do a step the guided way, unless its post gates hold already: procedure, then intent, each proven by them."""
        frame = self._frames[-1]
        step = self._step(frame, name)
        if await self._holds(frame, step):
            self._shell.show(fallback_bundle(_report(step, (), (), "nothing to do: the post gates hold")))
            return
        guided: list[GuidedReport] = []
        ways = ways_of(step, repair=False, intent=True)

        async def make(at: Position) -> tuple[Happened, ...]:
            return (await self._move(frame, step, at, guided),)

        end, log = await walk(ways, begin_fallback(ways), make)
        self._shell.show(fallback_bundle(_report(step, log, tuple(guided), f"{end.outcome}: {end.reason}")))
        if end.outcome is not Outcome.PASSED:
            raise StepFailed(
                step=name,
                reason=f"fallback ended {end.outcome}: {end.reason}",
                remedy="mend the code or the procedure, and see the record above for what was tried",
            )

    async def call(self, name: str, /, **arguments: object) -> None:
        """Run another workflow's steps, gates included, in the same page."""
        workflow = self._workflows.get(name)
        if workflow is None:
            raise StepFailed(step=name, reason=f"no workflow {name} was found to call", remedy="see `skillnb list`")
        values = self._resolve_call(workflow, arguments)
        outer = self._frames[-1]
        secrets = frozenset(parameter.name for parameter in workflow.parameters if parameter.secret)
        place = outer.prefix + (f"{outer.step.name}/" if outer.step else "")
        frame = Frame(workflow, values, secrets, {}, prefix=place)
        frame.namespace.update(self.bindings(Params(values, secrets)))
        self._frames.append(frame)
        try:
            await self._run_called(frame)
        finally:
            self._frames.pop()

    async def _run_called(self, frame: Frame) -> None:
        last = frame.workflow.steps[-1]
        if last.post_gates and await self._holds(frame, last, enter=True):
            reason = "already done: the post gates of its last step hold"
            self._show_step(
                frame, last, Position(move=Move.STOP, path=Path.SKIPPED, outcome=Outcome.PASSED, reason=reason)
            )
            return
        for step in frame.workflow.steps:
            begun, guided = self._clock(), list[GuidedReport]()
            self._enter(frame, step)
            ways = ways_of(step, repair=self._limits.repair, intent=True)

            async def make(
                at: Position, step: Step = step, guided: list[GuidedReport] = guided
            ) -> tuple[Happened, ...]:
                return (await self._move(frame, step, at, guided),)

            end, log = await walk(ways, begin(ways), make)
            if guided:
                self._shell.show(fallback_bundle(_report(step, log, tuple(guided), f"{end.outcome}: {end.reason}")))
            self._show_step(frame, step, end, log, self._clock() - begun, sum(item.tokens for item in guided))
            if end.outcome not in {Outcome.PASSED, Outcome.UNVERIFIED}:
                raise StepFailed(step=f"{frame.workflow.name} / {step.name}", reason=f"{end.outcome}: {end.reason}")

    def bindings(self, params: Params) -> dict[str, Any]:
        return {
            "page": self._live_page,
            "gate": self.gates,
            "params": params,
            "fallback": self.fallback,
            "call": self.call,
        }

    # moves, for called workflows and fallback cells

    async def _move(self, frame: Frame, step: Step, at: Position, guided: list[GuidedReport]) -> Happened:
        begun = self._clock()
        try:
            verdict, failure, reason = await self._carry_out(frame, step, at, guided)
        except PageLost as error:
            verdict, failure, reason = Verdict.FAILED, FailureClass.INFRASTRUCTURE, str(error)
        return Happened(
            move=at.move,
            verdict=verdict,
            failure=failure,
            reason=reason,
            dispatched=bool(self._page.dispatched()),
            seconds=round(self._clock() - begun, 4),
        )

    async def _carry_out(
        self, frame: Frame, step: Step, at: Position, guided: list[GuidedReport]
    ) -> tuple[Verdict, FailureClass | None, str]:
        match at.move:
            case Move.PROBE:
                held = await self._holds(frame, step)
                return (Verdict.PASSED if held else Verdict.FAILED), None, ""
            case Move.PRE:
                return await self._gated(frame, step, Moment.PRE)
            case Move.POST:
                return await self._gated(frame, step, Moment.POST)
            case Move.CODE:
                return await self._run_code(frame, [frame.workflow.cell(cell).source for cell in step.code])
            case Move.REPAIR:
                report = await self._propose(frame, step)
                if report.proposal is None:
                    return Verdict.UNKNOWN, None, report.reason
                return await self._run_code(frame, [report.proposal.source])
            case _:
                way = await self._guide(frame, step, at.move)
                guided.append(way)
                failure = None if way.verdict is Verdict.PASSED else FailureClass.LOCATOR
                return way.verdict, failure, way.reason

    async def _guide(self, frame: Frame, step: Step, move: Move) -> GuidedReport:
        if move is Move.PROCEDURE:
            return await follow(step.procedure, frame.values, self._page, self._clock)
        return intend(step.intent, allowed=self._limits.model)

    async def _run_code(self, frame: Frame, sources: list[str]) -> tuple[Verdict, FailureClass | None, str]:
        try:
            for source in sources:
                await self._shell.evaluate(source, frame.namespace)
        except PageLost:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a cell raises is that cell's outcome, not ours
            return Verdict.FAILED, classify(type(error).__name__, str(error)), f"{type(error).__name__}: {error}"
        return Verdict.PASSED, None, ""

    async def _gated(self, frame: Frame, step: Step, moment: Moment) -> tuple[Verdict, FailureClass | None, str]:
        results, reason = await self._ask_cells(frame, step, moment)
        verdict = joined(result.verdict for result in results)
        if verdict is Verdict.PASSED and reason:
            verdict = Verdict.UNKNOWN
        return verdict, None if verdict is Verdict.PASSED else FailureClass.GATE, reason

    async def _holds(self, frame: Frame, step: Step, *, enter: bool = False) -> bool:
        """Do the step's post gates hold now, without waiting?"""
        if not step.post_gates:
            return False
        if enter:
            self._enter(frame, step)
        results, reason = await self._ask_cells(frame, step, Moment.PROBE)
        return not reason and already_done(results)

    async def _ask_cells(self, frame: Frame, step: Step, moment: Moment) -> tuple[tuple[GateResult, ...], str]:
        """Run the step's gate cells; the reason is empty when every gate in them was asked and held."""
        frame.step, frame.moment = step, moment
        start = len(frame.results)
        expected = step.pre_gates if moment is Moment.PRE else step.post_gates
        try:
            for cell in step.pre if moment is Moment.PRE else step.post:
                frame.cell = cell
                running = self._shell.evaluate(frame.workflow.cell(cell).source, frame.namespace)
                await (asyncio.wait_for(running, _PROBE_SECONDS) if moment is Moment.PROBE else running)
        except GateFailed as error:
            return tuple(frame.results[start:]), str(error)
        except PageLost:
            raise
        except Exception as error:  # noqa: BLE001 - a gate's own Python may raise anything: then it has not held
            frame.results.append(_custom(expected, moment, Verdict.FAILED, f"{type(error).__name__}: {error}"))
            return tuple(frame.results[start:]), f"a gate raised {type(error).__name__}: {error}"
        if any(not gate.recheckable for gate in expected):
            frame.results.append(_custom(expected, moment, Verdict.PASSED, "raised nothing"))
        answered = sum(result.gate.recheckable for result in frame.results[start:])
        asked = sum(gate.recheckable for gate in expected)
        reason = "" if answered >= asked else f"only {answered} of {asked} gates were asked"
        return tuple(frame.results[start:]), reason

    def _step(self, frame: Frame, name: str) -> Step:
        for step in frame.workflow.steps:
            if step.name == name:
                return step
        known = ", ".join(step.name for step in frame.workflow.steps)
        raise StepFailed(step=name, reason=f"{frame.workflow.name} has no such step", remedy=f"its steps: {known}")

    def _enter(self, frame: Frame, step: Step) -> None:
        frame.step = step
        frame.results.clear()
        self._page.begin_step()

    def _show_step(
        self,
        frame: Frame,
        step: Step,
        end: Position,
        log: tuple[Happened, ...] = (),
        seconds: float = 0.0,
        tokens: int = 0,
    ) -> None:
        result = StepResult(
            step=frame.prefix + step.name,
            workflow=frame.workflow.name,
            outcome=end.outcome or Outcome.FAILED,
            path=end.path,
            failure=end.failure,
            reason=end.reason,
            seconds=round(seconds, 3),
            tokens=tokens,
            gates=tuple(item for item in frame.results if item.moment is not Moment.PROBE or end.path is Path.SKIPPED),
            happened=log,
            evidence=Evidence(url=self._page.address),
        )
        self._shell.show(step_bundle(result))

    # what the notebook's kernel and the runner outside tell and ask

    def cell_begins(self, current: CurrentCell) -> None:
        """A cell is about to run: by its id, or where the frontend sends none by its text, find its step and role."""
        frame = self._frames[0]
        cells = frame.workflow.cells
        cell = next((item for item in cells if item.id == current.id), None)
        if cell is None:
            cell = next((item for item in cells if item.step and item.source == current.source), None)
        if cell is None or cell.step is None:
            return
        step = self._step(frame, cell.step)
        if cell.role is Role.PRE or frame.step is not step:
            self._enter(frame, step)
        frame.settle_cell(cell.id, cell.role)

    async def probe(self, name: str, begin: bool) -> None:
        """Runner: is the step done? With ``begin`` it begins here: what the page has done before is forgotten."""
        frame = self._frames[0]
        step = self._step(frame, name)
        if begin:
            self._enter(frame, step)
        held = await self._holds(frame, step)
        self.answer = canonical({"held": held, "results": frame.results})

    async def propose(self, name: str, cell: str) -> None:
        """Runner: propose a repair of ``cell``, whose locator has just failed."""
        frame = self._frames[0]
        self.answer = canonical(await self._propose(frame, self._step(frame, name), cell))

    async def _propose(self, frame: Frame, step: Step, cell: str = "") -> RepairReport:
        source = frame.workflow.cell(cell or step.code[-1]).source
        return await propose(source, self._page.failed_action(), self._page, self._clock)

    async def state(self) -> None:
        """Runner: what the page is at, and what has left it since the step began."""
        self.answer = canonical({"url": self._page.address, "dispatched": self._page.dispatched()})

    async def finish(self, name: str, picture: bool) -> None:
        """Runner: evidence of a step's end, kept as blobs. A picture is only begun here: `pictures` gives it."""
        if picture:
            self._drawn.append((name, self._page.draw()))
        recorded = canonical(self._mask(plain(self._page.recorded())))
        kept = self._blobs.put(recorded.encode("utf-8", "replace"), ".json")
        self.answer = canonical(Evidence(url=self._page.address, snapshot=kept))

    async def pictures(self) -> None:
        """Runner: the pictures begun since this was last asked, as blobs, each with its thumbnail."""
        told = []
        for name, drawing in self._drawn:
            shot = await drawing
            if shot is not None:
                small = base64.b64encode(shot.thumbnail).decode("ascii")
                told.append({"step": name, "screenshot": self._blobs.put(shot.full, ".jpg"), "thumbnail": small})
        self._drawn.clear()
        self.answer = canonical(told)


def _report(step: Step, log: tuple[Happened, ...], guided: tuple[GuidedReport, ...], reason: str) -> FallbackReport:
    return FallbackReport(step=step.name, happened=log, guided=guided, reason=reason)


def _custom(gates: tuple[Gate, ...], moment: Moment, verdict: Verdict, actual: str) -> GateResult:
    gate = next((item for item in gates if not item.recheckable), Gate(kind=GateKind.CUSTOM, expression="(custom)"))
    return GateResult(gate=gate, moment=moment, verdict=verdict, expected="no exception", actual=actual, seconds=0.0)

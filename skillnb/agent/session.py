"""The workflow's side in the kernel: what ``page``, ``gate``, ``params``, ``fallback`` and ``call`` stand on.

A person who presses Run and the runner outside use the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from skillnb.agent.asking import ask
from skillnb.agent.frame import Frame
from skillnb.agent.gate import Gates
from skillnb.agent.moves import Limits, Moves
from skillnb.agent.params import Params
from skillnb.agent.pursuit import Model
from skillnb.agent.recall import Recall
from skillnb.browser.protocol import Page
from skillnb.errors import CallAborted, EffectUncertain, GateFailed, StepFailed
from skillnb.kernel.protocol import CurrentCell, Shell
from skillnb.llm.protocol import Embedder
from skillnb.rules.bundles import fallback_bundle, gate_bundle, step_bundle
from skillnb.rules.cascade import begin, begin_fallback, walk
from skillnb.rules.gatecells import completed
from skillnb.rules.gates import refuted
from skillnb.rules.outcome import joined
from skillnb.rules.spending import used_by
from skillnb.rules.ways import ways_of
from skillnb.store.protocol import Dispatches, Repairs
from skillnb.terms.cascade import Happened, Move, Position
from skillnb.terms.gate import Gate, GateKind, GateResult, Moment
from skillnb.terms.memory import Memory
from skillnb.terms.outcome import Outcome, Path, Verdict
from skillnb.terms.record import Evidence, FallbackReport, GuidedReport, ModelUse, StepResult
from skillnb.terms.workflow import Cell, Effect, Role, Step, Workflow

__all__ = ["Session"]

_OF_THE_MOMENT = frozenset({GateKind.RESPONSE, GateKind.FILE})


class Session:
    def __init__(
        self,
        *,
        page: Page,
        live_page: object,
        shell: Shell,
        workflows: Mapping[str, Workflow],
        main: str,
        values: dict[str, object],
        secrets: frozenset[str],
        limits: Limits,
        resolve_call: Callable[[Workflow, Mapping[str, object]], dict[str, object]],
        dispatches: Dispatches | None,
        mask: Callable[[Any], Any],
        clock: Callable[[], float],
        memories: tuple[Memory, ...] = (),
        repairs: Repairs | None = None,
        model: Model | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        """``live_page`` is what cells see as ``page``; ``resolve_call`` types the arguments of a called workflow."""
        self._page, self._live_page, self._shell = page, live_page, shell
        self._workflows, self._limits, self._resolve_call, self._clock = workflows, limits, resolve_call, clock
        self._dispatches, self._mask = dispatches, mask
        self.recall = Recall(page, memories, mask)
        self.moves = Moves(page, shell, limits, self.recall, clock, repairs, model, embedder)
        self.gates = Gates(self._ask)
        self.params = Params(values, secrets)
        self._guarded = False
        self._proves: Step | None = None
        self._frames = [Frame(workflows[main], values, secrets, shell.namespace)]

    @property
    def main(self) -> Frame:
        """The workflow of the notebook itself."""
        return self._frames[0]

    # what cells call

    async def _ask(self, gate: Gate, timeout: float | None) -> GateResult:
        frame = self._frames[-1]
        parsed = frame.parsed_gate(gate.kind, gate.line)
        seconds = self._limits.gate_seconds if timeout is None else timeout
        result = await ask(
            parsed or gate,
            frame.values,
            self._page,
            frame.since,
            moment=frame.moment,
            seconds=seconds,
            clock=self._clock,
        )
        frame.results.append(result)
        if frame.moment is not Moment.PROBE:
            self._shell.show(gate_bundle(self._mask(result)))
        if result.verdict is not Verdict.PASSED and not (frame.past and gate.kind in _OF_THE_MOMENT):
            step = frame.prefix + frame.step.name if frame.step else "(no step)"
            raise GateFailed(
                gate=self._mask(result.gate.expression),
                where=f"{frame.workflow.name}, step {step}, cell {frame.cell or '(unknown)'}",
                verdict=result.verdict,
                expected=self._mask(result.expected),
                actual=self._mask(result.actual),
            )
        return result

    async def fallback(self, name: str) -> None:
        """Do a step the guided way, unless its post gates hold already: procedure, then intent, each proven by them."""
        frame = self._frames[-1]
        step = frame.named(name)
        if await self.moves.holds(frame, step):
            self._show_fallback(_report(step, (), (), "nothing to do: the post gates hold"))
            return
        if step.settings.effect is Effect.ONCE and (name in frame.sent or self._page.dispatched(frame.since)):
            raise EffectUncertain(step=name, reason="its request may have been sent, so it is not repeated")
        guided: list[GuidedReport] = []
        ways = ways_of(step, repair=False)

        async def make(at: Position) -> tuple[Happened, ...]:
            return (await self.moves.make(frame, step, at, guided),)

        end, log = await walk(ways, begin_fallback(ways), make)
        self._show_fallback(_report(step, log, tuple(guided), _came_to(end)))
        if end.outcome is not Outcome.PASSED:
            raise StepFailed(
                step=name,
                reason=self._mask(f"fallback ended {end.outcome}: {end.reason}"),
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
            await self._guard()

    async def _run_called(self, frame: Frame) -> None:
        last = frame.workflow.steps[-1]
        await self.begin(frame, last)
        # where its last page stands open, only a workflow whose every step may be repeated counts as done
        repeatable = all(step.settings.effect is not Effect.ONCE for step in frame.workflow.steps)
        if repeatable and await self.moves.holds(frame, last):
            reason = "already done: the post gates of its last step hold"
            self._show_step(
                frame, last, Position(move=Move.STOP, path=Path.SKIPPED, outcome=Outcome.PASSED, reason=reason)
            )
            return
        for step in frame.workflow.steps:
            begun, guided = self._clock(), list[GuidedReport]()
            await self.begin(frame, step)
            ways = ways_of(step, repair=self._limits.repair)

            async def make(
                at: Position, step: Step = step, guided: list[GuidedReport] = guided
            ) -> tuple[Happened, ...]:
                return (await self.moves.make(frame, step, at, guided),)

            end, log = await walk(ways, begin(ways), make)
            if guided:
                self._show_fallback(_report(step, log, tuple(guided), _came_to(end)))
            self._show_step(frame, step, end, log, self._clock() - begun, used_by(guided))
            self._note_spent(frame, step, end)
            if end.outcome is Outcome.ABORTED:
                raise CallAborted(step=f"{frame.workflow.name} / {step.name}", reason=self._mask(end.reason))
            if end.outcome is Outcome.UNVERIFIED and (end.barred or end.failure is not None):
                raise EffectUncertain(step=f"{frame.workflow.name} / {step.name}", reason=self._mask(end.reason))
            if end.outcome not in {Outcome.PASSED, Outcome.UNVERIFIED}:
                reason = self._mask(f"{end.outcome}: {end.reason}")
                raise StepFailed(step=f"{frame.workflow.name} / {step.name}", reason=reason)

    def _note_spent(self, frame: Frame, step: Step, end: Position) -> None:
        """A step that must not be done twice was done, so neither may any step be that called it."""
        if step.settings.effect is Effect.ONCE and end.path is not Path.SKIPPED:
            frame.spent = frame.spent or bool(self._page.dispatched(frame.since))
        if frame.spent:
            for outer in self._frames[: self._frames.index(frame)]:
                outer.spent = True

    async def begin(self, frame: Frame, step: Step) -> None:
        """The step begins: what the page has done before is no part of it; if it is ``once``, its requests are held."""
        frame.enter(step, self._page.mark())
        await self._guard()

    def proven(self) -> bool:
        """Has the cell that ran just now proven its step, as the runner will see it too?"""
        frame = self.main
        step = frame.step
        if step is None or step is not self._proves or len(self._frames) > 1:
            return False
        if not step.post or frame.cell != step.post[-1]:
            return False
        results = [result for result in frame.results if result.moment is Moment.POST]
        results += completed(step.post_gates, results, Moment.POST)
        return joined(result.verdict for result in results) is Verdict.PASSED

    def begin_next(self) -> str:
        """Begin the step after the one that is proven, if it is plainly not done yet; its name, else nothing."""
        frame = self.main
        steps = frame.workflow.steps
        following = next((after for one, after in pairwise(steps) if one is frame.step), None)
        if following is None or (following.settings.effect is Effect.ONCE) != self._guarded:
            return ""
        since = self._page.mark()
        seen = self._page.seen(since)
        if seen is None or not refuted(following.post_gates, frame.values, seen):
            return ""
        frame.enter(following, since)
        return following.name

    async def _guard(self) -> None:
        once = [item for item in self._frames if item.step and item.step.settings.effect is Effect.ONCE]
        dispatches = self._dispatches
        if dispatches is None or bool(once) == self._guarded:
            return

        def note(request: str) -> None:
            frame = self._frames[-1]
            dispatches.append(frame.prefix + (frame.step.name if frame.step else ""), request)

        await self._page.guard(note if once else None)
        self._guarded = bool(once)

    def bindings(self, params: Params) -> dict[str, Any]:
        return {
            "page": self._live_page,
            "gate": self.gates,
            "params": params,
            "fallback": self.fallback,
            "call": self.call,
        }

    def _show_step(
        self,
        frame: Frame,
        step: Step,
        end: Position,
        log: tuple[Happened, ...] = (),
        seconds: float = 0.0,
        use: ModelUse = ModelUse(),  # noqa: B008 - a frozen value
    ) -> None:
        result = StepResult(
            step=frame.prefix + step.name,
            workflow=frame.workflow.name,
            outcome=end.outcome or Outcome.FAILED,
            path=end.path,
            failure=end.failure,
            reason=end.reason,
            seconds=round(seconds, 3),
            tokens=use.prompt_tokens + use.completion_tokens,
            use=use,
            gates=tuple(item for item in frame.results if item.moment is not Moment.PROBE or end.path is Path.SKIPPED),
            happened=log,
            evidence=Evidence(url=self._page.address),
            patched=self.recall.patched(frame.workflow.name, step.name),
        )
        self._shell.show(step_bundle(self._mask(result)))

    def _show_fallback(self, report: FallbackReport) -> None:
        self._shell.show(fallback_bundle(self._mask(report)))

    # what the notebook's frontend tells

    def cell_begins(self, current: CurrentCell) -> None:
        """A cell is about to run: by its id, or where the frontend sends none by its text, find its step and role."""
        frame = self.main
        cells = frame.workflow.cells
        cell = next((item for item in cells if item.id == current.id), None)
        if cell is None:
            cell = next((item for item in cells if item.step and item.source == current.source), None)
        step = frame.named(cell.step) if cell is not None and cell.step else None
        self._allow(step or frame.step, cell)
        # gates that other cells ask, or of other steps, prove nothing to the runner
        self._proves = step if cell is not None and cell.role in {Role.POST, Role.FALLBACK} else None
        self.recall.leaves()
        if cell is None:
            self.recall.resumes(current.source)
        if cell is None or step is None:
            return
        if cell.role is Role.CODE:
            self.recall.enters(frame, step.name, cell.id, current.source)
        if cell.role is Role.PRE or frame.step is not step:
            frame.enter(step, self._page.mark())
        frame.settle_cell(cell.id, cell.role)

    def _allow(self, step: Step | None, cell: Cell | None) -> None:
        """By hand (without a journal) nobody stops a cell; in a run the runner does, after the step's own limit."""
        guided = cell is not None and cell.role is Role.FALLBACK
        unlimited = self._dispatches is None or step is None or guided
        self._page.allow(None if unlimited or step is None else step.settings.timeout)


def _came_to(end: Position) -> str:
    if end.outcome is Outcome.PASSED:
        return f"done by {end.path}; its post gates hold"
    return f"{end.outcome}: {end.reason}"


def _report(step: Step, log: tuple[Happened, ...], guided: tuple[GuidedReport, ...], reason: str) -> FallbackReport:
    return FallbackReport(step=step.name, happened=log, guided=guided, reason=reason)

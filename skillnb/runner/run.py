"""A run: browser and kernel started, cells executed in order, steps by their cascade, all of it recorded."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path

from skillnb.codec import canonical, plain
from skillnb.errors import OutsideError
from skillnb.kernel.protocol import Kernel
from skillnb.notebook.protocol import Notebooks
from skillnb.rules.masking import Masker
from skillnb.rules.outcome import exit_status
from skillnb.runner.behind import Behind
from skillnb.runner.copybook import Copybook
from skillnb.runner.course import Course
from skillnb.runner.means import Means
from skillnb.runner.plan import Plan
from skillnb.runner.protocol import Browser, Listener, Rescue
from skillnb.store.protocol import Blobs, Trace
from skillnb.terms.brief import Brief
from skillnb.terms.memory import Gathered
from skillnb.terms.outcome import FailureClass, Outcome, Verdict
from skillnb.terms.record import Evidence, RunResult
from skillnb.terms.trace import BrowserStarted, RunFinished, RunStarted

__all__ = ["Runner"]

_OPEN_SECONDS = 60.0
_PICTURE_SECONDS = 20.0
_PICTURES_AT_ONCE = 5


class Runner:
    def __init__(
        self,
        plan: Plan,
        *,
        kernel: Kernel,
        start_browser: Callable[[], Awaitable[Browser]],
        notebooks: Notebooks,
        trace: Trace,
        blobs: Blobs,
        mask: Masker,
        listener: Listener,
        rescue: Rescue,
        clock: Callable[[], float],
        environment: Mapping[str, str],
        names: tuple[str, str],
    ) -> None:
        """``names`` are the environment variables that tell the kernel where its brief and its secrets are."""
        self._plan, self._kernel, self._start_browser = plan, kernel, start_browser
        self._trace, self._blobs, self._mask, self._listener = trace, blobs, mask, listener
        self._rescue, self._clock, self._environment, self._names = rescue, clock, environment, names
        self._behind = Behind()
        self._copy = Copybook(plan.notebook, plan.notebook_path, notebooks, mask, clock, self._behind)
        self._course = Course(Means(plan, kernel, self._copy, trace, self._behind, blobs, mask, listener, clock))
        self._browser: Browser | None = None
        self._start_seconds = 0.0
        self._seen = Evidence()

    @property
    def gathered(self) -> Gathered:
        """What the run has seen and mended, for the next one."""
        return self._course.gathered

    async def run(self) -> RunResult:
        """Never raises for what happens to the run; ends browser and kernel whatever happens."""
        begun = self._clock()
        self._trace.write(self._started())
        self._copy.save(now=True)
        outcome, reason = Outcome.ABORTED, "interrupted"
        with tempfile.TemporaryDirectory(prefix="skillnb-run-") as folder:
            try:
                outcome, reason = await self._limited(Path(folder))
            except OutsideError as error:
                outcome, reason = Outcome.ABORTED, str(error)
            except asyncio.CancelledError:
                # the record of an interrupted run is written like any other
                reason = f"interrupted {self._course.place}"
                self._course.cut_off(outcome, FailureClass.INFRASTRUCTURE, reason)
            except Exception as error:
                reason = f"skillnb itself failed, {self._course.place}: {type(error).__name__}: {error}"
                raise
            finally:
                try:
                    await self._stop()
                finally:
                    result = self._finish(outcome, reason, self._clock() - begun)
        return result

    async def _limited(self, folder: Path) -> tuple[Outcome, str]:
        try:
            async with asyncio.timeout(self._plan.run_seconds) as limit:
                return await self._execute(folder)
        except TimeoutError:
            if not limit.expired():
                raise
        told = f"[timeout] the run's limit of {self._plan.run_seconds:g} s was reached, {self._course.place}"
        self._course.cut_off(Outcome.FAILED, FailureClass.TIMEOUT, told)
        await self._look_from_outside()
        return Outcome.FAILED, told

    def _started(self) -> RunStarted:
        plan = self._plan
        shown = {name: "[secret]" if name in plan.secrets else value for name, value in plan.values.items()}
        return RunStarted(
            workflow=plan.version.name,
            version=plan.version.number,
            version_id=plan.version.id,
            calls=tuple(f"{version.name}@{version.number}" for version, _ in plan.callees),
            parameters=canonical(shown),
            base_url=plan.base_url,
            task_type=plan.workflow.task_type,
            site=plan.workflow.site,
            options=plan.options,
            machine=plan.machine,
            path=plan.version.path,
            resumes=plan.resume.run_id if plan.resume else "",
            locale=plan.workflow.locale,
            timezone=plan.workflow.timezone,
        )

    async def _execute(self, folder: Path) -> tuple[Outcome, str]:
        begun = self._clock()
        brief_file = folder / "brief.json"
        environment = {**self._environment, self._names[0]: str(brief_file), self._names[1]: self._secrets()}
        kernel = asyncio.ensure_future(self._kernel.start(environment))
        try:
            self._browser = await self._start_browser()
        finally:
            await kernel
        browser = self._browser
        self._trace.write(BrowserStarted(endpoint=browser.endpoint, pid=browser.pid, profile=str(browser.profile)))
        self._trace.flush()
        self._write_brief(brief_file, folder, self._browser.endpoint)
        failed = await self._course.open()
        self._start_seconds = self._clock() - begun
        if failed:
            await self._look_from_outside()
            return failed
        ended = await self._course.run()
        if ended[0] is Outcome.ABORTED:
            await self._look_from_outside()
        return ended

    def _secrets(self) -> str:
        return json.dumps({name: str(self._plan.values[name]) for name in sorted(self._plan.secrets)})

    def _write_brief(self, path: Path, folder: Path, endpoint: str) -> None:
        plan = self._plan
        downloads = folder / "downloads"
        downloads.mkdir()
        brief = Brief(
            endpoint=endpoint,
            main=plan.workflow.name,
            workflows=(plan.workflow, *(workflow for _, workflow in plan.callees)),
            values=canonical({name: value for name, value in plan.values.items() if name not in plan.secrets}),
            start_url="" if plan.resume and plan.resume.survived else plan.start_url,
            blobs=str(plan.blobs),
            downloads=str(downloads),
            dispatches=str(plan.dispatch_path),
            gate_seconds=plan.gate_seconds,
            action_seconds=plan.action_seconds,
            navigation_seconds=plan.navigation_seconds,
            repairs=str(plan.repairs_path),
            run=plan.run_id,
            repairs_per_run=plan.repairs_limits[0],
            repairs_per_day=plan.repairs_limits[1],
            memories=plan.memories,
            repair=plan.repair,
            model=plan.model,
            limits=plan.limits,
            model_name=plan.model_name,
        )
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(canonical(brief))

    async def _look_from_outside(self) -> None:
        """The kernel can't be asked any more, or never could; the browser may still show where it was."""
        if self._browser is None or not self._browser.alive:
            return
        self._seen = await self._rescue(self._browser.endpoint)
        results = self._course.results
        if results:
            results[-1] = replace(results[-1], evidence=self._seen)

    async def _stop(self) -> None:
        try:
            await self._kernel.stop()
        finally:
            if self._browser is not None:
                self._browser.stop()

    def _finish(self, outcome: Outcome, reason: str, seconds: float) -> RunResult:
        plan = self._plan
        paths = [step.path for step in self._course.results if step.path is not None]
        status = exit_status(outcome, paths, plan.fail_on_heal)
        result = RunResult(
            run_id=plan.run_id,
            workflow=plan.version.name,
            version=plan.version.number,
            version_id=plan.version.id,
            outcome=outcome,
            exit_status=status,
            reason=self._mask.text(reason),
            seconds=round(seconds, 3),
            steps=tuple(self._course.results),
            notebook=str(plan.notebook_path),
            trace=str(plan.trace_path),
            failure_bundle="" if outcome is Outcome.PASSED else str(plan.failure_path),
            notes=plan.notes,
        )
        self._trace.write(
            RunFinished(
                outcome=outcome,
                exit_status=status,
                reason=result.reason,
                seconds=result.seconds,
                start_seconds=round(self._start_seconds, 3),
            )
        )
        self._behind.close()
        self._trace.close()
        self._copy.summarise(result)
        self._copy.save(now=True)
        if outcome is not Outcome.PASSED:
            self._write_failure(result)
        return result

    def _write_failure(self, result: RunResult) -> None:
        """The failure bundle: one file that holds or names all there is to look at."""
        last = result.steps[-1] if result.steps else None
        evidence = last.evidence if last else self._seen
        gates = last.gates if last else ()
        bundle = {
            "run_id": result.run_id,
            "workflow": f"{result.workflow}@{result.version}",
            "outcome": result.outcome,
            "reason": result.reason,
            "failure": last.failure if last else None,
            "place": self._course.place,
            "step": last,
            "gate": next((gate for gate in reversed(gates) if gate.verdict is not Verdict.PASSED), None),
            "url": evidence.url,
            "screenshot": self._blobs.path(evidence.screenshot) if evidence.screenshot else "",
            "snapshot": self._blobs.path(evidence.snapshot) if evidence.snapshot else "",
            "dialogs": evidence.dialogs,
            "candidates": self._course.candidates,
            "notebook": result.notebook,
            "trace": result.trace,
        }
        text = json.dumps(plain(bundle), indent=1, ensure_ascii=False, allow_nan=False)
        self._plan.failure_path.write_text(text + "\n", encoding="utf-8", errors="replace")

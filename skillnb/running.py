"""Wiring of a run: real parts picked for a plan, and the plan carried out."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from skillnb.browser.chromium import Chromium, find_chromium
from skillnb.codec import canonical
from skillnb.config import BRIEF, NEEDED, SECRETS, model_keys, settings
from skillnb.kernel.nbclient import NotebookKernel
from skillnb.loading import imported
from skillnb.notebook import ipynb
from skillnb.notebook.protocol import Notebooks
from skillnb.planning import RunOptions, planned
from skillnb.remembering import keep
from skillnb.resumption import resumed
from skillnb.rules.masking import Masker
from skillnb.rules.secrets import known_secrets
from skillnb.runner.plan import Plan
from skillnb.runner.protocol import Browser, Listener
from skillnb.runner.run import Runner
from skillnb.store.blobs import BlobFolder
from skillnb.store.traces import TraceFile
from skillnb.terms.observation import Recorded
from skillnb.terms.record import Evidence, RunResult, StepResult
from skillnb.workspace import Workspace

__all__ = ["arun", "blocking", "execute", "Quiet", "run"]


async def execute(
    plan: Plan,
    options: RunOptions,
    listener: Listener,
    environment: Mapping[str, str],
    notebooks: Notebooks = ipynb,
    adopted: Chromium | None = None,
) -> RunResult:
    """Carry out a plan with the real parts. Raises BrowserNotFound before anything starts.

    ``adopted`` is the Chromium that an interrupted run left, where this one goes on with it.
    """
    executable = find_chromium(environment)
    chosen = settings(environment)
    masker = _masker(plan, environment)
    plan.trace_path.parent.mkdir(parents=True, exist_ok=True)
    plan.blobs.mkdir(parents=True, exist_ok=True)
    blobs = BlobFolder(plan.blobs)

    async def start_browser() -> Browser:
        if adopted is not None:
            return adopted
        return await Chromium.start(
            executable,
            headed=options.headed,
            locale=plan.workflow.locale,
            timezone=plan.workflow.timezone,
            environment=masker.without(environment, NEEDED),
        )

    runner = Runner(
        plan,
        kernel=_kernel(plan, options, chosen.kernel_start_seconds),
        start_browser=start_browser,
        notebooks=notebooks,
        trace=TraceFile(plan.trace_path, plan.run_id, _now, masker.term),
        blobs=blobs,
        mask=masker,
        listener=listener,
        rescue=partial(_looked, masker, blobs, chosen.action_seconds),
        clock=time.monotonic,
        environment=environment,
        names=(BRIEF, SECRETS),
    )
    result = await runner.run()
    troubles = () if options.frozen else keep(plan, runner.gathered, result, chosen.passes)
    return replace(result, notes=(*result.notes, *troubles)) if troubles else result


def _kernel(plan: Plan, options: RunOptions, start_seconds: float) -> NotebookKernel:
    return NotebookKernel(
        plan.notebook,
        kernel_name=options.kernel_name or plan.notebook["metadata"].get("kernelspec", {}).get("name", "python3"),
        cwd=os.getcwd(),
        start_seconds=options.kernel_start_seconds or start_seconds,
    )


def _masker(plan: Plan, environment: Mapping[str, str]) -> Masker:
    known = known_secrets(plan.workflow, (item for _, item in plan.callees), plan.values, environment)
    return Masker({**known, **model_keys(environment)})


async def _looked(masker: Masker, blobs: BlobFolder, seconds: float, endpoint: str) -> Evidence:
    # loaded only now that a kernel can't be asked: the browser library costs every run 0.3 s
    looked = await imported("skillnb.browser.attached").look(endpoint, masker, action_seconds=seconds)
    seen = Recorded(url=looked.url, snapshot=looked.snapshot, values=(), responses=(), files=(), settled=False)
    kept = canonical(masker.term(seen)).encode("utf-8", "replace")
    return Evidence(
        url=masker.text(looked.url),
        screenshot=blobs.put(looked.screenshot.full, ".jpg") if looked.screenshot else "",
        snapshot=blobs.put(kept, ".json") if looked.snapshot else "",
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


class Quiet:
    """A listener that nobody reads."""

    def cell_started(self, index: int, cell: Any) -> None: ...

    def cell_finished(self, index: int, cell: Any, failed: bool) -> None: ...

    def step_finished(self, result: StepResult) -> None: ...


async def arun(
    name: str,
    parameters: Mapping[str, object] | None = None,
    *,
    project: Path | None = None,
    options: RunOptions = RunOptions(),  # noqa: B008 - a frozen value
    listener: Listener | None = None,
    resume: str = "",
) -> RunResult:
    """Run ``site/name``, ``site/name@3`` or a notebook file, or go on with the interrupted run ``resume``.

    ``resume`` is a run id or a trace file; ``name`` may then be empty, and ``parameters`` need only be the secrets that
    are not in the environment. Raises UsageError and its kin before anything starts.
    """
    environment = dict(os.environ)
    workspace = Workspace(project) if project else Workspace.find(Path.cwd(), environment)
    told = listener or Quiet()
    if resume:
        plan, adopted = resumed(workspace, resume, name, parameters or {}, options, environment)
        return await execute(plan, options, told, environment, adopted=adopted)
    loaded = workspace.load_file(Path(name)) if name.endswith(".ipynb") else workspace.load(name)
    plan = planned(workspace, loaded, parameters or {}, options, environment)
    return await execute(plan, options, told, environment)


def run(name: str, parameters: Mapping[str, object] | None = None, **more: Any) -> RunResult:
    """``arun`` for plain code, which also works inside a notebook cell, where a loop is running already."""
    return blocking(arun(name, parameters, **more))


def blocking(work: Coroutine[Any, Any, RunResult]) -> RunResult:
    """Wait for a run from plain code.

    In the main thread SIGTERM and SIGINT end it in order: recorded as aborted, browser and kernel stopped.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_interruptible(work))
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _interruptible(work: Coroutine[Any, Any, RunResult]) -> RunResult:
    task, loop, asked = asyncio.ensure_future(work), asyncio.get_running_loop(), False

    def end(_sign: int, _frame: FrameType | None) -> None:
        """The first request ends the run in order; a second one would only leave things running."""
        nonlocal asked
        if not asked:
            asked = True
            loop.call_soon_threadsafe(task.cancel)

    # not the loop's own handlers: those end with the loop, and a second SIGTERM may come while the result is told
    watched = (signal.SIGTERM, signal.SIGINT) if threading.current_thread() is threading.main_thread() else ()
    before = {sign: signal.signal(sign, end) for sign in watched}
    try:
        return await task
    finally:
        for sign, handler in before.items():
            # a process that was told to end and would die of a second word keeps its exit status to its last moment
            told = asked and sign is signal.SIGTERM and handler is signal.SIG_DFL
            signal.signal(sign, signal.SIG_IGN if told else handler)

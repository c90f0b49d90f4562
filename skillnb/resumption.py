"""Wiring of ``--resume``: an interrupted run found, read, and made into the plan that goes on with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from skillnb.browser.chromium import Chromium
from skillnb.codec import canonical
from skillnb.errors import NotResumable
from skillnb.planning import RunOptions, planned
from skillnb.rules.resuming import Interrupted, interrupted, lost_names, restart
from skillnb.runner.plan import Plan, Resume
from skillnb.store.dispatches import dispatched_steps
from skillnb.store.traces import read_trace
from skillnb.terms.outcome import Outcome
from skillnb.terms.trace import RunStarted, TraceLine
from skillnb.workspace import Loaded, Workspace

__all__ = ["find_trace", "resumed"]


def find_trace(workspace: Workspace, run: str, out: Path | None) -> Path:
    """``run`` is a run id or a trace file. Raises NotResumable."""
    if Path(run).is_file():
        return Path(run)
    folders = [folder for folder in (out, workspace.logs) if folder is not None]
    for folder in folders:
        found = sorted(folder.rglob(f"{run}.jsonl"))
        if found:
            return found[0]
    raise NotResumable(run=run, reason="there is no trace of it", where=", ".join(map(str, folders)))


def resumed(
    workspace: Workspace,
    run: str,
    name: str,
    given: Mapping[str, object],
    options: RunOptions,
    environment: Mapping[str, str],
) -> tuple[Plan, Chromium | None]:
    """The plan that goes on with ``run``, and its Chromium if that survived.

    Raises NotResumable and UsageError's kin.
    """
    trace = find_trace(workspace, run, options.out)
    lines = read_trace(trace).lines
    began = next((line.event for line in lines if isinstance(line.event, RunStarted)), None)
    if began is None:
        raise NotResumable(run=run, reason="its trace has no beginning", where=str(trace))
    loaded = _same_version(workspace, began, name, run, options)
    before = interrupted(lines, loaded.workflow)
    assert before is not None  # it has a beginning
    if before.outcome is Outcome.PASSED:
        raise NotResumable(run=run, reason="it has passed: there is nothing to go on with", where=str(trace))
    dispatched = _dispatched(workspace, trace, began, options.out) - set(before.done) - set(options.undone)
    done = _done(before, options, loaded)
    _need_no_variables(loaded, len(done), run, trace)
    values = {key: value for key, value in json.loads(began.parameters).items() if value != "[secret]"}
    hidden = [key for key, value in values.items() if "[secret:" in canonical(value) and key not in given]
    if hidden:
        reason = f"its parameter {hidden[0]} held a secret and is not in its trace: give it again with -p"
        raise NotResumable(run=run, reason=reason, where=str(trace))
    base = began.base_url if not options.base_url else options.base_url
    plan = planned(workspace, loaded, {**values, **given}, options._replace(base_url=base), environment)
    browser = before.browser
    adopted = Chromium.adopt(browser.pid, Path(browser.profile), browser.endpoint) if browser else None
    way = restart(loaded.workflow, len(done))
    if isinstance(way, str):
        if adopted is None:
            raise NotResumable(run=run, reason=way, where=str(trace))
        way = restart(loaded.workflow, 0)
        assert not isinstance(way, str)  # nothing is done yet, so anything may be repeated
    resume = Resume(
        run_id=_run_id(lines),
        done=done,
        dispatched=frozenset(item for item in dispatched if item.split("/")[0] not in done),
        survived=adopted is not None,
        restart=way,
    )
    return plan._replace(resume=resume), adopted


def _run_id(lines: tuple[TraceLine, ...]) -> str:
    return lines[0].run


def _same_version(workspace: Workspace, began: RunStarted, name: str, run: str, options: RunOptions) -> Loaded:
    if name and name.split("@")[0] != began.workflow and name != began.path:
        raise NotResumable(run=run, reason=f"it ran {began.workflow}, not {name}", where=name)
    stored = began.version > 0
    loaded = workspace.load(f"{began.workflow}@{began.version}") if stored else workspace.load_file(Path(began.path))
    if loaded.version.id != began.version_id and not options.force:
        reason = f"it ran version {began.version_id[:19]}…, and {loaded.version.path} is now {loaded.version.id[:19]}…"
        raise NotResumable(run=run, reason=reason, where=loaded.version.path, remedy="--force goes on all the same")
    return loaded


def _done(before: Interrupted, options: RunOptions, loaded: Loaded) -> tuple[str, ...]:
    """Steps that are not done again: those confirmed, and then those of which the person has said so."""
    done = list(before.done)
    for step in loaded.workflow.steps[len(done) :]:
        if step.name not in options.done:
            break
        done.append(step.name)
    return tuple(done)


def _dispatched(workspace: Workspace, trace: Path, began: RunStarted, out: Path | None) -> set[str]:
    """Steps in the dispatch journals of this run and of those that it went on with."""
    found = set(dispatched_steps(trace.with_name(f"{trace.stem}.dispatched.jsonl")))
    if began.resumes:
        earlier = find_trace(workspace, began.resumes, out or trace.parent)
        start = next(line.event for line in read_trace(earlier).lines if isinstance(line.event, RunStarted))
        found |= _dispatched(workspace, earlier, start, out)
    return found


def _need_no_variables(loaded: Loaded, done: int, run: str, trace: Path) -> None:
    lost = lost_names(loaded.workflow, done)
    if lost:
        reason = f"steps done already have set {', '.join(lost)}, which later cells use and a new kernel does not have"
        raise NotResumable(
            run=run, reason=reason, where=str(trace), remedy="run it anew, or pass such values by the page"
        )

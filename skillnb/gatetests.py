"""Wiring of ``skillnb gates``: recorded runs of a workflow read back, and its post gates tested on what they saw."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from skillnb.codec import decode
from skillnb.errors import StoreError, UsageError
from skillnb.rules.authored import authored_cells
from skillnb.rules.gatelint import weak_gates
from skillnb.rules.gatescores import StepScore, score_step
from skillnb.rules.lint_gates import lint_gates
from skillnb.rules.passages import Passage, at_rest, before_step, used_by
from skillnb.rules.snapshot import replayed
from skillnb.store.blobs import BlobFolder
from skillnb.store.traces import read_trace
from skillnb.terms.finding import Finding
from skillnb.terms.observation import Observation, Recorded
from skillnb.terms.outcome import Outcome
from skillnb.terms.outcome import Path as Way
from skillnb.terms.trace import PageOpened, RunStarted, StepFinished, TraceLine
from skillnb.workspace import Loaded, Workspace

__all__ = ["check", "Checked", "LAST", "mutate", "Mutated", "Records"]

LAST = 5
"""When none is named, so many of the latest runs are read in which a step has passed."""


class Records(NamedTuple):
    """What was recorded of a workflow. ``left_out`` are traces that can't be read, each with the reason."""

    runs: tuple[str, ...]
    passages: tuple[Passage, ...]
    left_out: tuple[str, ...]


class Checked(NamedTuple):
    loaded: Loaded
    records: Records
    findings: tuple[Finding, ...]


class Mutated(NamedTuple):
    loaded: Loaded
    records: Records
    steps: tuple[StepScore, ...]


def check(workspace: Workspace, name: str, runs: Sequence[str] = ()) -> Checked:
    """Weak gates of ``site/name`` or of a notebook file: by its source, and by what runs of the workflow have seen.

    Raises UsageError and its kin, StoreError for a named run that can't be read.
    """
    loaded = _loaded(workspace, name)
    records = _records(workspace, loaded, runs)
    where = loaded.version.path
    found = [
        *lint_gates(authored_cells(loaded.nb), loaded.workflow.start_url, where),
        *weak_gates(loaded.workflow, records.passages, where),
    ]
    return Checked(loaded, records, tuple(dict.fromkeys(sorted(found, key=lambda each: each.level))))


def mutate(workspace: Workspace, name: str, runs: Sequence[str] = ()) -> Mutated:
    """How the post gates answer changed pages. Raises as ``check``, and UsageError where no run is on record."""
    loaded = _loaded(workspace, name)
    records = _records(workspace, loaded, runs)
    if not records.passages:
        raise UsageError(
            "no step of it has passed in a recorded run",
            where=loaded.workflow.name,
            found="; ".join(records.left_out[:3]),
            remedy=f"run it first: `skillnb run {loaded.workflow.name}`, or name a trace with --run",
        )
    steps = []
    for step in loaded.workflow.steps:
        of_step = [passage for passage in records.passages if passage.step == step.name]
        if of_step and step.post_gates:
            used = used_by(loaded.workflow, step.name)
            steps.append(score_step(step.name, step.post_gates, of_step, used))
    return Mutated(loaded, records, tuple(steps))


def _loaded(workspace: Workspace, name: str) -> Loaded:
    return workspace.load_file(Path(name)) if name.endswith(".ipynb") else workspace.load(name)


def _records(workspace: Workspace, loaded: Loaded, runs: Sequence[str]) -> Records:
    traces = [_named(workspace, run) for run in runs] if runs else _of_workflow(workspace, loaded.workflow.name)
    read, passages, left_out = list[str](), list[Passage](), list[str]()
    for trace in traces:
        try:
            found = tuple(_passages(trace, loaded))
        except StoreError as error:
            if runs:
                raise
            left_out.append(str(error))
            continue
        if found or runs:
            read.append(trace.stem)
            passages += found
        if not runs and len(read) == LAST:
            break
    return Records(tuple(read), tuple(passages), tuple(left_out))


def _named(workspace: Workspace, run: str) -> Path:
    """A run by its id or by the file of its trace. Raises UsageError."""
    if run.endswith(".jsonl"):
        found = [Path(run)] if Path(run).is_file() else []
    else:
        found = sorted(workspace.logs.rglob(f"{run}.jsonl"))
    if not found:
        raise UsageError("no such run", where="--run", found=repr(run), remedy="name a run id or a trace file")
    return found[0]


def _of_workflow(workspace: Workspace, name: str) -> Iterator[Path]:
    """Newest first by their ids, which begin with the time; only the first line is looked at."""
    for trace in sorted(workspace.logs.rglob("*.jsonl"), key=lambda path: path.name, reverse=True):
        if _workflow_of(trace) == name:
            yield trace


def _workflow_of(trace: Path) -> str:
    with trace.open("rb") as file:
        first = file.readline()
    try:
        return str(json.loads(first)["event"]["workflow"])
    except (ValueError, KeyError, TypeError):
        return ""


def _passages(trace: Path, loaded: Loaded) -> Iterator[Passage]:
    """Raises StoreError for a trace that can't be read or is of another workflow."""
    lines = read_trace(trace).lines
    started = next((line.event for line in lines if isinstance(line.event, RunStarted)), None)
    if started is None or started.workflow != loaded.workflow.name:
        of = f"of {started.workflow}" if started else "of nothing that began"
        raise StoreError("not a run of this workflow", where=str(trace), found=of, expected=loaded.workflow.name)
    values, secrets = _values(started, loaded)
    page = next((line.event for line in lines if isinstance(line.event, PageOpened)), None)
    opened = _state(page.evidence.snapshot, trace) if page else None
    ended = list(_ended(lines, trace, loaded))
    states = [seen for _, seen in ended]
    for at, (event, after) in enumerate(ended):
        if event.outcome is not Outcome.PASSED or event.path is Way.SKIPPED or after is None:
            continue
        previous = states[at - 1] if at else opened
        yield Passage(
            run=trace.stem,
            step=event.step,
            values=values,
            secrets=secrets,
            before=None if previous is None else before_step(previous),
            after=after,
            elsewhere=tuple(seen for other, seen in enumerate(states) if seen is not None and other != at),
        )


def _values(started: RunStarted, loaded: Loaded) -> tuple[Mapping[str, object], frozenset[str]]:
    """In what is recorded a secret is replaced by a mark with its name, so that mark is its value here."""
    values = dict(json.loads(started.parameters))
    secrets = frozenset(item.name for item in loaded.workflow.parameters if item.secret)
    return {**values, **{name: f"[secret:{name}]" for name in secrets}}, secrets


def _ended(
    lines: Sequence[TraceLine], trace: Path, loaded: Loaded
) -> Iterator[tuple[StepFinished, Observation | None]]:
    """The workflow's own steps in order, each with what the page showed at its end, if that was kept."""
    names = {step.name for step in loaded.workflow.steps}
    for line in lines:
        event = line.event
        if isinstance(event, StepFinished) and event.workflow == loaded.workflow.name and event.step in names:
            yield event, _state(event.evidence.snapshot, trace)


def _state(digest: str, trace: Path) -> Observation | None:
    path = _blob(digest, trace) if digest else ""
    if not path.endswith(".json"):  # records of an older form
        return None
    return at_rest(replayed(decode(Recorded, Path(path).read_bytes(), path)))


def _blob(digest: str, trace: Path) -> str:
    """Blobs lie in the folder of the trace or in one above it."""
    places = (folder / "blobs" for folder in trace.absolute().parents)
    return next((path for place in places if place.is_dir() and (path := BlobFolder(place).path(digest))), "")

"""Recorded runs of a workflow, read back from ``replay_logs``: how they ended and what they cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skillnb.errors import BadTraceLine
from skillnb.store.protocol import Version
from skillnb.store.traces import read_trace
from skillnb.terms.trace import RepairTried, RunFinished, RunStarted, StepFinished
from skillnb.workspace import Workspace

__all__ = ["index", "PastRun", "proofs", "runs_of"]


class PastRun(NamedTuple):
    run: str
    version: int
    version_id: str
    at: str
    """When it ended; empty where it never did."""
    outcome: str
    """``unfinished`` for a run that was killed or still goes on."""
    paths: tuple[str, ...]
    """Of its own steps in order: ``code``, ``repaired``, ``procedure``, ``intent``, ``skipped``; ``-``: in no way."""
    tokens: int
    repairs: int
    """Tried."""
    trace: str


def index(workspace: Workspace) -> dict[str, list[Path]]:
    """The traces of each workflow, newest first. Only first lines are read."""
    found: dict[str, list[Path]] = {}
    for path in sorted(workspace.logs.glob("*/*/*.jsonl"), key=lambda path: path.stem, reverse=True):
        if path.name == "repairs.jsonl" or path.name.endswith(".dispatched.jsonl"):
            continue
        name = _workflow(path)
        if name:
            found.setdefault(name, []).append(path)
    return found


def _workflow(path: Path) -> str:
    """Empty where the trace has no first line yet."""
    with path.open("rb") as file:
        first = file.readline()
    if not first.endswith(b"\n"):
        return ""
    try:
        return str(json.loads(first)["event"].get("workflow", ""))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadTraceLine(where=f"{path}:1", problem=str(error)) from None


def runs_of(paths: list[Path]) -> Iterator[PastRun]:
    """Raises BadTraceLine."""
    for path in paths:
        run = _read(path)
        if run is not None:
            yield run


def proofs(workspace: Workspace, version: Version, since: str = "") -> tuple[str, ...]:
    """Ids of the runs that passed with this version as it is, newest first; ``since``: ended after that moment."""
    runs = runs_of(index(workspace).get(version.name, []))
    return tuple(run.run for run in runs if run.outcome == "passed" and run.version_id == version.id and run.at > since)


def _read(path: Path) -> PastRun | None:
    lines = read_trace(path).lines
    began = next((line.event for line in lines if isinstance(line.event, RunStarted)), None)
    if began is None:
        return None
    end = next((line for line in reversed(lines) if isinstance(line.event, RunFinished)), None)
    steps = [line.event for line in lines if isinstance(line.event, StepFinished)]
    return PastRun(
        run=path.stem,
        version=began.version,
        version_id=began.version_id,
        at=end.at if end else "",
        outcome=str(end.event.outcome) if end and isinstance(end.event, RunFinished) else "unfinished",
        paths=tuple(str(step.path or "-") for step in steps if step.workflow == began.workflow),
        tokens=sum(step.tokens for step in steps),
        repairs=sum(isinstance(line.event, RepairTried) for line in lines),
        trace=str(path),
    )

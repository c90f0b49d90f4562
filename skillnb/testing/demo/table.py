"""What the demonstration prints in the end. Pure: made from the runs' own JSON and what the database said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from skillnb.terms import term

__all__ = [
    "all_good",
    "outcome_lines",
    "path_table",
    "Ran",
    "ran",
    "report",
    "StepRan",
    "summary",
    "telling",
    "where_lines",
]

_ABSENT = "-"


@term
class StepRan:
    step: str
    outcome: str
    path: str
    """Empty where the step was done in no way."""
    failure: str
    seconds: float


@term
class Ran:
    """One workflow on one version, and what the database held afterwards."""

    version: str
    workflow: str
    outcome: str
    """``no result`` where the command ended without one."""
    exit_status: int
    seconds: float
    reason: str
    steps: tuple[StepRan, ...]
    database: Literal["as expected", "not as expected", "not checked"]
    problems: tuple[str, ...]
    notebook: str
    trace: str

    @property
    def good(self) -> bool:
        return self.outcome == "passed" and self.exit_status == 0 and self.database == "as expected"


def ran(version: str, workflow: str, exit_status: int, told: Mapping[str, Any], problems: Sequence[str] | None) -> Ran:
    """From the object that ``skillnb run --json`` prints (empty if it printed none); ``problems`` None: not checked."""
    steps = tuple(
        StepRan(
            step=str(step["step"]),
            outcome=str(step["outcome"]),
            path=str(step["path"] or ""),
            failure=str(step["failure"] or ""),
            seconds=float(step["seconds"]),
        )
        for step in told.get("steps", ())
    )
    return Ran(
        version=version,
        workflow=workflow,
        outcome=str(told.get("outcome", "no result")),
        exit_status=exit_status,
        seconds=float(told.get("seconds", 0)),
        reason=str(told.get("reason", "")),
        steps=steps,
        database="not checked" if problems is None else "not as expected" if problems else "as expected",
        problems=tuple(problems or ()),
        notebook=str(told.get("notebook", "")),
        trace=str(told.get("trace", "")),
    )


def all_good(done: Sequence[Ran]) -> bool:
    """Nothing at all is no success."""
    return bool(done) and all(each.good for each in done)


def report(done: Sequence[Ran], jupyter: str) -> str:
    return "\n\n".join((path_table(done), outcome_lines(done), summary(done), where_lines(done, jupyter)))


def path_table(done: Sequence[Ran]) -> str:
    """A row for each workflow and each of its steps, a column for each version: outcome or way, and seconds."""
    versions = list(dict.fromkeys(each.version for each in done))
    rows = [["workflow, step", *versions]]
    for workflow in dict.fromkeys(each.workflow for each in done):
        of_version = {each.version: each for each in done if each.workflow == workflow}
        rows.append([workflow, *(_whole(of_version.get(version)) for version in versions)])
        for step in dict.fromkeys(step.step for each in of_version.values() for step in each.steps):
            cells = [_cell(of_version.get(version), step) for version in versions]
            rows.append(["  " + step, *cells])
    return _aligned(rows)


def outcome_lines(done: Sequence[Ran]) -> str:
    """A row for each run, and below it what was wrong."""
    rows = [["workflow", "version", "outcome", "exit", "seconds", "database afterwards"]]
    remarks: dict[int, list[str]] = {}
    for each in done:
        rows.append(
            [each.workflow, each.version, each.outcome, str(each.exit_status), f"{each.seconds:.1f}", each.database]
        )
        remarks[len(rows) - 1] = [
            *([f"  {each.reason}"] if each.reason else []),
            *(f"  database: {problem}" for problem in each.problems),
        ]
    lines = _aligned(rows).splitlines()
    return "\n".join(line for number, row in enumerate(lines) for line in (row, *remarks.get(number, ())))


def summary(done: Sequence[Ran]) -> str:
    passed = sum(each.outcome == "passed" for each in done)
    held = sum(each.database == "as expected" for each in done)
    lines = [f"{passed} of {len(done)} runs passed; the database was as expected after {held} of {len(done)}"]
    for version in dict.fromkeys(each.version for each in done):
        ways = Counter(_way(step) for each in done if each.version == version for step in each.steps)
        told = ", ".join(f"{count} {way}" for way, count in ways.most_common())
        lines.append(f"steps on {version}: {told or 'none'}")
    return "\n".join(lines)


def where_lines(done: Sequence[Ran], jupyter: str) -> str:
    """The files to look at, and the command that opens the most telling one."""
    rows = [[each.workflow, each.version, each.notebook] for each in done if each.notebook]
    folders = list(dict.fromkeys(each.notebook.rpartition("/")[0] for each in done if each.notebook))
    lines = [
        "executed notebooks (the trace of each is beside it, as .jsonl):",
        *("  " + line for line in _aligned(rows).splitlines()),
        "screenshots and page snapshots:",
        *(f"  {folder}/blobs/" for folder in folders),
    ]
    shown = telling(done)
    if shown is not None:
        lines += ["open one in JupyterLab:", f"  {jupyter} {shown.notebook}"]
    return "\n".join(lines)


def telling(done: Sequence[Ran]) -> Ran | None:
    """The run to look at first: one that went wrong, else the one with most steps not done by code."""

    def interest(each: Ran) -> tuple[bool, int]:
        return not each.good, sum(step.path != "code" for step in each.steps)

    return max((each for each in done if each.notebook), key=interest, default=None)


def _whole(each: Ran | None) -> str:
    if each is None:
        return _ABSENT
    return f"{each.outcome if each.outcome == 'passed' else each.outcome.upper():<10} {each.seconds:5.2f}"


def _cell(each: Ran | None, name: str) -> str:
    """A step that ran more than once, as in a workflow called twice, is told by its last time and all its seconds."""
    found = [step for step in each.steps if step.step == name] if each else []
    if not found:
        return _ABSENT
    last = found[-1]
    seconds = sum(step.seconds for step in found)
    failure = f" ({last.failure})" if last.failure and last.outcome != "passed" else ""
    return f"{_way(last) + failure:<10} {seconds:5.2f}"


def _way(step: StepRan) -> str:
    """A way counts only where the step passed: what did not pass is never shown as done."""
    return step.path if step.outcome == "passed" else step.outcome.upper()


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )

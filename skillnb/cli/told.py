"""What commands print: progress on stderr, tables or one JSON object on stdout."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console
from rich.table import Table

from skillnb.loading import imported

__all__ = ["print_findings", "print_json", "print_run", "Progress", "run_object"]

_COLOURS = {"passed": "green", "failed": "red", "unverified": "yellow", "aborted": "yellow"}
_HEALED = {"repaired", "procedure", "intent"}


def _told_use(use: Any) -> str:
    told: str = imported("skillnb.rules.spending").told_use(use)
    return told


def print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")


class Progress:
    """One line per finished step, on stderr."""

    def __init__(self, _workspace: object) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)

    def cell_started(self, index: int, cell: Any) -> None: ...

    def cell_finished(self, index: int, cell: Any, failed: bool) -> None: ...

    def step_finished(self, result: Any) -> None:
        colour = _COLOURS[result.outcome]
        path = f" by {result.path}" if result.path else ""
        reason = f"  {result.reason}" if result.outcome != "passed" or result.path in _HEALED else ""
        self._console.print(f"[{colour}]{result.outcome}[/]{path}  {result.step}  {result.seconds:.2f} s", end="")
        self._console.print(reason, markup=False)


def print_run(result: Any, as_json: bool) -> None:
    """The summary: every step with the way it was done, so that nothing healed or skipped goes unseen."""
    if as_json:
        print_json(run_object(result))
        return
    console = Console(highlight=False, soft_wrap=True)
    table = Table("step", "outcome", "path", "seconds", "gates", box=None, pad_edge=False)
    for step in result.steps:
        held = sum(gate.verdict == "passed" for gate in step.gates)
        outcome = f"[{_COLOURS[step.outcome]}]{step.outcome}[/]"
        table.add_row(step.step, outcome, step.path or "", f"{step.seconds:.2f}", f"{held}/{len(step.gates)}")
    console.print(table)
    for step in result.steps:
        if step.outcome != "passed" or step.path != "code":
            failure = f"[{step.failure}] " if step.failure else ""
            console.print(f"{step.step}: {failure}{step.reason}", markup=False)
        for patch in step.patched:
            console.print(f"{step.step}: {patch}", markup=False)
    colour = _COLOURS[result.outcome]
    console.print(f"[{colour}]{result.outcome}[/]  {result.workflow}@{result.version}  {result.seconds:.1f} s")
    if result.reason:
        console.print(result.reason, markup=False)
    for note in result.notes:
        console.print(f"note: {note}", markup=False)
    for step in result.steps:
        if step.use.calls:
            console.print(f"model     {step.step}: {_told_use(step.use)}", markup=False)
    console.print(f"notebook  {result.notebook}\ntrace     {result.trace}", markup=False)
    if result.failure_bundle:
        console.print(f"failure   {result.failure_bundle}", markup=False)


def _use(use: Any) -> dict[str, object] | None:
    """None where no model was asked; the cost is None where no price is known."""
    if not use.calls:
        return None
    return {
        "model": use.model,
        "calls": use.calls,
        "prompt_tokens": use.prompt_tokens,
        "completion_tokens": use.completion_tokens,
        "cost": use.cost,
        "actions": use.actions,
        "seconds": use.seconds,
    }


def _plain(text: str) -> str:
    return text.replace("[", "\\[")


def run_object(result: Any) -> dict[str, object]:
    """The JSON form of a run: a stable shape that scripts may rely on."""
    return {
        "run_id": result.run_id,
        "workflow": result.workflow,
        "version": result.version,
        "version_id": result.version_id,
        "outcome": str(result.outcome),
        "exit_status": result.exit_status,
        "reason": result.reason,
        "seconds": result.seconds,
        "steps": [
            {
                "step": step.step,
                "workflow": step.workflow,
                "outcome": str(step.outcome),
                "path": str(step.path) if step.path else None,
                "gates": [
                    {
                        "gate": gate.gate.expression,
                        "moment": str(gate.moment),
                        "verdict": str(gate.verdict),
                        "expected": gate.expected,
                        "actual": gate.actual,
                        "seconds": gate.seconds,
                    }
                    for gate in step.gates
                ],
                "seconds": step.seconds,
                "tokens": step.tokens,
                "model": _use(step.use),
                "failure": str(step.failure) if step.failure else None,
                "reason": step.reason,
                "patched": list(step.patched),
            }
            for step in result.steps
        ],
        "notebook": result.notebook,
        "trace": result.trace,
        "failure_bundle": result.failure_bundle,
        "notes": list(result.notes),
    }


def print_findings(findings: Any, files: int, as_json: bool) -> None:
    if as_json:
        shown = [
            {name: str(getattr(item, name)) for name in ("level", "where", "reason", "remedy", "code")}
            for item in findings
        ]
        print_json({"files": files, "findings": shown})
        return
    console = Console(highlight=False, soft_wrap=True)
    for item in findings:
        colour = "red" if item.level == "error" else "yellow"
        console.print(f"[{colour}]{item.level}[/] {_plain(item.where)}: {_plain(item.reason)} \\[{item.code}]")
        console.print(f"    {item.remedy}", markup=False)
    errors = sum(item.level == "error" for item in findings)
    console.print(f"{files} checked: {errors} errors, {len(findings) - errors} warnings")

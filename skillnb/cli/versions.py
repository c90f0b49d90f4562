"""``skillnb list``, ``show`` and ``history``: how workflows stand."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from skillnb.cli.opened import imported, opened
from skillnb.cli.told import print_json

__all__ = ["entry_line", "history", "list_workflows", "show"]

_Name = Annotated[str, typer.Argument(help="site/name, or site/name@3")]
_Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
_Project = Annotated[Path | None, typer.Option(help="the workspace; else found from here")]


def list_workflows(as_json: _Json = False, project: _Project = None) -> None:
    """All workflows: state, version, the ways of the last runs' steps, what they cost, and what is known of them."""
    listing = imported("skillnb.listing")
    rows = listing.listed(opened(project, os.environ))
    if as_json:
        print_json({"workflows": [_listed(row, listing.burden) for row in rows]})
        return
    table = Table("workflow", "state", "runs", "last runs, newest first", "tokens", "repairs", "verdict", box=None)
    for row in rows:
        cost = listing.burden(row.runs)
        table.add_row(
            row.name,
            row.state,
            _version(row),
            "\n".join(f"{run.outcome} @{run.version} {_ways(run.paths)}" for run in row.runs) or "none",
            str(cost.tokens),
            str(cost.repairs),
            row.trouble or row.verdict,
        )
    Console(highlight=False).print(table)


def show(name: _Name, as_json: _Json = False, project: _Project = None) -> None:
    """One version: its steps, parameters and gates, and all there are of the workflow."""
    listing = imported("skillnb.listing")
    told = listing.shown(opened(project, os.environ), name)
    facts = _shown(told, listing.burden)
    if as_json:
        print_json(facts)
        return
    console = Console(highlight=False, soft_wrap=True)
    row, workflow = told.listed, told.loaded.workflow
    console.print(f"{row.name}@{told.loaded.version.number}  {row.state}  {workflow.title}", markup=False)
    console.print(f"{told.loaded.version.path}  {told.loaded.version.id}", markup=False)
    for item in workflow.parameters:
        told_default = "required" if item.required else item.default
        console.print(f"parameter {item.name}: {item.type} {told_default}  {item.help}".rstrip(), markup=False)
    for step in workflow.steps:
        how = "code" if step.settings.formalized else "guided"
        console.print(f"step {step.name}: {step.intent} ({how}, {step.settings.effect})", markup=False)
        for gate in step.post_gates:
            console.print(f"    after: {gate.expression}", markup=False)
    for step in told.ungated:
        console.print(f"step {step} has no gate after it: it can never pass, and the version not be released")
    for item in told.versions:
        mark = "runs now" if item.runs_now else ""
        console.print(f"version {item.number}  {_made(item.entry)}  {mark}".rstrip(), markup=False)
    console.print(row.trouble or row.verdict, markup=False)


def history(name: _Name, as_json: _Json = False, project: _Project = None) -> None:
    """Who has done what to a workflow, when, why and on what evidence. Exit 1 where a line of it broke off."""
    told = imported("skillnb.listing").history(opened(project, os.environ), name)
    if as_json:
        plain = imported("skillnb.codec").plain
        print_json({"name": told.name, "entries": [plain(entry) for entry in told.entries], "torn": told.torn})
    else:
        for number, entry in enumerate(told.entries, start=1):
            typer.echo(f"{number}  {entry_line(entry)}")
    if told.torn:
        typer.echo(f"skillnb: {told.torn}", err=True)
        raise typer.Exit(1)


def entry_line(entry: Any) -> str:
    came = f" from {entry.origin}" if entry.origin and entry.origin != entry.version else ""
    runs = f" [{len(entry.evidence)} runs: {', '.join(entry.evidence)}]" if entry.evidence else ""
    run = f" [run {entry.run}]" if entry.run else ""
    return (
        f"{entry.at or 'with the product'}  {entry.event} {entry.version}{came} by {entry.who}: {entry.why}{runs}{run}"
    )


def _made(entry: Any) -> str:
    return entry_line(entry) if entry else "not named in the history"


def _version(row: Any) -> str:
    later = f" (newest {row.newest})" if row.version != row.newest else ""
    return f"@{row.version}{later}" if row.version else f"nothing{later}"


def _ways(paths: tuple[str, ...]) -> str:
    """Equal neighbours counted: ``code x5, procedure``."""
    told: list[tuple[str, int]] = []
    for path in paths:
        if told and told[-1][0] == path:
            told[-1] = (path, told[-1][1] + 1)
        else:
            told.append((path, 1))
    return ", ".join(path if count == 1 else f"{path} x{count}" for path, count in told)


def _listed(row: Any, burden: Any) -> dict[str, object]:
    return {
        "name": row.name,
        "state": row.state,
        "version": row.version,
        "newest": row.newest,
        "runs": [{**run._asdict(), "paths": list(run.paths)} for run in row.runs],
        "burden": burden(row.runs)._asdict(),
        "passed": row.passed,
        "tried": row.tried,
        "verdict": row.verdict,
        "trouble": row.trouble,
    }


def _shown(told: Any, burden: Any) -> dict[str, object]:
    plain = imported("skillnb.codec").plain
    workflow = told.loaded.workflow
    return {
        **_listed(told.listed, burden),
        "shown": told.loaded.version.number,
        "id": told.loaded.version.id,
        "path": told.loaded.version.path,
        "title": workflow.title,
        "parameters": [plain(item) for item in workflow.parameters],
        "steps": [
            {
                "step": step.name,
                "intent": step.intent,
                "procedure": list(step.procedure),
                "settings": plain(step.settings),
                "gates_before": [gate.expression for gate in step.pre_gates],
                "gates_after": [gate.expression for gate in step.post_gates],
            }
            for step in workflow.steps
        ],
        "without_gates": list(told.ungated),
        "versions": [
            {"version": item.number, "runs_now": item.runs_now, "entry": plain(item.entry) if item.entry else None}
            for item in told.versions
        ],
    }

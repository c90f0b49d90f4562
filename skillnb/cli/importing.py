"""``skillnb import``: recordings and skills become workflows."""

from __future__ import annotations

import getpass
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from skillnb.cli.opened import opened
from skillnb.cli.run import given
from skillnb.cli.told import print_json
from skillnb.loading import imported

__all__ = ["app", "codegen", "now", "print_imported", "skill", "who"]

app = typer.Typer(help="Make workflows of what other tools have written.", no_args_is_help=True)

_Values = Annotated[
    list[str] | None,
    typer.Option("-p", "--parameter", help="NAME=VALUE: take this text of the recording for a parameter, repeatable"),
]
_Secrets = Annotated[list[str] | None, typer.Option("--secret", help="a parameter that is secret, repeatable")]
_Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
_Project = Annotated[Path | None, typer.Option(help="the workspace; else found from here")]


@app.callback()
def _group() -> None: ...


@app.command("codegen")
def codegen(
    file: Annotated[Path, typer.Argument(help="what `playwright codegen --target python-async` wrote")],
    name: Annotated[str, typer.Option(help="site/name")],
    start_url: Annotated[str, typer.Option(help="where runs start; else where the recording did")] = "",
    parameter: _Values = None,
    secret: _Secrets = None,
    as_json: _Json = False,
    project: _Project = None,
) -> None:
    """Make a workflow of a recording, which is read and never run. Exit 2 when it can't be taken over."""
    importing = imported("skillnb.importing")
    asked = importing.Asked(name, start_url, given(parameter or []), frozenset(secret or ()))
    made = importing.import_recording(opened(project, os.environ), file, asked, who(), now())
    print_imported(made, as_json)


@app.command("skill")
def skill(
    folder: Annotated[Path, typer.Argument(help="a folder with a SKILL.md")],
    name: Annotated[str, typer.Option(help="site/name, for a skill without a notebook")] = "",
    start_url: Annotated[str, typer.Option(help="where runs start, for a skill without a notebook")] = "",
    as_json: _Json = False,
    project: _Project = None,
) -> None:
    """Take a skill folder over: the workflow that it holds, or guidance only where it holds none."""
    workspace = opened(project, os.environ)
    made = imported("skillnb.skillfolders").import_skill(workspace, folder, name, start_url, who(), now())
    if as_json:
        facts = {"name": made.workflow.name, "version": 1, "version_id": made.version_id, "path": str(made.path)}
        print_json(facts | {"guidance_only": made.foreign, "remarks": list(made.remarks), "findings": _told(made)})
        return
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{made.path}\n{made.workflow.name}  {made.version_id}", markup=False)
    for remark in made.remarks:
        console.print(f"- {remark}", markup=False)


def who() -> str:
    return getpass.getuser()


def now() -> str:
    return datetime.now(UTC).isoformat()


def print_imported(made: Any, as_json: bool) -> None:
    proposal = made.proposal
    remarks = [*proposal.remarks, *(remark for step in proposal.steps for remark in step.remarks)]
    if as_json:
        print_json(
            {
                "name": made.workflow.name,
                "version": 1,
                "path": str(made.path),
                "start_url": proposal.start_url,
                "parameters": [
                    {"name": each.name, "type": str(each.type), "help": each.help} for each in proposal.parameters
                ],
                "steps": [
                    {"step": step.name, "intent": step.intent, "effect": str(step.effect), "gated": bool(step.post)}
                    for step in proposal.steps
                ],
                "remarks": [{"line": remark.line, "text": remark.text} for remark in remarks],
                "findings": _told(made),
            }
        )
        return
    console = Console(highlight=False, soft_wrap=True)
    for step in proposal.steps:
        gated = "" if step.post else "  gate to be written"
        console.print(f"{step.effect:<10}  {step.intent}{gated}", markup=False)
    for each in proposal.parameters:
        console.print(f"parameter   {each.name}  {each.type}  {each.help}", markup=False)
    for remark in remarks:
        console.print(f"line {remark.line}: {remark.text}" if remark.line else remark.text, markup=False)
    for item in made.findings:
        console.print(f"{item.level}: {item.where.removeprefix(f'{made.path}: ')}: {item.reason}", markup=False)
    console.print(
        f"{made.path}\nread it in JupyterLab, finish its gates, then `skillnb check {made.path}`", markup=False
    )


def _told(made: Any) -> list[dict[str, str]]:
    names = ("level", "where", "reason", "remedy", "code")
    return [{name: str(getattr(item, name)) for name in names} for item in made.findings]

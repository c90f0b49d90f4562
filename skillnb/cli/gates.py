"""``skillnb gates``: are the gates themselves any good?"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from skillnb.cli.opened import imported, opened

__all__ = ["app", "check", "mutate"]

app = typer.Typer(help="Test the gates of a workflow on what its recorded runs have seen.", no_args_is_help=True)

_Name = Annotated[str, typer.Argument(help="site/name, site/name@3, or a notebook file")]
_Runs = Annotated[
    list[str] | None, typer.Option("--run", help="run id or trace file, repeatable; else the latest five runs")
]
_Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
_Project = Annotated[Path | None, typer.Option(help="the workspace; else found from here")]


@app.command()
def check(name: _Name, run: _Runs = None, as_json: _Json = False, project: _Project = None) -> None:
    """Find gates that hold where they should not. Exit 1 when a step's post gates held before it."""
    checked = imported("skillnb.gatetests").check(opened(project, os.environ), name, run or ())
    imported("skillnb.cli.gatereport").print_weak(checked, as_json)
    raise typer.Exit(1 if any(finding.level == "error" for finding in checked.findings) else 0)


@app.command()
def mutate(name: _Name, run: _Runs = None, as_json: _Json = False, project: _Project = None) -> None:
    """Change recorded pages and count the wrong ones that post gates let pass and the right ones they refuse."""
    mutated = imported("skillnb.gatetests").mutate(opened(project, os.environ), name, run or ())
    imported("skillnb.cli.gatereport").print_mutated(mutated, as_json)

"""``skillnb export``: workflows for other tools to read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from skillnb.cli.opened import opened
from skillnb.cli.told import print_json
from skillnb.loading import imported

__all__ = ["app", "skill"]

app = typer.Typer(help="Write workflows for other tools to read.", no_args_is_help=True)


@app.callback()
def _group() -> None: ...


@app.command("skill")
def skill(
    name: Annotated[str, typer.Argument(help="site/name, or site/name@3")],
    out: Annotated[Path, typer.Option(help="the folder in which the skill's own folder is made")],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
    project: Annotated[Path | None, typer.Option(help="the workspace; else found from here")] = None,
) -> None:
    """Write a SKILL.md folder, the notebook inside: `skillnb import skill` gives back the same version."""
    made = imported("skillnb.skillfolders").export_skill(opened(project, os.environ), name, out)
    if as_json:
        print_json({"skill": made.skill, "folder": str(made.folder), "version_id": made.version_id})
    else:
        typer.echo(f"{made.folder}  {made.version_id}")

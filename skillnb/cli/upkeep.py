"""``skillnb verify`` and ``gc``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from skillnb.cli.opened import imported, opened
from skillnb.cli.told import print_json

__all__ = ["gc", "verify"]

_Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
_Project = Annotated[Path | None, typer.Option(help="the workspace; else found from here")]


def verify(
    names: Annotated[list[str] | None, typer.Argument(help="workflows; all when none is named")] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="set aside a torn line and edited files, put versions back as written")
    ] = False,
    as_json: _Json = False,
    project: _Project = None,
) -> None:
    """Hold every stored version against its digest and its history. Exit 1 when something is not as it should be."""
    checked = imported("skillnb.upkeep").verify(opened(project, os.environ), tuple(names or ()), repair)
    if as_json:
        shown = [{**item._asdict(), "problems": list(item.problems), "notes": list(item.notes)} for item in checked]
        print_json({"workflows": shown})
    else:
        for item in checked:
            for line in item.problems:
                typer.echo(f"{item.name}: {line}")
            for line in item.notes:
                typer.echo(f"{item.name}: note: {line}")
        bad = sum(bool(item.problems) for item in checked)
        versions = sum(item.versions for item in checked)
        typer.echo(f"{len(checked)} workflows, {versions} versions: {len(checked) - bad} in order, {bad} not")
    raise typer.Exit(1 if any(item.problems for item in checked) else 0)


def gc(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="only list it")] = False,
    as_json: _Json = False,
    project: _Project = None,
) -> None:
    """Remove what killed writers have left in the workflows' folders; never what a history names."""
    found = imported("skillnb.upkeep").collect(opened(project, os.environ), not dry_run)
    if as_json:
        print_json({"removed": not dry_run, "files": [str(path) for path in found]})
    else:
        for path in found:
            typer.echo(str(path))
        typer.echo(f"{len(found)} files {'would be ' if dry_run else ''}removed")

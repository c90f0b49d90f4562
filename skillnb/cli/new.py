"""``skillnb new``."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from skillnb.cli.opened import imported, opened
from skillnb.cli.told import print_json

__all__ = ["new"]


def new(
    name: Annotated[str, typer.Argument(help="site/name")],
    url: Annotated[str | None, typer.Option(help="where the workflow starts")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
    project: Annotated[Path | None, typer.Option(help="the workspace; else found from here")] = None,
) -> None:
    """Write a small good example to start from."""
    workspace, now = opened(project, os.environ), datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    made = workspace.new(name, url, imported("skillnb.authorship").author(workspace.root), now)
    if as_json:
        print_json({"name": name, "version": 1, "path": str(made)})
    else:
        typer.echo(
            f"{made}\nread it in JupyterLab, check it with `skillnb check {made}`, run it with `skillnb run {name}`"
        )

"""``skillnb record``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from skillnb.cli.importing import now, print_imported, who
from skillnb.cli.opened import opened
from skillnb.cli.run import given
from skillnb.loading import imported

__all__ = ["record"]


def record(
    url: Annotated[str, typer.Argument(help="the page to begin with")],
    name: Annotated[str, typer.Option(help="site/name")],
    parameter: Annotated[
        list[str] | None,
        typer.Option("-p", "--parameter", help="NAME=VALUE: take this text for a parameter, repeatable"),
    ] = None,
    secret: Annotated[list[str] | None, typer.Option("--secret", help="a parameter that is secret, repeatable")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
    project: Annotated[Path | None, typer.Option(help="the workspace; else found from here")] = None,
) -> None:
    """Show a browser, let a person do a task in it, and make a workflow of what was done. Needs a display."""
    importing = imported("skillnb.importing")
    asked = importing.Asked(name, "", given(parameter or []), frozenset(secret or ()))
    made = importing.record(opened(project, os.environ), url, asked, who(), now(), os.environ)
    print_imported(made, as_json)

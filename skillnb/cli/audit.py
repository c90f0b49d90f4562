"""``skillnb audit``: what a run left, gone through once more."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from skillnb.cli.opened import opened
from skillnb.cli.run import given
from skillnb.cli.told import print_json
from skillnb.loading import imported

__all__ = ["app", "secrets"]

app = typer.Typer(help="Go through what a run left.", no_args_is_help=True)


@app.callback()
def _group() -> None: ...


@app.command("secrets")
def secrets(
    run: Annotated[str, typer.Argument(help="a run id, or the path of its trace or its notebook")],
    parameters: Annotated[
        list[str] | None,
        typer.Option("-p", "--parameter", help="a secret to look for: NAME=env:VARIABLE, repeatable"),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="folder that the run was told to write to")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
    project: Annotated[Path | None, typer.Option(help="the workspace; else found from here")] = None,
) -> None:
    """Search every byte that a run left for its secrets, in any encoding. Exit 0 clean, 1 found, 2 usage."""
    workspace = opened(project, os.environ)
    audit = imported("skillnb.auditing").audit_secrets(workspace, run, given(parameters or []), os.environ, out)
    if as_json:
        print_json(_object(audit))
    else:
        _print(audit)
    raise typer.Exit(1 if audit.leaks else 0)


def _object(audit: Any) -> dict[str, object]:
    return {
        "run_id": audit.run_id,
        "files": list(audit.files),
        "bytes": audit.size,
        "secrets": list(audit.secrets),
        "short": list(audit.short),
        "leaks": [leak._asdict() for leak in audit.leaks],
        "words": [leak._asdict() for leak in audit.words],
    }


def _print(audit: Any) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for leak in audit.leaks:
        console.print(f"found  {leak.secret}  in {leak.file}", markup=False)
    for name in audit.short:
        console.print(f"not looked for: {name} has under four characters", markup=False)
    for word in audit.words:
        console.print(f"by coincidence: {word.secret} is a word or number of the format of {word.file}", markup=False)
    files = f"{len(audit.files)} files, {audit.size} bytes, {len(audit.secrets)} secrets"
    console.print(f"{audit.run_id}: {len(audit.leaks)} found in {files}", markup=False)

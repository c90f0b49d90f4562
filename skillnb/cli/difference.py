"""``skillnb diff``."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from skillnb.cli.opened import imported, opened
from skillnb.cli.told import print_json
from skillnb.errors import PortTaken

__all__ = ["diff"]

_STYLES = {"-": "red", "+": "green"}


def diff(
    before: Annotated[str, typer.Argument(help="site/name, site/name@3, or a notebook file")],
    after: Annotated[str, typer.Argument(help="the other one")],
    cells: Annotated[bool, typer.Option("--cells", help="nbdime's difference of the files beneath")] = False,
    web: Annotated[bool, typer.Option("--web", help="nbdime's page on loopback, until Ctrl-C")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="of the page; 0 is any that is free")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
    project: Annotated[Path | None, typer.Option(help="the workspace; else found from here")] = None,
) -> None:
    """What changed from one version to another, by steps: gates, guidance, code."""
    workspace = opened(project, os.environ)
    one, two = (_loaded(workspace, text) for text in (before, after))
    files = Path(one.version.path), Path(two.version.path)
    if web:
        _serve(files, port)
        return
    found = imported("skillnb.rules.stepdiff").step_diff(one.workflow, two.workflow)
    beneath = imported("skillnb.notebook.nbdiff").cell_diff(*files) if cells else ""
    if as_json:
        steps = [
            {
                "step": item.step or None,
                "kind": item.kind,
                "parts": [{"part": part.part, "lines": list(part.lines)} for part in item.parts],
            }
            for item in found
        ]
        ids = {"before": one.version.id, "after": two.version.id}
        print_json({**ids, "same": one.version.id == two.version.id, "steps": steps, "cells": beneath})
    else:
        _print(_title(one), _title(two), found, beneath)


def _loaded(workspace: Any, text: str) -> Any:
    return workspace.load_file(Path(text)) if text.endswith(".ipynb") else workspace.load(text)


def _title(loaded: Any) -> str:
    number = f"@{loaded.version.number}" if loaded.version.number else ""
    return f"{loaded.version.name}{number}  {loaded.version.path}"


def _print(before: str, after: str, found: Any, beneath: str) -> None:
    """In colours where it is a terminal."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(f"--- {before}", style="red"))
    console.print(Text(f"+++ {after}", style="green"))
    if not found:
        console.print("they mean the same")
    for item in found:
        console.print(Text(f"{'step ' + item.step if item.step else 'workflow'}: {item.kind}", style="bold"))
        for part in item.parts:
            console.print(Text(f"  {part.part}", style="cyan"))
            for line in part.lines:
                console.print(Text(f"    {line}", style=_STYLES.get(line[:1], "")))
    if beneath:
        sys.stdout.write(beneath)


def _serve(files: tuple[Path, Path], port: int) -> None:
    try:
        imported("skillnb.notebook.nbdiff").serve_diff(*files, port, lambda line: typer.echo(line))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise PortTaken(port=port) from error

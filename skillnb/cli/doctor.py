"""``skillnb doctor``."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from rich.console import Console

from skillnb.cli.opened import imported
from skillnb.cli.told import print_json

__all__ = ["doctor"]


def doctor(
    end_leftovers: Annotated[
        bool, typer.Option("--end-leftovers", help="end browsers whose run was killed; these can't be resumed then")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Say what is missing on this machine and how to get it. Exit 4 when a run could not start."""
    if end_leftovers:
        ended = imported("skillnb.health").end_leftovers()
        if as_json:
            print_json({"ended": list(ended)})
        else:
            typer.echo("\n".join(f"ended {item}" for item in ended) or "nothing was left")
        return
    findings = imported("skillnb.health").examine(os.environ)
    if as_json:
        print_json({"checks": [item._asdict() for item in findings]})
    else:
        console = Console(highlight=False, soft_wrap=True)
        for item in findings:
            mark = "[green]ok[/]     " if item.ok else "[red]missing[/]" if item.needed else "[yellow]absent[/] "
            console.print(f"{mark} {item.what}: {item.found}" + ("" if item.ok else f"\n        {item.remedy}"))
    raise typer.Exit(4 if any(item.needed and not item.ok for item in findings) else 0)

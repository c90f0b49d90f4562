"""``skillnb model``: models that run on this machine."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from skillnb.cli.opened import imported
from skillnb.cli.told import print_json

__all__ = ["app", "fetch", "list_models"]

app = typer.Typer(help="Language models and embeddings that run on this machine.", no_args_is_help=True)

_Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]


@app.command("list")
def list_models(as_json: _Json = False) -> None:
    """What can be fetched, and what is here."""
    rows = imported("skillnb.models").models(os.environ)
    if as_json:
        print_json({"models": [row._asdict() for row in rows]})
        return
    table = Table("model", "size", "here", "what", "for", box=None, pad_edge=False)
    for row in rows:
        table.add_row(row.name, f"{row.bytes / 1e6:.0f} MB", "yes" if row.fetched else "no", row.title, row.use)
    Console().print(table)


@app.command()
def fetch(
    names: Annotated[list[str], typer.Argument(help="models, see `skillnb model list`")], as_json: _Json = False
) -> None:
    """Download by hash, put together and check; nothing of it is installed or run."""
    rows = []
    for name in names:
        fresh = imported("skillnb.models").fetch_model(name, os.environ, lambda line: typer.echo(line, err=True))
        rows.append({"model": name, "outcome": "fetched" if fresh else "was there"})
    if as_json:
        print_json({"models": rows})
    else:
        for row in rows:
            typer.echo(f"{row['model']} {row['outcome']}")

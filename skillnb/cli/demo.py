"""``skillnb demo``."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from skillnb.cli.opened import imported, opened

__all__ = ["demo"]

_INTERRUPTED = 130
_REQUESTS_TO_END = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def demo(
    versions: Annotated[
        list[str] | None, typer.Argument(help="of Django's admin; 3.2 and 5.2 if none is named")
    ] = None,
) -> None:
    """Run the workflows on Django's admin and check its database. Exit 1 if anything is not as it should be."""
    show, table = imported("skillnb.testing.demo.show"), imported("skillnb.testing.demo.table")
    out = show.folder_of(opened(None, os.environ).logs, datetime.now(UTC))
    for request in _REQUESTS_TO_END:
        signal.signal(request, _interrupt)
    done: list[Any] = []
    program = _from_here(Path(sys.argv[0]))
    status = 0
    try:
        with closing(show.show(versions or ["3.2", "5.2"], str(program), out, _tell)) as runs:
            done.extend(runs)
    except KeyboardInterrupt:
        status = _INTERRUPTED
    if done:
        typer.echo("\n" + table.report(done, f"{program.with_name('jupyter')} lab"))
    if status == _INTERRUPTED:
        _tell("\ninterrupted; everything that was started is stopped, and what had not finished is not in the tables")
    elif not table.all_good(done):
        status = 1
    raise typer.Exit(status)


def _from_here(path: Path) -> Path:
    """As short as it can be pasted."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _tell(line: str) -> None:
    typer.echo(line, err=True)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """The first request ends the demonstration in order; a second one would only leave things running."""
    for request in _REQUESTS_TO_END:
        signal.signal(request, signal.SIG_IGN)
    raise KeyboardInterrupt

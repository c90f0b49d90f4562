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
    interrupted = False
    try:
        with closing(show.show(versions or ["3.2", "5.2"], sys.argv[0], out, _tell)) as runs:
            done.extend(runs)
    except KeyboardInterrupt:
        interrupted = True
        _tell("\ninterrupted; everything that was started is stopped")
    if done:
        typer.echo("\n" + table.report(done, f"{Path(sys.argv[0]).with_name('jupyter')} lab"))
    raise typer.Exit(_INTERRUPTED if interrupted else 0 if table.all_good(done) else 1)


def _tell(line: str) -> None:
    typer.echo(line, err=True)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """The first request ends the demonstration in order; a second one would only leave things running."""
    for request in _REQUESTS_TO_END:
        signal.signal(request, signal.SIG_IGN)
    raise KeyboardInterrupt

"""``skillnb demo-site``."""

from __future__ import annotations

import errno
import signal
from contextlib import ExitStack
from typing import Annotated

import typer

from skillnb.cli.opened import imported
from skillnb.errors import PortTaken

__all__ = ["demo_site"]

_REQUESTS_TO_END = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def demo_site(
    port: Annotated[int, typer.Option(min=0, max=65535, help="of 127.0.0.1; 0 is any that is free")] = 0,
) -> None:
    """Run a small web shop with an issue tracker, to try workflows on, until Ctrl-C."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _REQUESTS_TO_END)  # its threads leave them to the wait below
    with ExitStack() as ending:
        try:
            site = ending.enter_context(imported("skillnb.testing.site.serving").serving(port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            raise PortTaken(port=port) from error
        typer.echo(site.url)
        for user, password in site.credentials.items():
            typer.echo(f"log in as {user} with password {password}")
        typer.echo("Ctrl-C ends it", err=True)
        signal.sigwait(_REQUESTS_TO_END)

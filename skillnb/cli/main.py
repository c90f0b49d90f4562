"""The command ``skillnb``: argv in, one library call, words or one JSON object out."""

from __future__ import annotations

import io
import sys

import typer

from skillnb import __version__
from skillnb.cli import (
    apps,
    audit,
    changes,
    check,
    demo,
    demo_site,
    difference,
    doctor,
    exporting,
    gates,
    importing,
    model,
    new,
    record,
    run,
    upkeep,
    versions,
)
from skillnb.errors import SkillnbError

__all__ = ["app", "main"]

app = typer.Typer(
    help="Durable web-agent workflows: notebooks with gates, repair and evidence.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,  # drawing help in colour loads a Markdown library: as long as all the rest
)
app.command("run")(run.run)
app.command("check")(check.check)
app.command("new")(new.new)
app.command("record")(record.record)
app.command("list")(versions.list_workflows)
app.command("show")(versions.show)
app.command("history")(versions.history)
app.command("diff")(difference.diff)
app.command("edit")(changes.edit)
app.command("release")(changes.release)
app.command("rollback")(changes.rollback)
app.command("undo")(changes.undo)
app.command("retire")(changes.retire)
app.command("restore")(changes.restore)
app.command("verify")(upkeep.verify)
app.command("gc")(upkeep.gc)
app.command("doctor")(doctor.doctor)
app.command("demo")(demo.demo)
app.command("demo-site")(demo_site.demo_site)
app.add_typer(apps.app, name="apps")
app.add_typer(audit.app, name="audit")
app.add_typer(gates.app, name="gates")
app.add_typer(model.app, name="model")
app.add_typer(importing.app, name="import")
app.add_typer(exporting.app, name="export")


@app.callback(invoke_without_command=True)
def _version(version: bool = typer.Option(False, "--version", help="print the version and stop")) -> None:
    if version:
        typer.echo(f"skillnb {__version__}")
        raise typer.Exit


def main() -> None:
    """Exit status: 0 done, 1 failed or findings, 2 usage, 3 unverified, 4 aborted, 5 passed but healed (if asked)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # pages hold every script, and halves of signs; the terminal's own choice must not end a command
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app()
    except SkillnbError as error:
        typer.echo(f"skillnb: {error}", err=True)
        sys.exit(error.exit_status)

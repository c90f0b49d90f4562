"""``skillnb run``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from skillnb.cli.opened import imported, opened
from skillnb.cli.told import Progress, print_run
from skillnb.errors import UsageError

__all__ = ["given", "run"]


def run(
    name: Annotated[str, typer.Argument(help="site/name, site/name@3, or a notebook file")] = "",
    parameters: Annotated[list[str] | None, typer.Option("-p", "--parameter", help="key=value, repeatable")] = None,
    base_url: Annotated[str, typer.Option(help="run against this site instead of the recorded one")] = "",
    out: Annotated[Path | None, typer.Option(help="folder for notebook, trace and blobs")] = None,
    frozen: Annotated[bool, typer.Option("--frozen", help="learn nothing from this run")] = False,
    no_repair: Annotated[bool, typer.Option("--no-repair", help="do not repair broken locators")] = False,
    model: Annotated[str, typer.Option(help="ask this model (`local:NAME`: one on this machine)")] = "",
    no_model: Annotated[bool, typer.Option("--no-model", help="never ask a model")] = False,
    fail_on_heal: Annotated[bool, typer.Option("--fail-on-heal", help="exit 5 if a step healed or fell back")] = False,
    timeout: Annotated[float, typer.Option(help="seconds that the whole run may take")] = 1800.0,
    resume: Annotated[str, typer.Option(help="go on with an interrupted run: its id or trace file")] = "",
    done: Annotated[list[str] | None, typer.Option("--done", help="resuming: this step took effect")] = None,
    undone: Annotated[list[str] | None, typer.Option("--undone", help="resuming: this step did not")] = None,
    force: Annotated[bool, typer.Option("--force", help="resume with another version of the notebook")] = False,
    headed: Annotated[bool, typer.Option("--headed", help="show the browser")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
    project: Annotated[Path | None, typer.Option(help="the workspace; else found from here")] = None,
) -> None:
    """Run a workflow behind its gates and record the evidence."""
    options = imported("skillnb.planning").RunOptions(
        base_url=base_url,
        out=out,
        frozen=frozen,
        repair=not no_repair,
        model=not no_model,
        model_name=model,
        fail_on_heal=fail_on_heal,
        headed=headed,
        run_seconds=timeout,
        force=force,
        done=tuple(done or ()),
        undone=tuple(undone or ()),
    )
    if model and no_model:
        raise UsageError("--model and --no-model contradict each other")
    workspace = opened(project, os.environ)
    if not name and not resume:
        raise UsageError("name a workflow (site/name), or a run to --resume")
    result = imported("skillnb.running").run(
        name,
        given(parameters or []),
        project=workspace.root,
        options=options,
        listener=Progress(workspace),
        resume=resume,
    )
    print_run(result, as_json)
    raise typer.Exit(result.exit_status)


def given(parameters: list[str]) -> dict[str, str]:
    """``key=value`` pairs; raises UsageError for a pair without ``=`` or a key given twice."""
    made: dict[str, str] = {}
    for pair in parameters:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UsageError("a parameter is given as key=value", where="-p")  # what was given may be a secret
        if key in made:
            raise UsageError(f"parameter {key} is given twice", where="-p")
        made[key] = value
    return made

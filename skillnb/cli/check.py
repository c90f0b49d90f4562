"""``skillnb check``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skillnb.cli.opened import imported
from skillnb.cli.told import print_findings

__all__ = ["check"]


def check(
    files: Annotated[list[Path], typer.Argument(help="workflow notebooks, or folders of them")],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Find what is wrong with workflow notebooks: place, reason and remedy. Exit 1 when there is an error."""
    checking = imported("skillnb.checking")
    notebooks = checking.notebooks_in(tuple(files))
    findings = [finding for file in notebooks for finding in checking.findings(file)]
    print_findings(findings, len(notebooks), as_json)
    raise typer.Exit(1 if any(finding.level == "error" for finding in findings) else 0)

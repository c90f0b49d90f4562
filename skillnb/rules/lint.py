"""Everything that is wrong with a notebook as a workflow, each with its place and a way out. Total: it never raises."""

from __future__ import annotations

from collections.abc import Mapping

from skillnb.rules.authored import authored_cells, notebook_settings
from skillnb.rules.lint_cells import lint_cells
from skillnb.rules.lint_code import lint_code
from skillnb.rules.lint_file import lint_cell_files, lint_file, lint_notebook_settings
from skillnb.rules.lint_gates import lint_gates
from skillnb.rules.lint_parameters import lint_parameters
from skillnb.rules.lint_values import lint_values
from skillnb.terms.finding import Finding

__all__ = ["lint"]


def lint(nb: Mapping[str, object], where: str) -> tuple[Finding, ...]:
    """Findings, errors first, each list in the order of the notebook. ``where`` names the file."""
    cells = authored_cells(nb)
    settings = notebook_settings(nb) or {}
    start_url = settings.get("start_url", "")
    found = [
        *lint_file(nb, where),
        *lint_notebook_settings(nb, where),
        *lint_cell_files(nb, where),
        *lint_cells(cells, settings.get("name"), where),
        *lint_parameters(cells, settings.get("parameters"), where),
    ]
    for cell in cells:
        found += lint_code(cell, where)
    start = start_url if isinstance(start_url, str) else ""
    found += lint_gates(cells, start, where)
    found += lint_values(cells, start, where)
    return tuple(dict.fromkeys(sorted(found, key=lambda finding: finding.level)))

"""Whole recordings, as the code generator writes them, to whole notebooks: every cell as it should read."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillnb.notebook.identity import version_id
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.recorded import from_recording
from skillnb.notebook.render import render
from skillnb.rules.lint import lint
from skillnb.rules.proposing import Proposal, proposed
from skillnb.rules.recording import Recording, read_recording
from skillnb.terms.workflow import Role, Workflow

RECORDINGS = Path(__file__).parents[1] / "golden" / "recordings"
NAMES = sorted(file.name.removesuffix(".py.txt") for file in RECORDINGS.glob("*.py.txt"))


def proposal_of(name: str, **given: str) -> Proposal:
    read = read_recording((RECORDINGS / f"{name}.py.txt").read_text("utf-8"))
    assert isinstance(read, Recording), read
    made = proposed(read, given=given)
    assert isinstance(made, Proposal), made
    return made


def written(workflow: Workflow) -> str:
    """Settings and sources as one text."""
    parts = [f"start {workflow.start_url}  {workflow.locale}  {workflow.timezone}"]
    for cell in workflow.cells:
        if cell.role in (Role.OPEN, Role.FALLBACK):
            continue
        settings = workflow.step(cell.step or "").settings if cell.role is Role.PROCEDURE else None
        told = f" ({settings.effect}{', optional' if settings.optional else ''})" if settings else ""
        parts.append(f"[{cell.id}]{told}\n{cell.source}")
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_becomes_this_notebook(name: str) -> None:
    workflow = from_recording(f"kit/{name}", proposal_of(name))
    assert written(workflow) == (RECORDINGS / f"{name}.expected.txt").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_it_passes_the_check_and_reads_back_as_the_same(name: str) -> None:
    workflow = from_recording(f"kit/{name}", proposal_of(name))
    assert [str(found) for found in lint(render(workflow), name) if found.level == "error"] == []
    assert version_id(parse_workflow(render(workflow), name)) == version_id(workflow)


def test_there_are_enough_of_them() -> None:
    assert len(NAMES) >= 6

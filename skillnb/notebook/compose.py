"""A new workflow from its parts: what ``skillnb new`` and induction write, in the one shape that notebooks have."""

from __future__ import annotations

from skillnb.notebook.assemble import Header, assembled
from skillnb.rules.lint_cells import fallback_line, open_line
from skillnb.rules.parameterlines import write_parameters
from skillnb.terms import term
from skillnb.terms.workflow import Cell, Parameter, Role, StepSettings, Workflow

__all__ = ["compose", "StepDraft"]


@term
class StepDraft:
    """One step before it is cells. Empty sources make no cell."""

    name: str
    intent: str
    procedure: tuple[str, ...]
    pre: str = ""
    code: str = ""
    post: str = ""
    settings: StepSettings | None = None
    """None: the usual ones, formalized when there is code."""
    fallback: bool = True
    note: str = ""
    """Markdown after the step, for the person who reads it; no part of what runs."""


def compose(header: Header, card: str, parameters: tuple[Parameter, ...], steps: tuple[StepDraft, ...]) -> Workflow:
    """``card`` is Markdown that begins with ``# title``. The result is as good as its parts: lint tells."""
    cells = [
        Cell(id="card", kind="markdown", role=Role.CARD, step=None, source=card),
        Cell(id="parameters", kind="code", role=Role.PARAMETERS, step=None, source=write_parameters(parameters)),
        Cell(id="open", kind="code", role=Role.OPEN, step=None, source=open_line(header.name)),
    ]
    for step in steps:
        cells += _cells(step)
    settings = {step.name: step.settings or StepSettings(formalized=bool(step.code)) for step in steps}
    return assembled(header, tuple(cells), settings)


def _cells(step: StepDraft) -> list[Cell]:
    listed = "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(step.procedure, start=1))
    procedure = f"## {step.intent}\n\n{listed}".rstrip()
    sources = (
        (Role.PROCEDURE, procedure),
        (Role.PRE, step.pre),
        (Role.CODE, step.code),
        (Role.POST, step.post),
        (Role.FALLBACK, fallback_line(step.name) if step.fallback else ""),
    )
    note = Cell(id=f"{step.name}-note", kind="markdown", role=Role.NOTE, step=None, source=step.note)
    made = [_cell(step.name, role, source) for role, source in sources if source]
    return [*made, note] if step.note else made


def _cell(step: str, role: Role, source: str) -> Cell:
    kind = "markdown" if role is Role.PROCEDURE else "code"
    return Cell(id=f"{step}-{role}", kind=kind, role=role, step=step, source=source)

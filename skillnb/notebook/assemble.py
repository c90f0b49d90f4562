"""Cells and settings put together to a Workflow: what the cells say is read from them here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

from skillnb.rules.gatesource import parse_gates
from skillnb.rules.parameterlines import parse_parameters
from skillnb.rules.procedure import intent, sentences, title
from skillnb.terms import term
from skillnb.terms.gate import Gate
from skillnb.terms.workflow import Cell, Provenance, Role, Step, StepSettings, Workflow

__all__ = ["assembled", "Header"]


@term
class Header:
    """What the notebook's own metadata says."""

    name: str
    site: str
    task_type: str = ""
    start_url: str = ""
    locale: str = "en-US"
    timezone: str = "UTC"
    provenance: Provenance = Provenance()
    extra: str = "{}"


def assembled(header: Header, cells: tuple[Cell, ...], settings: Mapping[str, StepSettings]) -> Workflow:
    """``settings`` by step name. The cells are taken as lint leaves them: each step begins with its procedure."""
    card = next((cell for cell in cells if cell.role is Role.CARD), None)
    declared = next((cell for cell in cells if cell.role is Role.PARAMETERS), None)
    heads = [(cell, cell.step) for cell in cells if cell.role is Role.PROCEDURE and cell.step is not None]
    steps = tuple(_step(cell, cells, settings[name]) for cell, name in heads)
    return Workflow(
        name=header.name,
        title=(title(card.source) if card else "") or header.name,
        site=header.site,
        task_type=header.task_type,
        start_url=header.start_url,
        locale=header.locale,
        timezone=header.timezone,
        parameters=parse_parameters(declared.source).parameters if declared else (),
        steps=steps,
        cells=cells,
        provenance=header.provenance,
        extra=header.extra,
    )


def _step(procedure: Cell, cells: tuple[Cell, ...], settings: StepSettings) -> Step:
    own = [cell for cell in cells if cell.step == procedure.step]
    return Step(
        name=procedure.step or "",
        intent=intent(procedure.source),
        procedure=sentences(procedure.source),
        settings=settings,
        pre=_ids(own, Role.PRE),
        code=_ids(own, Role.CODE),
        post=_ids(own, Role.POST),
        fallback=next((cell.id for cell in own if cell.role is Role.FALLBACK), None),
        pre_gates=_gates(own, Role.PRE),
        post_gates=_gates(own, Role.POST),
    )


def _ids(cells: list[Cell], role: Role) -> tuple[str, ...]:
    return tuple(cell.id for cell in cells if cell.role is role)


def _gates(cells: list[Cell], role: Role) -> tuple[Gate, ...]:
    return tuple(gate for cell in cells if cell.role is role for gate in parse_gates(cell.source))

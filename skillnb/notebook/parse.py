"""A notebook becomes a Workflow, or the list of what keeps it from being one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skillnb.codec import canonical
from skillnb.errors import InvalidWorkflow
from skillnb.notebook.assemble import Header, assembled
from skillnb.notebook.kernel import KERNELSPEC
from skillnb.rules.authored import AuthoredCell, authored_cells, notebook_extra, notebook_settings
from skillnb.rules.lint import lint
from skillnb.terms.workflow import Cell, Effect, Provenance, Role, StepSettings, Workflow

__all__ = ["parse_workflow"]


def parse_workflow(nb: dict[str, Any], where: str) -> Workflow:
    """Raises InvalidWorkflow with every error that lint finds. Injected, marker and repair cells are left out."""
    errors = tuple(str(finding) for finding in lint(nb, where) if finding.level == "error")
    if errors:
        raise InvalidWorkflow(where=where, findings=errors)
    authored = authored_cells(nb)
    coded = {cell.step for cell in authored if cell.role == Role.CODE}
    settings = {
        cell.step: _settings(cell.settings, cell.step in coded)
        for cell in authored
        if cell.role == Role.PROCEDURE and cell.step is not None
    }
    return assembled(_header(nb), tuple(_cell(cell) for cell in authored), settings)


def _cell(cell: AuthoredCell) -> Cell:
    role = Role(cell.role)
    return Cell(
        id=cell.id, kind=cell.kind, role=role, step=cell.step, source=cell.source, extra=canonical(dict(cell.extra))
    )


def _settings(own: Mapping[str, Any], coded: bool) -> StepSettings:
    """A step with code is formalized unless it says otherwise."""
    bare = StepSettings()
    return StepSettings(
        effect=Effect(own.get("effect", bare.effect)),
        formalized=own.get("formalized", coded),
        optional=own.get("optional", bare.optional),
        timeout=float(own.get("timeout", bare.timeout)),
        checkpoint=own.get("checkpoint", bare.checkpoint),
    )


def _header(nb: Mapping[str, Any]) -> Header:
    own: Mapping[str, Any] = notebook_settings(nb) or {}
    texts = {key: own[key] for key in ("task_type", "start_url", "locale", "timezone") if key in own}
    provenance = own.get("provenance", {})
    extra = notebook_extra(nb)
    if extra.get("kernelspec") == KERNELSPEC:
        del extra["kernelspec"]
    return Header(
        name=own["name"],
        site=own.get("site") or own["name"].split("/")[0],
        provenance=Provenance(
            method=provenance.get("method", Provenance().method), episodes=tuple(provenance.get("episodes", ()))
        ),
        extra=canonical(extra),
        **texts,
    )

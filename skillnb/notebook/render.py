"""A Workflow becomes a notebook that reads back as the same Workflow."""

from __future__ import annotations

import copy
import json
from typing import Any

from skillnb.notebook.kernel import KERNELSPEC, LANGUAGE_INFO
from skillnb.rules.parameterlines import mirror
from skillnb.terms.workflow import Cell, Role, StepSettings, Workflow

__all__ = ["render"]


def render(workflow: Workflow) -> dict[str, Any]:
    """nbformat 4.5 without outputs. All settings are written out, so that stock tools show them."""
    metadata: dict[str, Any] = {"kernelspec": dict(KERNELSPEC), **json.loads(workflow.extra)}
    metadata["language_info"] = copy.deepcopy(LANGUAGE_INFO)
    metadata["skillnb"] = {
        "schema": 1,
        "name": workflow.name,
        "site": workflow.site,
        "task_type": workflow.task_type,
        "start_url": workflow.start_url,
        "locale": workflow.locale,
        "timezone": workflow.timezone,
        "parameters": mirror(workflow.parameters),
        "provenance": {"method": workflow.provenance.method, "episodes": list(workflow.provenance.episodes)},
    }
    settings = {step.name: step.settings for step in workflow.steps}
    cells = [_cell(cell, settings) for cell in workflow.cells]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}


def _cell(cell: Cell, settings: dict[str, StepSettings]) -> dict[str, Any]:
    extra = json.loads(cell.extra)
    metadata: dict[str, Any] = dict(extra.get("metadata", {}))
    tags = [*_role_tags(cell.role), *extra.get("tags", [])]
    if tags:
        metadata["tags"] = tags
    if cell.role is not Role.NOTE:
        metadata["skillnb"] = _own(cell, settings)
    made: dict[str, Any] = {"cell_type": cell.kind, "id": cell.id, "metadata": metadata, "source": cell.source}
    if "attachments" in extra:
        made["attachments"] = extra["attachments"]
    if cell.kind == "code":
        made |= {"execution_count": None, "outputs": []}
    return made


def _role_tags(role: Role) -> list[str]:
    if role is Role.NOTE:
        return []
    return [f"skillnb-{role}", "parameters"] if role is Role.PARAMETERS else [f"skillnb-{role}"]


def _own(cell: Cell, settings: dict[str, StepSettings]) -> dict[str, Any]:
    own: dict[str, Any] = {"role": cell.role.value}
    if cell.step is not None:
        own["step"] = cell.step
    if cell.role is Role.PROCEDURE and cell.step is not None:
        chosen = settings[cell.step]
        own |= {
            "effect": chosen.effect.value,
            "formalized": chosen.formalized,
            "optional": chosen.optional,
            "timeout": chosen.timeout,
            **({"checkpoint": chosen.checkpoint} if chosen.checkpoint else {}),
        }
    return own

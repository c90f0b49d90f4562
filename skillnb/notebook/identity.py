"""Which version a workflow is: a digest of what it means, never of the file it stands in."""

from __future__ import annotations

from skillnb.codec import digest, plain
from skillnb.terms.workflow import Workflow

__all__ = ["version_id"]


def version_id(workflow: Workflow) -> str:
    """``sha256:...`` of roles, steps, sources, settings and parameters in order.

    Gates are in it as their source, not as parsed terms: teaching skillnb to read one more form of gate must not turn
    every stored notebook into another version. Cell ids, own tags and metadata, and provenance are not in it.
    """
    return digest(
        {
            "schema": 1,
            "name": workflow.name,
            "site": workflow.site,
            "task_type": workflow.task_type,
            "start_url": workflow.start_url,
            "locale": workflow.locale,
            "timezone": workflow.timezone,
            "parameters": [
                {
                    "name": parameter.name,
                    "type": parameter.type.value,
                    "default": parameter.default,
                    "required": parameter.required,
                    "help": parameter.help,
                    "choices": list(parameter.choices),
                }
                for parameter in workflow.parameters
            ],
            "settings": {
                step.name: {
                    "effect": step.settings.effect.value,
                    "formalized": step.settings.formalized,
                    "optional": step.settings.optional,
                    "timeout": step.settings.timeout,
                    **({"checkpoint": step.settings.checkpoint} if step.settings.checkpoint else {}),
                }
                for step in workflow.steps
            },
            "cells": [
                {"kind": cell.kind, "role": plain(cell.role), "step": cell.step, "source": cell.source}
                for cell in workflow.cells
            ],
        }
    )

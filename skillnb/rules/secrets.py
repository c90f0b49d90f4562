"""Which secrets may come up in a run, by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from skillnb.terms.workflow import Workflow

__all__ = ["known_secrets", "secrets_of"]

_WRITTEN = re.compile(r"""["']env:([A-Za-z_][A-Za-z0-9_]*)["']""")


def known_secrets(
    workflow: Workflow, callees: Iterable[Workflow], values: Mapping[str, object], environment: Mapping[str, str]
) -> dict[str, str]:
    """The run's own, and what it and the workflows it calls may read from the environment."""
    found = {item.name: str(values[item.name]) for item in workflow.parameters if item.secret and item.name in values}
    for each in (workflow, *callees):
        named = {}
        for item in each.parameters:
            if item.secret and item.default.startswith('"env:'):
                named[item.default.strip('"').removeprefix("env:")] = f"{each.name}.{item.name}"
        for cell in each.cells:
            for variable in _WRITTEN.findall(cell.source):
                named.setdefault(variable, variable)
        for variable, name in named.items():
            content = environment.get(variable, "")
            if content and content not in found.values():
                found.setdefault(name, content)
    return found


def secrets_of(workflow: Workflow, values: Mapping[str, object]) -> dict[str, str]:
    """The values of its secret parameters, under names that tell the workflow too."""
    return {f"{workflow.name}.{item.name}": str(values[item.name]) for item in workflow.parameters if item.secret}

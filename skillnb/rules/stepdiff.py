"""Two versions of a workflow, step by step: what must hold, what a person is told to do, and what is run."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import NamedTuple

from skillnb.codec import canonical
from skillnb.terms.workflow import Step, Workflow

__all__ = ["DIFF_KINDS", "PartDiff", "step_diff", "StepDiff"]

DIFF_KINDS = ("added", "removed", "moved", "changed")
_HEAD = ("name", "title", "site", "task_type", "start_url", "locale", "timezone")


class PartDiff(NamedTuple):
    part: str
    """``gates before``, ``gates after``, ``guidance``, ``settings``, ``code``, ``fallback``; of the head its field."""
    lines: tuple[str, ...]
    """Each beginning with ``-``, ``+`` or a blank."""


class StepDiff(NamedTuple):
    step: str
    """Empty for what belongs to no step."""
    kind: str
    parts: tuple[PartDiff, ...]


def step_diff(before: Workflow, after: Workflow) -> tuple[StepDiff, ...]:
    """What changed, in the order of ``after``; removed steps follow at the end. Empty: they mean the same."""
    return tuple(_diffs(before, after))


def _diffs(before: Workflow, after: Workflow) -> Iterator[StepDiff]:
    head = tuple(_parts(_head(before), _head(after)))
    if head:
        yield StepDiff("", "changed", head)
    old = {step.name: step for step in before.steps}
    new = {step.name: step for step in after.steps}
    stayed = [name for name in old if name in new]
    kept = _longest_run(stayed, [name for name in new if name in old])
    for name, step in new.items():
        was = _texts(before, old[name]) if name in old else {}
        parts = tuple(_parts(was, _texts(after, step)))
        kind = "added" if name not in old else "changed" if name in kept else "moved"
        if parts or kind != "changed":
            yield StepDiff(name, kind, parts)
    for name, step in old.items():
        if name not in new:
            yield StepDiff(name, "removed", tuple(_parts(_texts(before, step), {})))


def _head(workflow: Workflow) -> dict[str, str]:
    fields = {field: str(getattr(workflow, field)) for field in _HEAD}
    parameters = "\n".join(
        f"{item.name}: {item.type.value} = {item.default}{' (required)' if item.required else ''}"
        f"{' one of ' + ', '.join(item.choices) if item.choices else ''}{' # ' + item.help if item.help else ''}"
        for item in workflow.parameters
    )
    rest = "\n\n".join(cell.source for cell in workflow.cells if cell.step is None and cell.id != "parameters")
    return {**fields, "parameters": parameters, "other cells": rest}


def _texts(workflow: Workflow, step: Step) -> dict[str, str]:
    """Gates first, for they say what the step is; then the guidance; then the code."""
    own = {cell.id: cell.source for cell in workflow.cells if cell.step == step.name}
    named = (*step.pre, *step.post, *step.code, *((step.fallback,) if step.fallback else ()))
    return {
        "gates before": _joined(own, step.pre),
        "gates after": _joined(own, step.post),
        "guidance": _joined(own, tuple(cell for cell in own if cell not in named)),
        "settings": canonical(step.settings),
        "code": _joined(own, step.code),
        "fallback": _joined(own, (step.fallback,) if step.fallback else ()),
    }


def _joined(sources: dict[str, str], cells: tuple[str, ...]) -> str:
    return "\n\n".join(sources[cell] for cell in cells if cell in sources)


def _parts(before: dict[str, str], after: dict[str, str]) -> Iterator[PartDiff]:
    for part in dict.fromkeys((*after, *before)):
        old, new = before.get(part, ""), after.get(part, "")
        if old != new:
            lines = unified_diff(old.split("\n") if old else [], new.split("\n") if new else [], lineterm="", n=2)
            yield PartDiff(part, tuple(line for line in lines if not line.startswith(("---", "+++", "@@"))))


def _longest_run(before: list[str], after: list[str]) -> frozenset[str]:
    """The most names that stand in the same order in both; the others have moved."""
    best: list[list[tuple[str, ...]]] = [[()] * (len(after) + 1) for _ in range(len(before) + 1)]
    for i, name in enumerate(before):
        for j, other in enumerate(after):
            longer = (*best[i][j], name) if name == other else max(best[i][j + 1], best[i + 1][j], key=len)
            best[i + 1][j + 1] = longer
    return frozenset(best[-1][-1])

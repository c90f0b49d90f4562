"""The body of a SKILL.md: a workflow as a person reads it, and a foreign text cut into steps."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from skillnb.rules.procedure import sentences
from skillnb.terms.workflow import Effect, Role, Step, Workflow

__all__ = ["foreign_steps", "ForeignStep", "written_body"]

_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<text>\S.*?)[ \t]*#*$")
_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")
_NOT_STEPS = re.compile(
    r"(?:when to use|when not|overview|notes?|example|reference|resources|requirements|prerequisites|see also|inputs?"
    r"|outputs?|troubleshooting|limitations|what it needs|parameters)\b",
    re.I,
)
_EFFECTS = {
    Effect.READ: "changes nothing",
    Effect.IDEMPOTENT: "may be repeated",
    Effect.ONCE: "never to be repeated once it may have been done",
}


class ForeignStep(NamedTuple):
    intent: str
    procedure: tuple[str, ...]


def written_body(workflow: Workflow, number: int, notebook: str) -> str:
    """Card, parameters, and each step with what must be seen before and after it. No secret has a value here."""
    card = next((cell.source.strip() for cell in workflow.cells if cell.role is Role.CARD), f"# {workflow.title}")
    parts = [card, f"Starts at {workflow.start_url}" if workflow.start_url else ""]
    if workflow.parameters:
        lines = [
            f"- `{each.name}` ({each.type}{', required' if each.required else ''})"
            + (f": {each.help}" if each.help else "")
            for each in workflow.parameters
        ]
        parts += ["## Parameters", "\n".join(lines)]
    parts.append("## Procedure")
    for at, step in enumerate(workflow.steps, start=1):
        parts += _step(at, step)
    parts += [
        "## Running it",
        f"The notebook `{notebook}` beside this file is the workflow itself, version {number}, with code and gates. "
        f"`skillnb import skill DIR` puts it into a workspace, `skillnb run {workflow.name}` runs it.",
    ]
    return "\n\n".join(part for part in parts if part)


def foreign_steps(body: str, description: str) -> tuple[ForeignStep, ...]:
    """Each heading with a list under it is a step, its items the sentences. Without any list there is one bare step."""
    found: list[ForeignStep] = []
    heading, block = "", [""]
    for line in [*_without_code(body), "# end"]:
        match = _HEADING.match(line)
        if match is None:
            block.append(line)
            continue
        items = tuple(" ".join(item.split()) for item in sentences("\n".join(block)))
        if items and not _NOT_STEPS.match(heading):
            found.append(ForeignStep(" ".join((heading or description).split())[:200], items))
        heading, block = match["text"], []
    return tuple(found) or (ForeignStep(" ".join(description.split())[:200], ()),)


def _step(at: int, step: Step) -> Iterable[str]:
    yield f"### {at}. {step.intent}"
    if step.procedure:
        yield "\n".join(f"{number}. {said}" for number, said in enumerate(step.procedure, start=1))
    gates = [f"- before: `{gate.expression}`" for gate in step.pre_gates]
    gates += [f"- after: `{gate.expression}`" for gate in step.post_gates]
    told = _EFFECTS[step.settings.effect] + ("; may be left out" if step.settings.optional else "")
    yield "\n".join([f"- effect: {told}", *(line.replace("\n", " ") for line in gates)])


def _without_code(body: str) -> Iterable[str]:
    inside = False
    for line in body.split("\n"):
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            yield line

"""Where an interrupted run can go on, read from its trace."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from skillnb.terms.outcome import Outcome
from skillnb.terms.trace import BrowserStarted, RunFinished, RunStarted, StepFinished, TraceLine
from skillnb.terms.workflow import Effect, Step, Workflow

__all__ = ["checkpoint_address", "Interrupted", "interrupted", "lost_names", "not_there", "Restart", "restart"]


class Interrupted(NamedTuple):
    """What a trace tells of a run that did not end well."""

    started: RunStarted
    done: tuple[str, ...]
    """Steps that need not be done again, from the first on, in order."""
    browser: BrowserStarted | None
    outcome: Outcome | None
    """``None`` when the run was cut off before it could write its end."""


class Restart(NamedTuple):
    """A way back in with a new browser: repeat ``lead`` steps at most, go to ``address``, go on at ``following``."""

    lead: int
    address: str
    following: int


def interrupted(lines: Iterable[TraceLine], workflow: Workflow) -> Interrupted | None:
    """``None`` for a trace without a beginning."""
    started, browser, outcome = None, None, None
    finished: set[str] = set()
    for line in lines:
        match line.event:
            case RunStarted():
                started = line.event
            case BrowserStarted():
                browser = line.event
            case RunFinished():
                outcome = line.event.outcome
            case StepFinished() if _need_not_be_repeated(line.event):
                finished.add(line.event.step)
            case _:
                pass
    if started is None:
        return None
    done: list[str] = []
    for step in workflow.steps:
        if step.name not in finished:
            break
        done.append(step.name)
    return Interrupted(started, tuple(done), browser, outcome)


def _need_not_be_repeated(step: StepFinished) -> bool:
    """Confirmed by its gates, or carried out without a fault by a step that has none to ask."""
    return step.outcome is Outcome.PASSED or (step.outcome is Outcome.UNVERIFIED and step.failure is None)


def restart(workflow: Workflow, done: int) -> Restart | str:
    """How to go on after ``done`` steps when the browser is gone, or why not.

    Steps are only repeated when they are ``read`` or ``idempotent``. Without a confirmed ``once`` step that is all of
    them, so the run begins anew; else it needs a checkpoint at or after the last confirmed ``once`` step.
    """
    steps = workflow.steps
    if done == len(steps):
        return Restart(lead=0, address="", following=done)
    once = [index for index in range(done) if steps[index].settings.effect is Effect.ONCE]
    if not once:
        return Restart(lead=0, address="", following=0)
    for index in range(done - 1, once[-1] - 1, -1):
        if steps[index].settings.checkpoint:
            return Restart(lead=once[0], address=steps[index].settings.checkpoint, following=index + 1)
    name = steps[once[-1]].name
    return (
        f"the browser is gone, step {name} may not be repeated, and no checkpoint is declared at or after it; "
        f"give its procedure cell a `checkpoint` address, or finish by hand"
    )


def checkpoint_address(template: str, values: Mapping[str, object]) -> str:
    """``{name}`` replaced by the value, quoted for a path."""
    for name, value in values.items():
        template = template.replace("{" + name + "}", quote(str(value), safe=""))
    return template


def not_there(wanted: str, found: str) -> str:
    """Why ``found`` is not the page of the checkpoint: a site that asks for log-in first sends elsewhere."""
    here, there = urlsplit(found), urlsplit(wanted)
    same = (here.netloc, here.path.rstrip("/")) == (there.netloc, there.path.rstrip("/"))
    return "" if same else f"the site led to {found}"


def lost_names(workflow: Workflow, done: int) -> tuple[str, ...]:
    """Variables that code of the first ``done`` steps sets and later cells use: a new kernel does not have them."""
    made, used = set[str](), set[str]()
    for step in workflow.steps[:done]:
        made |= _names(workflow, step, ast.Store)
    for step in workflow.steps[done:]:
        used |= _names(workflow, step, ast.Load) - _names(workflow, step, ast.Store)
    return tuple(sorted(made & used))


def _names(workflow: Workflow, step: Step, context: type[ast.expr_context]) -> set[str]:
    found: set[str] = set()
    for identifier in (*step.pre, *step.code, *step.post):
        source = workflow.cell(identifier).source
        if source.lstrip().startswith("%%"):
            continue
        flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        for node in ast.walk(compile(source, identifier, "exec", flags=flags)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, context):
                found.add(node.id)
            elif context is ast.Store and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(node.name)
            elif context is ast.Store and isinstance(node, ast.alias):
                found.add((node.asname or node.name).split(".")[0])
    return found

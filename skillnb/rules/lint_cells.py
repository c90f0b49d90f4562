"""Lint: roles and steps. Which cells there are, in which order, with which settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from skillnb.rules.authored import STEP_ROLES, AuthoredCell, place
from skillnb.rules.nearest import did_you_mean
from skillnb.rules.procedure import intent, sentences, title
from skillnb.terms.finding import Finding, Level, finding
from skillnb.terms.workflow import Effect, Role

__all__ = ["fallback_line", "lint_cells", "open_line", "STEP_NAME"]

STEP_NAME = re.compile(r"(?=.{1,48}$)[a-z0-9]+(?:-[a-z0-9]+)*")

_ROLES = frozenset(role.value for role in Role)
_EFFECTS = frozenset(effect.value for effect in Effect)
_MARKDOWN = frozenset({Role.CARD, Role.PROCEDURE})
_FRAME = (Role.CARD, Role.PARAMETERS, Role.OPEN)
_SETTINGS = ("effect", "formalized", "optional", "timeout", "checkpoint")
_OPEN = re.compile(r'bind\("([^"]*)"\)$')


def open_line(name: str) -> str:
    return f'from skillnb.jupyter import bind; page, gate, params, fallback, call = await bind("{name}")'


def fallback_line(step: str) -> str:
    return f'await fallback("{step}")'


def lint_cells(cells: Sequence[AuthoredCell], name: object, where: str) -> Iterator[Finding]:
    for cell in cells:
        yield from _role(cell, where)
        yield from _settings(cell, where)
    yield from _frame(cells, name, where)
    yield from _steps(cells, where)


def _role(cell: AuthoredCell, where: str) -> Iterator[Finding]:
    spot = place(where, cell)
    if cell.role not in _ROLES:
        found = repr(cell.settings.get("role"))[:60] if "role" in cell.settings else "missing"
        yield finding("error", spot, f"the role is {found}", did_you_mean(cell.role, _ROLES), "unknown-role")
        return
    role = Role(cell.role)
    kind = "markdown" if role in _MARKDOWN else "code"
    if role is not Role.NOTE and cell.kind != kind:
        yield finding("error", spot, f"a {role} cell is {cell.kind}", f"make it a {kind} cell", "role-type")
    if role in STEP_ROLES and (cell.step is None or not STEP_NAME.fullmatch(cell.step)):
        reason = f"the step is named {cell.settings.get('step')!r:.80}"
        remedy = "name it in lower-case letters, digits and hyphens, at most 48"
        yield finding("error", spot, reason, remedy, "step-name")
    if role not in STEP_ROLES and "step" in cell.settings:
        yield finding("error", spot, f"a {role} cell belongs to no step", "remove the key `step`", "role-step")
    stem = f"{cell.step}-{role}" if role in STEP_ROLES else role.value
    if role is not Role.NOTE and not re.fullmatch(re.escape(stem) + r"(-[0-9]+)?", cell.id):
        remedy = f"name it {stem!r}, so that diffs and errors can be read"
        yield finding("warning", spot, "the id does not say what the cell is", remedy, "cell-id-convention")


def _settings(cell: AuthoredCell, where: str) -> Iterator[Finding]:
    spot = place(where, cell)
    misplaced = [key for key in _SETTINGS if key in cell.settings and cell.role != Role.PROCEDURE]
    for key in misplaced:
        remedy = "move it to the step's procedure cell"
        yield finding(
            "error", spot, f"the step setting {key!r} stands on a {cell.role} cell", remedy, "misplaced-setting"
        )
    effect = cell.settings.get("effect", Effect.IDEMPOTENT.value)
    if not isinstance(effect, str) or effect not in _EFFECTS:
        yield finding("error", spot, f"the effect is {effect!r:.60}", did_you_mean(str(effect), _EFFECTS), "effect")
    for key in ("formalized", "optional"):
        if not isinstance(cell.settings.get(key, True), bool):
            yield finding("error", spot, f"{key} is {cell.settings[key]!r:.40}", "write true or false", "setting-type")
    timeout = cell.settings.get("timeout", 30)
    number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if not (number and isinstance(timeout, int | float) and 0 < timeout <= 86_400):
        remedy = "write seconds, more than 0 and at most a day"
        yield finding("error", spot, f"the timeout is {timeout!r:.40}", remedy, "timeout")
    checkpoint = cell.settings.get("checkpoint", "")
    if not isinstance(checkpoint, str) or (checkpoint and not re.match(r"/(?!/)|https?://", checkpoint)):
        remedy = "write an address, as /orders/{order}, from which the next step can go on"
        yield finding("error", spot, f"the checkpoint is {checkpoint!r:.60}", remedy, "checkpoint")


def _frame(cells: Sequence[AuthoredCell], name: object, where: str) -> Iterator[Finding]:
    """Card, parameters and open: each once, in this order, before the first step."""
    position: dict[Role, int] = {}
    for role in _FRAME:
        found = [index for index, cell in enumerate(cells) if cell.role == role]
        level: Level = "warning" if role is Role.CARD else "error"
        if not found:
            remedy = f"add one; role and tag are `{role}`" + (", it may be empty" if role is Role.PARAMETERS else "")
            yield finding(level, where, f"there is no {role} cell", remedy, f"no-{role}")
            continue
        position[role] = found[0]
        for extra in found[1:]:
            yield finding(
                level, place(where, cells[extra]), f"there are two {role} cells", "keep one", f"duplicate-{role}"
            )
    first = next((index for index, cell in enumerate(cells) if cell.role in STEP_ROLES), len(cells))
    order = [position[role] for role in _FRAME[1:] if role in position]
    if order != sorted(order) or any(index > first for index in order):
        remedy = "put the parameters, then the open cell, before the first step"
        yield finding("error", where, "the cells stand in an order that can't run", remedy, "frame-order")
    for role, index in position.items():
        if role is Role.OPEN:
            yield from _open(cells[index], name, where)
        elif role is Role.CARD and not title(cells[index].source):
            remedy = "begin it with `# ` and a title"
            yield finding("warning", place(where, cells[index]), "the card has no title", remedy, "no-title")


def _open(cell: AuthoredCell, name: object, where: str) -> Iterator[Finding]:
    if not isinstance(name, str) or cell.source.strip() == open_line(name):
        return
    found = _OPEN.search(cell.source.strip())
    if found and found[1] != name and cell.source.strip() == open_line(found[1]):
        reason = f"the open cell binds {found[1]!r}, the metadata says {name!r}"
        yield finding("error", place(where, cell), reason, "make them the same", "open-name")
    else:
        remedy = f"write exactly: {open_line(name)}"
        yield finding("error", place(where, cell), "the open cell is not the one line that opens", remedy, "open-line")


def _steps(cells: Sequence[AuthoredCell], where: str) -> Iterator[Finding]:
    members = [cell for cell in cells if cell.role in STEP_ROLES and cell.step is not None]
    runs: list[list[AuthoredCell]] = []
    for cell in members:
        if runs and runs[-1][0].step == cell.step and cell.role != Role.PROCEDURE:
            runs[-1].append(cell)
        else:
            runs.append([cell])
    if not runs:
        remedy = "add a procedure cell: `## ` and what is to be done, then how, as a list"
        yield finding("error", where, "there is no step", remedy, "no-step")
    seen: set[str] = set()
    for run in runs:
        name = str(run[0].step)
        spot = place(where, run[0])
        if name in seen and run[0].role == Role.PROCEDURE:
            yield finding("error", spot, f"there are two steps {name!r}", "rename one of them", "duplicate-step")
        elif name in seen:
            reason = f"cells of step {name!r} stand apart from the others"
            yield finding("error", spot, reason, "put the cells of a step together", "interleaved-steps")
        elif run[0].role != Role.PROCEDURE:
            has = any(cell.role == Role.PROCEDURE and cell.step == name for cell in members)
            reason = f"step {name!r} " + ("does not begin with its procedure cell" if has else "has no procedure cell")
            yield finding("error", spot, reason, "begin the step with it", "step-order" if has else "no-procedure")
        seen.add(name)
        yield from _step(run, name, where)


def _step(run: Sequence[AuthoredCell], name: str, where: str) -> Iterator[Finding]:
    order = [STEP_ROLES.index(Role(cell.role)) for cell in run]
    for before, after, cell in zip(order, order[1:], run[1:], strict=False):
        if after < before:
            reason = f"a {cell.role} cell stands after a {STEP_ROLES[before]} cell"
            remedy = "order: procedure, pre, code, post, fallback"
            yield finding("error", place(where, cell), reason, remedy, "step-order")
    fallbacks = [cell for cell in run if cell.role == Role.FALLBACK]
    for cell in fallbacks:
        if cell.source.strip() != fallback_line(name):
            remedy = f"write exactly: {fallback_line(name)}"
            yield finding("error", place(where, cell), "the fallback cell is not the one line", remedy, "fallback-line")
    for cell in fallbacks[1:]:
        yield finding("error", place(where, cell), f"step {name!r} has two fallback cells", "keep one", "two-fallbacks")
    for cell in run:
        if cell.role == Role.PROCEDURE:
            yield from _procedure(cell, run, where)


def _procedure(cell: AuthoredCell, run: Sequence[AuthoredCell], where: str) -> Iterator[Finding]:
    spot = place(where, cell)
    if not intent(cell.source):
        remedy = "begin it with `## ` and what is to be achieved, in one sentence"
        yield finding("error", spot, "the procedure has no heading", remedy, "no-intent")
    if not sentences(cell.source):
        remedy = 'list what to do, one action each: `1. Press "Save".`'
        yield finding(
            "warning", spot, "the procedure has no list, so only the intent is left", remedy, "no-procedure-list"
        )
    roles = {member.role for member in run}
    if cell.settings.get("formalized") is True and Role.CODE not in roles:
        reason = "the step is marked formalized but has no code cell"
        yield finding("warning", spot, reason, "add its code, or set formalized to false", "formalized-without-code")
    if Role.FALLBACK not in roles:
        remedy = f"end the step with a fallback cell: {fallback_line(str(cell.step))}"
        yield finding("warning", spot, "the step has no fallback cell", remedy, "no-fallback")

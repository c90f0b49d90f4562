"""Lint: parameters. The cell that declares them, its mirror in the metadata, and where they are used."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Sequence

from skillnb.rules.authored import AuthoredCell, place
from skillnb.rules.lint_code import python_tree
from skillnb.rules.lint_file import WORKFLOW_NAME
from skillnb.rules.nearest import did_you_mean
from skillnb.rules.parameterlines import ParameterCell, mirror, parse_parameters
from skillnb.rules.procedure import placeholders
from skillnb.terms.finding import Finding, Level, finding
from skillnb.terms.workflow import Parameter, ParameterType, Role

__all__ = ["lint_parameters"]

_BOUND = frozenset({"page", "gate", "params", "fallback", "call", "bind", "skillnb"})
_BUILTIN = frozenset(dir(builtins))
_TEXT_USE = re.compile(r"\bparams\.([A-Za-z_]\w*)")


def lint_parameters(cells: Sequence[AuthoredCell], mirrored: object, where: str) -> Iterator[Finding]:
    """``mirrored`` is ``metadata.skillnb.parameters``, None when the notebook has none."""
    home = next((cell for cell in cells if cell.role == Role.PARAMETERS), None)
    read = parse_parameters(home.source if home else "")
    if home is not None:
        for problem in read.problems:
            level: Level = "warning" if problem.warning else "error"
            spot = place(where, home, problem.line)
            yield finding(level, spot, problem.reason, problem.remedy, problem.code)
        yield from _names(read, home, where)
    if mirrored is not None and not any(not problem.warning for problem in read.problems):
        yield from _mirror(read.parameters, mirrored, where)
    yield from _uses(cells, read, home, where)


def _names(read: ParameterCell, home: AuthoredCell, where: str) -> Iterator[Finding]:
    for parameter, line in zip(read.parameters, read.lines, strict=True):
        name = parameter.name
        if name in _BOUND or name in _BUILTIN:
            what = "what the open cell binds" if name in _BOUND else "a builtin of Python"
            remedy = f"rename it, for example to `{name}_value`"
            yield finding(
                "error", place(where, home, line), f"parameter {name!r} hides {what}", remedy, "parameter-name"
            )


def _mirror(parameters: tuple[Parameter, ...], mirrored: object, where: str) -> Iterator[Finding]:
    """A contradiction is an error; a line added or removed by hand and not mirrored yet is a warning."""
    if not isinstance(mirrored, Mapping):
        reason = f"metadata.skillnb.parameters is {mirrored!r:.40}"
        yield finding("error", where, reason, "remove the key; the parameters cell alone counts", "parameters-metadata")
        return
    wanted = mirror(parameters)
    for name in [*wanted, *(name for name in mirrored if name not in wanted)]:
        if name not in mirrored or name not in wanted:
            reason = f"parameter {name!r:.60} stands only in the " + ("cell" if name in wanted else "metadata")
            remedy = "saving a version brings the metadata up to date; the cell counts"
            yield finding("warning", where, reason, remedy, "parameters-metadata")
        elif mirrored[name] != wanted[name]:
            reason = f"parameter {name!r} is {wanted[name]} in its cell but {mirrored[name]!r:.120} in the metadata"
            remedy = "make them agree, or remove `metadata.skillnb.parameters`"
            yield finding("error", where, reason, remedy, "parameters-metadata")


def _uses(
    cells: Sequence[AuthoredCell], read: ParameterCell, home: AuthoredCell | None, where: str
) -> Iterator[Finding]:
    declared = {parameter.name for parameter in read.parameters}
    complete = not any(problem.code != "unused-default" for problem in read.problems)
    used: set[str] = set()
    for cell in cells:
        if cell is home:
            continue
        uses = list(_cell_uses(cell))
        used |= {name for name, _, _ in uses}
        for name, line, strict in uses:
            if strict and complete and name not in declared:
                reason = f"{name!r} is no declared parameter"
                yield finding(
                    "error", place(where, cell, line), reason, did_you_mean(name, declared), "undeclared-parameter"
                )
        tree = python_tree(cell)
        if tree is not None:
            yield from _bare(tree, cell, read.parameters, where)
            yield from _calls(tree, cell, where)
            used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for parameter, line in zip(read.parameters, read.lines, strict=True):
        if home is not None and parameter.name not in used:
            reason = f"parameter {parameter.name!r} is never used"
            remedy = f"use `params.{parameter.name}`, or remove the line"
            yield finding("warning", place(where, home, line), reason, remedy, "unused-parameter")


def _cell_uses(cell: AuthoredCell) -> Iterator[tuple[str, int, bool]]:
    """Name, line, and whether an unknown name is an error there."""
    if cell.role == Role.PROCEDURE:
        for name in placeholders(cell.source):
            before = cell.source[: cell.source.index("{" + name + "}")]
            yield name, before.count("\n") + 1, True
        return
    tree = python_tree(cell)
    if tree is None:
        if cell.kind == "code":
            yield from ((name, 0, False) for name in _TEXT_USE.findall(cell.source))
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_params(node.value):
            yield node.attr, node.lineno, not node.attr.startswith("_")
        elif isinstance(node, ast.Subscript) and _is_params(node.value) and isinstance(node.slice, ast.Constant):
            yield str(node.slice.value), node.lineno, True


def _is_params(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "params"


def _bare(tree: ast.Module, cell: AuthoredCell, parameters: tuple[Parameter, ...], where: str) -> Iterator[Finding]:
    """``username`` instead of ``params.username`` reads the text of the cell: for a secret, ``env:NAME``."""
    kinds = {parameter.name: parameter.type for parameter in parameters}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    for node in names:
        if node.id in kinds and node.id not in bound:
            level: Level = "error" if kinds[node.id] is ParameterType.SECRET else "warning"
            reason = f"{node.id!r} is the text of the parameters cell, not the run's value"
            yield finding(level, place(where, cell, node.lineno), reason, f"write `params.{node.id}`", "bare-parameter")


def _calls(tree: ast.Module, cell: AuthoredCell, where: str) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "call":
            continue
        spot = place(where, cell, node.lineno)
        first = node.args[0] if node.args else None
        if not isinstance(first, ast.Constant):
            reason, remedy = "the name of the called workflow is computed", 'write it: `await call("site/name")`'
            yield finding("warning", spot, reason, remedy, "computed-call")
        elif not isinstance(first.value, str) or not WORKFLOW_NAME.fullmatch(first.value):
            reason, remedy = f"{first.value!r:.60} is not the name of a workflow", "write site/name in lower case"
            yield finding("error", spot, reason, remedy, "call-name")

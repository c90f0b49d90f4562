"""Lint: gates. Are the calls right, do they only look, and could they ever fail?"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from skillnb.rules.authored import STEP_ROLES, AuthoredCell, place
from skillnb.rules.gates import check
from skillnb.rules.gatesource import KINDS, SIGNATURES, GateCall, gate_calls, operand, parse_gates
from skillnb.rules.lint_code import page_names, python_tree, rooted
from skillnb.rules.nearest import did_you_mean
from skillnb.rules.playwrightnames import ACTIONS
from skillnb.terms.finding import Finding, finding
from skillnb.terms.gate import Fixed, Gate, GateKind, Operand, Param, Pattern, Template
from skillnb.terms.observation import Node, Observation
from skillnb.terms.outcome import Verdict
from skillnb.terms.workflow import Role

__all__ = ["holds_on_blank_page", "lint_gates", "matches_by_prefix"]

_GATE_ROLES = frozenset({Role.PRE, Role.POST})
_PATTERNS = {GateKind.URL, GateKind.RESPONSE}
_ELSEWHERE = Observation(
    url="https://elsewhere.invalid/",
    title="",
    nodes=(Node(index=0, depth=0, parent=-1, role="paragraph", name="", text="\ufffc"),),
)
"""A page that has nothing to do with any workflow. Quite blank won't do: there the rule itself says unknown."""

_PREFIX = re.compile(r"\w\*{1,2}$")


def lint_gates(cells: Sequence[AuthoredCell], start_url: str, where: str) -> Iterator[Finding]:
    for cell in cells:
        tree = python_tree(cell)
        if tree is not None:
            for found in gate_calls(tree):
                yield from _call(found, cell, where)
            yield from _hosts(tree, cell, start_url, where)
        if cell.role in _GATE_ROLES:
            if tree is not None:
                yield from _actions(tree, cell, where)
            yield from _content(cell, where)
    yield from _posts(cells, where)


def holds_on_blank_page(gate: Gate) -> bool:
    """Whether the gate does not fail on a page without anything of the site, so that it proves nothing alone.

    What depends on a parameter or is custom can't be told beforehand and gets the benefit of the doubt.
    """
    told = gate.recheckable and all(isinstance(argument.value, Fixed | Pattern) for argument in gate.arguments)
    return told and check(gate, {}, _ELSEWHERE).verdict is not Verdict.FAILED


def matches_by_prefix(pattern: Operand) -> bool:
    """``**/order/1*`` also matches ``/order/12``; a pattern without an end does so too."""
    if isinstance(pattern, Pattern):
        return bool(re.search(r"[^\W_]$", pattern.source)) and not re.search(r"\\[a-zA-Z]$", pattern.source)
    if isinstance(pattern, Fixed):
        return bool(_PREFIX.search(str(pattern.value)))
    if isinstance(pattern, Template):
        shown = "".join("x" if isinstance(part, Param) else str(part.value) for part in pattern.parts)
        return bool(_PREFIX.search(shown))
    return False


def _call(found: GateCall, cell: AuthoredCell, where: str) -> Iterator[Finding]:
    spot = place(where, cell, found.call.lineno)
    if found.kind not in KINDS:
        yield finding("error", spot, f"there is no gate.{found.kind}", did_you_mean(found.kind, KINDS), "unknown-gate")
        return
    signature = SIGNATURES[GateKind(found.kind)]
    said = f"gate.{found.kind}"
    names = [keyword.arg for keyword in found.call.keywords if keyword.arg is not None]
    for name in names:
        if name not in signature.all:
            yield finding("error", spot, f"{said} has no {name!r}", did_you_mean(name, signature.all), "gate-argument")
    if len(found.call.args) > len(signature.positional):
        remedy = "name the arguments: " + ", ".join(f"{name}=" for name in sorted(signature.all))
        yield finding("error", spot, f"{said} takes fewer arguments without a name", remedy, "gate-argument")
    starred = any(keyword.arg is None for keyword in found.call.keywords) or any(
        isinstance(argument, ast.Starred) for argument in found.call.args
    )
    given = {*names, *signature.positional[: len(found.call.args)]}
    missing = [name for name in signature.positional if name not in given]
    if missing and not starred:
        yield finding("error", spot, f"{said} lacks {missing[0]!r}", f"add {missing[0]}=...", "gate-argument")
    for choices in signature.one_of_each:
        if not choices & given and not starred:
            wanted = ", ".join(f"{name}=" for name in sorted(choices))
            yield finding("error", spot, f"{said} says too little", f"add one of {wanted}", "gate-argument")
    for keyword in found.call.keywords:
        if keyword.arg == "timeout" and not _seconds(keyword.value):
            yield finding(
                "error", spot, f"{said} has an impossible timeout", "write seconds, more than 0", "gate-timeout"
            )
    for pattern in _pattern_arguments(found):
        if matches_by_prefix(pattern):
            reason = "the pattern matches by prefix: what ends in 1 also lets 12 pass"
            remedy = "end it where the address ends, or with `/**`"
            yield finding("warning", spot, reason, remedy, "prefix-pattern")


def _pattern_arguments(found: GateCall) -> Iterator[Operand]:
    kind = GateKind(found.kind)
    if kind in _PATTERNS:
        index = SIGNATURES[kind].positional.index("pattern")
        nodes = [*found.call.args[index : index + 1], *(k.value for k in found.call.keywords if k.arg == "pattern")]
        yield from (value for value in map(operand, nodes) if value is not None)


def _seconds(node: ast.expr) -> bool:
    value = operand(node)
    if not isinstance(value, Fixed):
        return True
    number = value.value
    return isinstance(number, int | float) and not isinstance(number, bool) and number > 0


def _actions(tree: ast.Module, cell: AuthoredCell, where: str) -> Iterator[Finding]:
    names = page_names(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        acts = isinstance(function, ast.Attribute) and function.attr in ACTIONS and rooted(function.value, names)
        calls = isinstance(function, ast.Name) and function.id in ("call", "fallback")
        if acts or calls:
            reason, remedy = f"a gate only looks, but this acts: {ast.unparse(function)[:60]}", "move it to a code cell"
            yield finding("error", place(where, cell, node.lineno), reason, remedy, "action-in-gate")


def _content(cell: AuthoredCell, where: str) -> Iterator[Finding]:
    gates = parse_gates(cell.source)
    if not gates:
        remedy = "add a gate, or remove the cell"
        yield finding("warning", place(where, cell), "the gate cell has no gate", remedy, "no-gate")


def _posts(cells: Sequence[AuthoredCell], where: str) -> Iterator[Finding]:
    """Whether the post gates of each step can prove anything."""
    for procedure in (cell for cell in cells if cell.role == Role.PROCEDURE and cell.step is not None):
        posts = [cell for cell in cells if cell.role == Role.POST and cell.step == procedure.step]
        gates = [gate for cell in posts for gate in parse_gates(cell.source)]
        spot = place(where, posts[0] if posts else procedure)
        if not gates:
            reason = f"step {procedure.step!r} has no post gate, so its runs stay unverified"
            yield finding("warning", spot, reason, "add what must be seen after it", "no-post-gate")
        elif all(gate.kind is GateKind.ABSENT for gate in gates):
            reason = f"step {procedure.step!r} is only checked for what is absent"
            yield finding("warning", spot, reason, "add what must be there", "only-absent")
        elif all(holds_on_blank_page(gate) for gate in gates):
            reason = f"the post gates of step {procedure.step!r} pass on a blank page too"
            yield finding("warning", spot, reason, "add what only the right page shows", "passes-on-blank")


def _hosts(tree: ast.Module, cell: AuthoredCell, start_url: str, where: str) -> Iterator[Finding]:
    if cell.role not in STEP_ROLES:
        return
    own = _host(start_url)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        gate = isinstance(node.func.value, ast.Name) and node.func.value.id == "gate"
        if node.func.attr not in (("url", "response") if gate else ("goto", "wait_for_url")):
            continue
        for text in _literals(node):
            host = _host(text)
            if host and host != own:
                reason = f"the host {host} is baked in; a run on another host can't pass"
                remedy = "write `**/path` in gates; in code, follow links from the start page"
                yield finding("warning", place(where, cell, node.lineno), reason, remedy, "baked-in-host")


def _literals(call: ast.Call) -> Iterator[str]:
    for node in [*call.args, *(keyword.value for keyword in call.keywords)]:
        first = node.values[0] if isinstance(node, ast.JoinedStr) and node.values else node
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield first.value


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    named = parts.scheme in ("http", "https") and "*" not in parts.netloc
    return parts.netloc.lower() if named else ""

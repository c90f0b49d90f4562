"""Lint: values of one run that are left in locators, gates, addresses and sentences. Recorded as Alice, run as Bob."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote_plus

from skillnb.rules.authored import STEP_ROLES, AuthoredCell, place
from skillnb.rules.foundvalues import recorded_value
from skillnb.rules.lint_code import python_tree
from skillnb.rules.parameterlines import parse_parameters
from skillnb.terms.finding import Finding, finding
from skillnb.terms.workflow import Parameter, ParameterType, Role

__all__ = ["lint_values"]

_SHORTEST = 3
_SHOWN = {
    "address": "an address",
    "checkpoint": "the checkpoint",
    "code": "the code",
    "gate": "a gate",
    "locator": "a locator",
    "sentence": "a sentence",
}
_ADDRESSES = frozenset({"goto", "wait_for_url", "url", "response", "to_have_url", "urljoin"})
_TEXTS = frozenset({"visible", "value", "text", "count", "absent", "file"})
_SUSPECT = re.compile(
    r"(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?P<date>(?<!\d)\d{4}-\d{2}-\d{2}(?!\d))"
    r"|(?P<id>(?<![0-9a-f-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})|(?P<number>(?<![\w.])#?\d{4,}(?![\w.]))"
)
_QUOTED = re.compile(r'["“]([^"”]*)["”]')
_HOST = re.compile(r"^[a-z]+://[^/?#]*", re.I)
_SEGMENT = re.compile(r"(?<=/)\d+(?=[/?#]|$)")


class _Text(NamedTuple):
    where: str
    """A key of ``_SHOWN``."""
    text: str
    line: int


class _Known(NamedTuple):
    name: str
    value: str
    pattern: re.Pattern[str]
    mount: bool = False
    """The site's addresses all begin with that word, whoever logs in."""


def lint_values(cells: Sequence[AuthoredCell], start_url: str, where: str) -> Iterator[Finding]:
    home = next((cell for cell in cells if cell.role == Role.PARAMETERS), None)
    known = [
        each for parameter in parse_parameters(home.source if home else "").parameters for each in _known(parameter)
    ]
    mount = _mount(start_url)
    known = [each._replace(mount=each.value.casefold() == mount) for each in known]
    for each in known:
        if not each.mount and each.pattern.search(unquote_plus(start_url)):
            yield _left(
                each, "the start address", where, "begin at a page without it, and open the other one in a step"
            )
    for cell in cells:
        if cell.role in STEP_ROLES:
            yield from _cell(cell, known, where)


def _mount(start_url: str) -> str:
    match = re.match(r"/([^/?#]+)/", _HOST.sub("", start_url))
    return unquote_plus(match[1]).casefold() if match else ""


def _known(parameter: Parameter) -> Iterator[_Known]:
    """What the parameter had when it was recorded, and what it has when nothing is said."""
    if parameter.type in (ParameterType.BOOL, ParameterType.SECRET, ParameterType.JSON, ParameterType.FILE):
        return
    default = json.loads(parameter.default) if not parameter.required else ""
    for value in dict.fromkeys((recorded_value(parameter), str(default))):
        if len(value) >= _SHORTEST and re.search(r"\w", value):
            yield _Known(parameter.name, value, re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.I))


def _cell(cell: AuthoredCell, known: Sequence[_Known], where: str) -> Iterator[Finding]:
    if cell.role == Role.PROCEDURE:
        checkpoint = cell.settings.get("checkpoint", "")
        lines = [
            _Text("sentence", named, number)
            for number, line in enumerate(cell.source.split("\n"), start=1)
            for named in _QUOTED.findall(line)
        ]
        texts = [*lines, *([_Text("checkpoint", checkpoint, 0)] if isinstance(checkpoint, str) else [])]
    else:
        tree = python_tree(cell)
        texts = sorted(_texts(tree), key=lambda text: text.line) if tree is not None else []
    for text in texts:
        spot = place(where, cell, text.line)
        held = [
            each for each in known if each.pattern.search(unquote_plus(text.text) if "%" in text.text else text.text)
        ]
        for each in held:
            if each.mount and text.where == "address":
                continue
            yield _left(each, _SHOWN[text.where], spot, _remedy(each, text))
        if not held and text.where in ("locator", "gate", "address"):
            yield from _suspected(text, spot)


def _left(each: _Known, what: str, spot: str, remedy: str) -> Finding:
    reason = f"{each.value!r:.60}, a value of parameter {each.name!r}, is written out in {what}"
    return finding("warning", spot, reason, remedy, "baked-in-value")


def _remedy(each: _Known, text: _Text) -> str:
    said = f"{{{each.name}}}" if text.where in ("sentence", "checkpoint") else f"params.{each.name}"
    return f"write {said}; where the site itself uses that word, name the element by another"


def _suspected(text: _Text, spot: str) -> Iterator[Finding]:
    said = _HOST.sub("", text.text) if text.where == "address" else text.text
    found = _SUSPECT.search(said) or (_SEGMENT.search(said) if text.where == "address" else None)
    if found:
        reason = f"{found[0]!r:.60} in {_SHOWN[text.where]} looks like a value of one run"
        remedy = "make it a parameter (`skillnb import codegen ... -p name=value` does), or name what stays the same"
        yield finding("warning", spot, reason, remedy, "run-value")


def _texts(tree: ast.Module) -> Iterator[_Text]:
    """Texts of the cell with what they are for: that of the innermost call they stand in."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "code")]
    while waiting:
        node, kind = waiting.pop(0)
        inner = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.Call):
            kind = _kind(node, kind)
            if ast.unparse(node.func) == "call":
                inner = [*node.args[1:], *node.keywords]  # the first one is the name of a workflow
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield _Text(kind, node.value, node.lineno)
        waiting += [(child, kind) for child in inner]


def _kind(call: ast.Call, around: str) -> str:
    function = call.func
    name = (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
    if name in _ADDRESSES:
        return "address"
    if isinstance(function, ast.Attribute) and ast.unparse(function.value) == "gate" and name in _TEXTS:
        return "gate"
    if name.startswith("get_by_") or name in ("locator", "frame_locator", "filter"):
        return "locator"
    if name.startswith(("to_", "not_to_")):
        return "gate"
    return around if name in ("compile", "escape", "quote", "str") else "code"

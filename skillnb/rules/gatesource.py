"""Gate source as data: ``await gate.<kind>(...)`` with plain arguments becomes a term, anything else a custom gate."""

from __future__ import annotations

import ast
import functools
import math
import operator
import re
import warnings
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from skillnb.rules.cellsource import BadSource, language, parsed
from skillnb.terms.gate import Argument, Fixed, Gate, GateKind, Operand, Param, Pattern, Template

__all__ = ["gate_calls", "GateCall", "KINDS", "operand", "parse_gates", "Signature", "SIGNATURES"]


class Signature(NamedTuple):
    """``positional`` are required, in order; ``one_of_each`` are sets of which at least one must be given."""

    positional: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    one_of_each: tuple[frozenset[str], ...] = ()

    @property
    def all(self) -> frozenset[str]:
        return self.named | frozenset(self.positional) | {"timeout"}


_FIND = frozenset({"role", "name", "text", "label", "placeholder"})
_FIELD = frozenset({"role", "name", "label", "placeholder"})
_COUNTED = frozenset({"role", "name", "text", "label"})
_CLAIMS = frozenset({"contains", "equals"})
_VALUES = frozenset({"equals", "contains", "checked"})
_COUNTS = frozenset({"equals", "at_least", "at_most"})
_SEEN = Signature((), _FIND | {"exact", "near"}, (_FIND,))

SIGNATURES: Mapping[GateKind, Signature] = MappingProxyType(
    {
        GateKind.URL: Signature(("pattern",)),
        GateKind.VISIBLE: _SEEN,
        GateKind.ABSENT: _SEEN,
        GateKind.VALUE: Signature((), _FIELD | _VALUES | {"exact", "near"}, (_FIELD, _VALUES)),
        GateKind.TEXT: Signature((), _CLAIMS | {"role", "name"}, (_CLAIMS,)),
        GateKind.COUNT: Signature((), _COUNTED | _COUNTS | {"exact", "near"}, (_COUNTED, _COUNTS)),
        GateKind.RESPONSE: Signature(("method", "pattern"), frozenset({"status"})),
        GateKind.FILE: Signature(("name_pattern",), frozenset({"min_size"})),
    }
)

KINDS = frozenset(kind.value for kind in SIGNATURES)

_FLAGS = {
    "A": "a", "ASCII": "a", "I": "i", "IGNORECASE": "i", "M": "m", "MULTILINE": "m",
    "S": "s", "DOTALL": "s", "X": "x", "VERBOSE": "x",
}  # fmt: skip


class GateCall(NamedTuple):
    """One ``gate.<kind>(...)`` call as written, whatever its kind and arguments are worth."""

    kind: str
    call: ast.Call


def parse_gates(source: str) -> tuple[Gate, ...]:
    """Gates of a cell in order. Total: a cell that is not Python is one custom gate, so it never counts as no gate.

    Imports and ``pass`` are no gates: they can't fail on what the page shows.
    """
    tree = parsed(source) if language(source) == "python" else BadSource("another language", 1)
    if isinstance(tree, BadSource):
        return (Gate(kind=GateKind.CUSTOM, expression=source.strip()),) if source.strip() else ()
    return tuple(_gates(tree, source))


def gate_calls(tree: ast.AST) -> Iterator[GateCall]:
    """Every call of a gate anywhere in the tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            kind = _kind(node)
            if kind:
                yield GateCall(kind, node)


def operand(node: ast.expr) -> Operand | None:
    """The value of an argument as data; None when it is neither a literal, ``params.x``, an f-string nor a pattern."""
    if isinstance(node, ast.Constant):
        return _fixed(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        number = node.operand.value
        return _fixed(-number) if isinstance(number, int | float) and not isinstance(number, bool) else None
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "params":
        return Param(name=node.attr)
    if isinstance(node, ast.JoinedStr):
        return _template(node)
    return _pattern(node) if isinstance(node, ast.Call) else None


def _gates(tree: ast.Module, source: str) -> Iterator[Gate]:
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass):
            continue
        call = _awaited_gate(statement)
        gate = _gate(call, source) if call is not None else None
        yield gate or Gate(
            kind=GateKind.CUSTOM,
            expression=ast.get_source_segment(source, statement) or ast.unparse(statement),
            line=statement.lineno,
        )


def _awaited_gate(statement: ast.stmt) -> ast.Call | None:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Await):
        return None
    call = statement.value.value
    return call if isinstance(call, ast.Call) and _kind(call) else None


def _kind(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "gate":
        return function.attr
    return ""


def _gate(call: ast.Call, source: str) -> Gate | None:
    """None when the call can't be data: unknown kind or argument, one given twice, or a computed value."""
    name = _kind(call)
    signature = SIGNATURES.get(GateKind(name)) if name in KINDS else None
    if signature is None:
        return None
    if len(call.args) > len(signature.positional):
        return None
    given = list(zip(signature.positional, call.args, strict=False))
    given += [(keyword.arg or "**", keyword.value) for keyword in call.keywords]
    names = [argument for argument, _ in given]
    complete = set(signature.positional) <= set(names) <= signature.all
    if len(set(names)) < len(names) or not complete:
        return None
    values = [(argument, operand(value)) for argument, value in given]
    if any(value is None for _, value in values):
        return None
    return Gate(
        kind=GateKind(name),
        expression=ast.get_source_segment(source, call) or ast.unparse(call),
        arguments=tuple(Argument(name=argument, value=value) for argument, value in values if value is not None),
        line=call.lineno,
    )


def _fixed(value: object) -> Fixed | None:
    """None for what JSON can't hold: bytes, complex, infinities, lone surrogates."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str) and not _storable(value):
        return None
    return Fixed(value=value) if isinstance(value, str | int | float | bool | None) else None


def _storable(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _template(node: ast.JoinedStr) -> Fixed | Template | None:
    parts: list[Fixed | Param] = []
    for piece in node.values:
        if isinstance(piece, ast.FormattedValue):
            if piece.conversion != -1 or piece.format_spec is not None:
                return None
            value = operand(piece.value)
        else:
            value = operand(piece)
        if not isinstance(value, Fixed | Param):
            return None
        parts.append(value)
    if all(isinstance(part, Fixed) for part in parts):
        return Fixed(value="".join(str(part.value) for part in parts if isinstance(part, Fixed)))
    return Template(parts=tuple(parts))


def _pattern(call: ast.Call) -> Pattern | None:
    """``re.compile("source")`` or with flags by name, joined by ``|``."""
    flags = [*call.args[1:], *(keyword.value for keyword in call.keywords if keyword.arg == "flags")]
    given = len(call.args) + len(call.keywords)
    if ast.unparse(call.func) != "re.compile" or not call.args or len(flags) > 1 or given != 1 + len(flags):
        return None
    source = operand(call.args[0])
    letters = _letters(flags[0]) if flags else ""
    if letters is None or not isinstance(source, Fixed) or not isinstance(source.value, str):
        return None
    return Pattern(source=source.value, flags=letters) if _compiles(source.value, letters) else None


def _compiles(source: str, letters: str) -> bool:
    flags = functools.reduce(operator.or_, (getattr(re, letter.upper()) for letter in letters), re.NOFLAG)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(source, flags)
    except (re.error, ValueError, RecursionError, OverflowError):
        return False
    return True


def _letters(node: ast.expr) -> str | None:
    names: list[str] = []
    parts = [node]
    while parts:
        part = parts.pop()
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr):
            parts += [part.left, part.right]
        elif isinstance(part, ast.Attribute) and ast.unparse(part.value) == "re" and part.attr in _FLAGS:
            names.append(_FLAGS[part.attr])
        else:
            return None
    return "".join(sorted(set(names)))

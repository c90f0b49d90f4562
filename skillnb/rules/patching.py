"""Changing one locator in a code cell, and the part of a cell that is still to be run after a failure."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from skillnb.terms.action import Abstain

__all__ = ["patched", "Position", "receiver", "remainder"]

_PAGES = frozenset({"page", "context", "browser"})
_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)
_BRANCHING = (
    ast.BoolOp,
    ast.IfExp,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_LINES = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|$)")


class Position(NamedTuple):
    """As ``code.co_positions()`` gives it: lines from 1, columns in UTF-8 bytes.

    That of the call, or of the ``await`` around it: both end where the call ends, and no two calls end together.
    """

    line: int
    end_line: int
    col: int
    end_col: int


def receiver(source: str, position: tuple[int, int, int, int]) -> str:
    """The locator expression of the failed call, as written. Raises ValueError where ``remainder`` abstains."""
    data, (start, stop) = _receiver(source, position)
    return data[start:stop].decode("utf-8", "surrogatepass")


def patched(source: str, position: tuple[int, int, int, int], locator: str) -> str:
    """``source`` with the receiver of the failed call replaced by ``locator``, all else byte for byte as it was.

    Raises ValueError when the position is not that of a call on a locator, or ``locator`` is not such an expression:
    both are faults of the caller, who has asked ``remainder`` first.
    """
    wanted = _expression(locator)
    if not isinstance(wanted, ast.Call | ast.Attribute | ast.Subscript | ast.Name):
        raise ValueError(f"not a locator expression: {locator!r}")
    data, (start, stop) = _receiver(source, position)
    changed = (data[:start] + locator.encode("utf-8", "surrogatepass") + data[stop:]).decode("utf-8", "surrogatepass")
    tree, call = _located(source, Position(*position))
    after = _parsed(changed)
    if isinstance(call, Abstain) or not isinstance(call.func, ast.Attribute) or after is None:
        raise ValueError("the patched source does not parse")
    call.func.value = wanted
    if ast.dump(after) != ast.dump(tree):
        raise ValueError("the patched source would not differ in the locator alone")
    return changed


def remainder(source: str, position: tuple[int, int, int, int]) -> str | Abstain:
    """The failed top-level statement and all after it, as they stand in ``source``: whole lines to its very end.

    Abstains where running that again could repeat or skip something, and where the failed call is not a locator's.
    """
    tree, call = _located(source, Position(*position))
    if isinstance(call, Abstain):
        return call
    doubt = _not_a_locator(call)
    statement = next(one for one in tree.body if _holds(one, call))
    if not isinstance(statement, _SIMPLE):
        doubt = doubt or f"the failed call is inside `{type(statement).__name__.lower()}` and may have run in part"
    doubt = doubt or _entangled(statement, call)
    data = source.encode("utf-8", "surrogatepass")
    start = _offsets(data, statement)[0]
    if not doubt and data[:start].strip(b" ") and not data[:start].rstrip(b" ").endswith((b"\n", b"\r")):
        doubt = "the failed statement shares its line with an earlier one"
    return Abstain(reason=doubt) if doubt else data[start:].decode("utf-8", "surrogatepass")


def _entangled(statement: ast.stmt, call: ast.Call) -> str:
    for around in ast.walk(statement):
        holds = _holds(around, call)
        if isinstance(around, _BRANCHING) and holds:
            return "the failed call is inside a loop or a choice of one expression"
        if isinstance(around, ast.Await) and around.value is not call:
            return "the failed statement waits for something else as well"
    return ""


def _not_a_locator(call: ast.Call) -> str:
    if not isinstance(call.func, ast.Attribute):
        return "the failed call is not a method of a locator"
    before = call.func.value
    if isinstance(before, ast.Name) and before.id in _PAGES:
        return f"the failed call is a method of {before.id} itself, not of a locator"
    if isinstance(before, ast.Call) and isinstance(before.func, ast.Name):
        return f"the failed call is a method of {before.func.id}(...), not of a locator"
    return ""


def _receiver(source: str, position: tuple[int, int, int, int]) -> tuple[bytes, tuple[int, int]]:
    _, call = _located(source, Position(*position))
    if isinstance(call, Abstain):
        raise ValueError(call.reason)
    doubt = _not_a_locator(call)
    if doubt or not isinstance(call.func, ast.Attribute):
        raise ValueError(doubt)
    data = source.encode("utf-8", "surrogatepass")
    return data, _offsets(data, call.func.value)


def _holds(outer: ast.AST, inner: ast.AST) -> bool:
    return any(node is inner for node in ast.walk(outer))


def _located(source: str, position: Position) -> tuple[ast.Module, ast.Call | Abstain]:
    tree = _parsed(source)
    if tree is None:
        return ast.Module(body=[], type_ignores=[]), Abstain(reason="the cell does not parse as Python")
    for node in ast.walk(tree):
        wrapped = node.value if isinstance(node, ast.Await) else node
        ends = (getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0))
        if isinstance(wrapped, ast.Call) and ends == (position.end_line, position.end_col):
            return tree, wrapped
    return tree, Abstain(reason=f"no call ends at line {position.end_line}, column {position.end_col}")


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _expression(text: str) -> ast.expr | None:
    tree = _parsed(text)
    only = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None


def _offsets(data: bytes, node: ast.expr | ast.stmt) -> tuple[int, int]:
    starts = [0]
    for match in _LINES.finditer(data):
        starts.append(match.end())
    stop_line, stop_column = node.end_lineno or node.lineno, node.end_col_offset or 0
    return starts[node.lineno - 1] + node.col_offset, starts[stop_line - 1] + stop_column

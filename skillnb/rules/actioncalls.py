"""The calls of a cell that act on elements, counted, so that an action can be named however its locator is written."""

from __future__ import annotations

import ast
from functools import lru_cache

from skillnb.rules.patching import Position, patched
from skillnb.rules.playwrightnames import ELEMENT_ACTIONS

__all__ = ["call_number", "call_position", "calls", "relocated"]

_REPEATED = (
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


@lru_cache(maxsize=64)
def calls(source: str) -> tuple[Position, ...]:
    """In the order in which they end; empty for what does not parse as Python.

    Those in loops and functions are left out: done several times, they are no one element's.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found, waiting = list[Position](), list[ast.AST]([tree])
    while waiting:
        node = waiting.pop()
        if isinstance(node, _REPEATED):
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ELEMENT_ACTIONS:
            place = (node.lineno, node.end_lineno or node.lineno, node.col_offset, node.end_col_offset or 0)
            found.append(Position(*place))
    return tuple(sorted(found, key=lambda place: (place.end_line, place.end_col)))


def call_number(source: str, site: tuple[int, int, int, int] | None) -> int | None:
    """Which of the source's action calls ends where ``site`` does."""
    if site is None:
        return None
    _, end_line, _, end_column = site
    ends = [(place.end_line, place.end_col) for place in calls(source)]
    return ends.index((end_line, end_column)) if (end_line, end_column) in ends else None


def call_position(source: str, number: int) -> Position | None:
    found = calls(source)
    return found[number] if 0 <= number < len(found) else None


def relocated(source: str, number: int, locator: str) -> str | None:
    """``source`` with the locator of one action replaced; None where there is no such action, or it has no locator."""
    place = call_position(source, number)
    if place is None:
        return None
    try:
        return patched(source, place, locator)
    except ValueError:
        return None

"""Values of operands: what a gate or a sentence says once the parameters are put in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from skillnb.terms import term
from skillnb.terms.gate import Fixed, Operand, Param, Pattern, Template

__all__ = ["as_text", "literal_parts", "resolve", "Unresolved"]

_FLAGS = {"a": re.ASCII, "i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE, "u": re.UNICODE}


@term
class Unresolved:
    """An operand without a usable value, and why."""

    reason: str


def resolve(operand: Operand, values: Mapping[str, object]) -> object:
    """The value, a compiled pattern, or Unresolved; never raises."""
    if isinstance(operand, Fixed):
        return operand.value
    if isinstance(operand, Param):
        return _parameter(operand.name, values)
    if isinstance(operand, Pattern):
        return _compiled(operand)
    text = ""
    for part in operand.parts:
        value = part.value if isinstance(part, Fixed) else _parameter(part.name, values)
        if isinstance(value, Unresolved):
            return value
        text += as_text(value)
    return text


def literal_parts(operand: Operand, values: Mapping[str, object]) -> tuple[tuple[str, bool], ...] | Unresolved:
    """Pieces of a text with, for each, whether it comes from a parameter (and must be taken literally)."""
    parts = operand.parts if isinstance(operand, Template) else (operand,)
    pieces: list[tuple[str, bool]] = []
    for part in parts:
        value = resolve(part, values)
        if isinstance(value, Unresolved):
            return value
        pieces.append((as_text(value), isinstance(part, Param)))
    return tuple(pieces)


def as_text(value: object) -> str:
    """As Python's f-strings write it; a missing value is the empty text."""
    return "" if value is None else str(value)


def _parameter(name: str, values: Mapping[str, object]) -> object:
    if values.get(name) is None:
        return Unresolved(reason=f"parameter {name} has no value")
    return values[name]


def _compiled(pattern: Pattern) -> object:
    flags = re.RegexFlag(0)
    for letter in pattern.flags.lower():
        if letter not in _FLAGS:
            return Unresolved(reason=f"pattern flag {letter!r} is not known")
        flags |= _FLAGS[letter]
    try:
        compiled = re.compile(pattern.source, flags)
        vacuous = compiled.search("") is not None
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        return Unresolved(reason=f"bad pattern {pattern.source!r}: {error}")
    if vacuous:
        return Unresolved(reason=f"pattern {pattern.source!r} matches the empty text and so proves nothing")
    return compiled

"""A gate with its parameters put in: what its checks have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from skillnb.rules.claims import Claim, claim
from skillnb.rules.globs import matches_url
from skillnb.rules.matching import Criteria
from skillnb.rules.operands import Unresolved, literal_parts, resolve
from skillnb.terms.gate import Fixed, Gate, GateKind, Operand, Pattern
from skillnb.terms.observation import Observation
from skillnb.terms.outcome import Verdict

__all__ = ["Answer", "ask", "Asked", "bounds_of", "claims_of", "criteria_of", "fits_url", "pieces_of", "unknown"]

_ELEMENT = frozenset({"role", "name", "text", "label", "placeholder", "exact", "near"})
_TAKES: dict[GateKind, frozenset[str]] = {
    GateKind.URL: frozenset({"pattern"}),
    GateKind.VISIBLE: _ELEMENT,
    GateKind.ABSENT: _ELEMENT,
    GateKind.VALUE: _ELEMENT - {"text"} | {"equals", "contains", "checked"},
    GateKind.TEXT: frozenset({"role", "name", "contains", "equals"}),
    GateKind.COUNT: _ELEMENT - {"placeholder"} | {"equals", "at_least", "at_most"},
    GateKind.RESPONSE: frozenset({"method", "pattern", "status"}),
    GateKind.FILE: frozenset({"name_pattern", "min_size"}),
    GateKind.CUSTOM: frozenset(),
}


class Answer(NamedTuple):
    """``expected`` and ``actual`` are short sentences for people."""

    verdict: Verdict
    expected: str
    actual: str


class Asked(NamedTuple):
    gate: Gate
    given: dict[str, object]
    operands: dict[str, Operand]
    values: Mapping[str, object]
    seen: Observation


def unknown(expected: str, why: str) -> Answer:
    return Answer(Verdict.UNKNOWN, expected, why)


def ask(gate: Gate, values: Mapping[str, object], seen: Observation) -> Asked | str:
    """The gate ready to be checked, or why it can't be. ``timeout`` is the waiting's business, not the check's."""
    given: dict[str, object] = {}
    operands: dict[str, Operand] = {}
    for argument in gate.arguments:
        if argument.name == "timeout":
            continue
        if argument.name not in _TAKES[gate.kind]:
            return f"gate.{gate.kind} takes no {argument.name}"
        value = resolve(argument.value, values)
        if isinstance(value, Unresolved):
            return value.reason
        if value is not None:
            given[argument.name] = value
            operands[argument.name] = argument.value
    return Asked(gate, given, operands, values, seen)


def criteria_of(asked: Asked, *, required: bool = True) -> Criteria | str:
    wishes: dict[str, str | re.Pattern[str] | None] = {}
    for name in ("role", "name", "text", "label", "placeholder", "near"):
        value = asked.given.get(name)
        if isinstance(value, re.Pattern):
            if name in ("role", "near"):
                return f"{name} can't be a pattern"
            wishes[name] = value
        elif value is not None and not str(value).strip():
            return f"{name} is empty"
        else:
            wishes[name] = None if value is None else str(value)
    if required and all(wishes[name] is None for name in ("role", "name", "text", "label", "placeholder")):
        return "the gate does not say which element"
    return Criteria(exact=asked.given.get("exact") is True, **wishes)  # type: ignore[arg-type]


def claims_of(asked: Asked) -> tuple[Claim, ...] | str:
    made: list[Claim] = []
    for name in ("equals", "contains"):
        if name in asked.given:
            own = isinstance(asked.operands[name], Fixed | Pattern)
            one = claim(name, asked.given[name], own=own)
            if isinstance(one, str):
                return one
            made.append(one)
    return tuple(made)


def bounds_of(asked: Asked) -> tuple[float, float, str] | str:
    """Least and most elements, and both in words."""
    least, most, words = 0.0, float("inf"), []
    for name, lead in (("equals", "exactly"), ("at_least", "at least"), ("at_most", "at most")):
        value = asked.given.get(name)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            return f"{name} is not a number of elements: {value!r}"
        least = max(least, value) if name != "at_most" else least
        most = min(most, value) if name != "at_least" else most
        words.append(f"{lead} {value}")
    if not words:
        return "the gate does not say how many"
    if (least, most) == (0, float("inf")):
        return "at least 0 is always true"
    return least, most, " and ".join(words)


def fits_url(asked: Asked, url: str) -> bool | str:
    value = asked.given.get("pattern")
    if isinstance(value, re.Pattern):
        return value.search(url.split("#", 1)[0]) is not None
    parts = pieces_of(asked, "pattern")
    if isinstance(parts, str):
        return parts
    if not any(text.strip("*/ ") for text, _ in parts) and any("*" in text for text, _ in parts):
        return "pattern would match anything"
    return matches_url(parts, url)


def pieces_of(asked: Asked, name: str) -> tuple[tuple[str, bool], ...] | str:
    """The text of a glob in pieces, those from parameters marked; or why there is none."""
    operand = asked.operands.get(name)
    if operand is None or isinstance(operand, Pattern):
        return f"no {name} given"
    parts = literal_parts(operand, asked.values)
    if isinstance(parts, Unresolved):
        return parts.reason
    if any(not text.strip() for text, literal in parts if literal):
        return f"a parameter in {name} is empty"
    return parts if any(text for text, _ in parts) else f"{name} is empty"

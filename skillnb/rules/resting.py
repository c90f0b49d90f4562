"""What a gate rests on: the elements by which it holds, the answers and files it counts, the words it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from skillnb.rules.asked import Asked, ask, claims_of, criteria_of, fits_url, pieces_of
from skillnb.rules.claims import Said, holds
from skillnb.rules.globs import matches_name
from skillnb.rules.matching import found
from skillnb.rules.operands import as_text
from skillnb.rules.roles import FIELDS
from skillnb.rules.scope import anchors
from skillnb.rules.tree import children, text_of
from skillnb.terms.gate import Gate, GateKind, Param, Template
from skillnb.terms.observation import Node, Observation

__all__ = ["anchors_of", "asks_of", "elements_of", "files_of", "responses_of", "words_of"]

_NODE_KINDS = frozenset({GateKind.VISIBLE, GateKind.VALUE, GateKind.COUNT, GateKind.TEXT})
_WORDS_OF_ELEMENT = ("name", "text", "label", "placeholder")
_ESCAPES = re.compile(r"\\[a-zA-Z]|\(\?[!<=:]")


def elements_of(gate: Gate, values: Mapping[str, object], seen: Observation) -> tuple[int, ...]:
    """Positions of the elements that make the gate hold; of a text of the whole page the innermost that hold it."""
    asked = ask(gate, values, seen)
    if isinstance(asked, str) or gate.kind not in _NODE_KINDS:
        return ()
    criteria = criteria_of(asked, required=gate.kind is not GateKind.TEXT)
    if isinstance(criteria, str):
        return ()
    if gate.kind is not GateKind.TEXT:
        return found(seen.nodes, criteria)
    agrees = _agrees(asked)
    if agrees is None:
        return ()
    if criteria.role is None and criteria.name is None:
        return _innermost(seen.nodes, agrees)
    return tuple(at for at in found(seen.nodes, criteria) if agrees(text_of(seen.nodes, at)))


def anchors_of(gate: Gate, values: Mapping[str, object], seen: Observation) -> tuple[int, ...]:
    """The elements that say where: those that bear the text of ``near``."""
    asked = ask(gate, values, seen)
    near = "" if isinstance(asked, str) else asked.given.get("near", "")
    return anchors(seen.nodes, near) if isinstance(near, str) and near.strip() else ()


def responses_of(gate: Gate, values: Mapping[str, object], seen: Observation) -> tuple[int, ...]:
    """Positions of the answers that a response gate is about, whatever their status."""
    asked = ask(gate, values, seen)
    if isinstance(asked, str) or gate.kind is not GateKind.RESPONSE:
        return ()
    method = str(asked.given.get("method", "")).upper()
    return tuple(
        at
        for at, response in enumerate(seen.responses)
        if response.method.upper() == method and fits_url(asked, response.url) is True
    )


def files_of(gate: Gate, values: Mapping[str, object], seen: Observation) -> tuple[int, ...]:
    asked = ask(gate, values, seen)
    if isinstance(asked, str) or gate.kind is not GateKind.FILE:
        return ()
    pattern = asked.given.get("name_pattern")
    if isinstance(pattern, re.Pattern):
        return tuple(at for at, file in enumerate(seen.files) if pattern.search(file.name))
    pieces = pieces_of(asked, "name_pattern")
    if isinstance(pieces, str):
        return ()
    return tuple(at for at, file in enumerate(seen.files) if matches_name(pieces, file.name))


def words_of(gate: Gate, values: Mapping[str, object], seen: Observation, *, near: bool = False) -> tuple[str, ...]:
    """Words that the gate names, in lower case: of its element and text, of its address, or of the place (``near``).

    A value that a field must hold is no word of it. Of a pattern only what stands in it letter by letter counts, and of
    an address only segments without a star.
    """
    asked = ask(gate, values, seen)
    if isinstance(asked, str):
        return ()
    if gate.kind in (GateKind.URL, GateKind.RESPONSE):
        texts = [_literal(asked.given.get("pattern"))]
        return tuple(dict.fromkeys(word for text in texts for word in re.findall(r"[^/?&=]+", text) if "*" not in word))
    names = ("near",) if near else _WORDS_OF_ELEMENT + (("contains", "equals") if gate.kind is GateKind.TEXT else ())
    texts = [_literal(asked.given.get(name)) for name in names]
    return tuple(dict.fromkeys(word.lower() for text in texts for word in re.findall(r"\w+", text)))


def asks_of(gate: Gate) -> frozenset[str]:
    """Parameters that the gate looks at."""
    found: set[str] = set()
    for argument in gate.arguments:
        parts = argument.value.parts if isinstance(argument.value, Template) else (argument.value,)
        found.update(part.name for part in parts if isinstance(part, Param))
    return frozenset(found)


def _literal(value: object) -> str:
    if isinstance(value, re.Pattern):
        return _ESCAPES.sub(" ", str(value.pattern))
    return as_text(value)


def _agrees(asked: Asked) -> Callable[[str], bool] | None:
    claims = claims_of(asked)
    if isinstance(claims, str) or not claims:
        return None
    return lambda text: all(holds(one, Said((text,), True)) for one in claims)


def _innermost(nodes: Sequence[Node], agrees: Callable[[str], bool]) -> tuple[int, ...]:
    made: list[int] = []
    waiting = [at for at in children(nodes, -1) if _reads(nodes, at, agrees)]
    while waiting:
        at = waiting.pop()
        inner = [child for child in children(nodes, at) if _reads(nodes, child, agrees)]
        waiting += inner
        if not inner:
            made.append(at)
    return tuple(sorted(made))


def _reads(nodes: Sequence[Node], at: int, agrees: Callable[[str], bool]) -> bool:
    return nodes[at].role not in FIELDS and agrees(text_of(nodes, at))

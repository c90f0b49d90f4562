"""What a model may choose from: the page's usable elements and the values it may use, each by a text of its own.

A model names what it means by that text and never by a handle or a number; code finds the element again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from skillnb.rules.candidates import beside, called, openable, soft, usable
from skillnb.rules.roles import CHOOSERS, CLICKABLES, FIELDS, FILLABLES
from skillnb.rules.similarity import straightened
from skillnb.rules.tree import ancestors
from skillnb.rules.wordsof import skeleton
from skillnb.terms.gate import Fixed, Operand, Param, Template
from skillnb.terms.observation import Node

__all__ = ["Offer", "offered", "told_literals", "Value", "values_offered"]

_PLACES = frozenset(
    {"alertdialog", "article", "banner", "contentinfo", "dialog", "form", "group", "listitem"}
    | {"navigation", "region", "row", "tabpanel", "treeitem"}
)
_LONGEST_NAME = 80
_LONGEST_VALUE = 60


class Offer(NamedTuple):
    """``at``: its position in the snapshot; ``name``: what a person calls it, as it is on the page."""

    label: str
    at: int
    name: str


class Value(NamedTuple):
    label: str
    operand: Operand
    authored: bool
    """From a parameter or from the author's own sentences, not from the page."""


def offered(nodes: Sequence[Node], mask: Callable[[str], str]) -> tuple[Offer, ...]:
    """Named elements that something can be done to, in the page's order, their labels masked and all different."""
    found = list(_usable_ones(nodes))
    plain = [_label(nodes[at].role, mask(name)) for at, name in found]
    often = Counter(plain)
    told = [
        f"{label} in {place}" if often[label] > 1 and (place := _place(nodes, at, mask)) else label
        for label, (at, _) in zip(plain, found, strict=True)
    ]
    return tuple(Offer(label, at, name) for label, (at, name) in zip(_numbered(told), found, strict=True))


def _usable_ones(nodes: Sequence[Node]) -> Iterator[tuple[int, str]]:
    wrappers = frozenset(soft(nodes))
    for at, node in enumerate(nodes):
        hard = node.role in CLICKABLES or node.role in CHOOSERS or openable(nodes, at)
        chosen_from_above = node.role == "option" and any(
            nodes[above].role in CHOOSERS for above in ancestors(nodes, at)
        )
        if not (hard or at in wrappers) or chosen_from_above or usable(nodes, at):
            continue
        field = node.role in FIELDS or node.role in FILLABLES
        name = straightened(called(nodes, at) or (node.placeholder or beside(nodes, at) if field else ""))
        if name:
            yield at, name


def _label(role: str, name: str) -> str:
    return f'{role} "{_cut(name, _LONGEST_NAME)}"'


def _place(nodes: Sequence[Node], at: int, mask: Callable[[str], str]) -> str:
    above = next((item for item in ancestors(nodes, at) if nodes[item].role in _PLACES and nodes[item].name), -1)
    return "" if above < 0 else _label(nodes[above].role, mask(straightened(nodes[above].name)))


def _numbered(labels: Sequence[str]) -> list[str]:
    """A label that comes again gets a number that no other label happens to have."""
    taken, often, met = set(labels), Counter(labels), Counter[str]()
    made: list[str] = []
    for label in labels:
        met[label] += 1
        told, number = label, met[label]
        while often[label] > 1 and (told == label or told in taken):
            told = f"{label} ({number} of {often[label]})" if number <= often[label] else f"{label} (number {number})"
            number += often[label]
        taken.add(told)
        made.append(told)
    return made


def values_offered(
    parameters: Iterable[str], sentences: Iterable[str], nodes: Sequence[Node], mask: Callable[[str], str], most: int
) -> tuple[Value, ...]:
    """Parameters by name, then the author's own quotes, then what the page says: ``most`` in all, labels all different.

    A text of the page that looks like a parameter, or holds a secret, is no value.
    """
    names = tuple(parameters)
    made = {f"{{{name}}}": Value(f"{{{name}}}", Param(name=name), True) for name in names}
    for operand in told_literals(sentences, names):
        label = mask(_shown(operand))
        made.setdefault(label, Value(label, operand, True))
    for text in _said(nodes):
        if len(made) >= most:
            break
        if mask(text) == text and not ("{" in text and "}" in text):
            made.setdefault(text, Value(text, Fixed(value=text), False))
    return tuple(made.values())


def told_literals(sentences: Iterable[str], parameters: Sequence[str]) -> tuple[Operand, ...]:
    """Texts in quotes and addresses of the author's sentences, those with ``{parameter}`` in them as templates."""
    found: list[Operand] = []
    for sentence in sentences:
        read = skeleton(sentence, frozenset(parameters))
        if not isinstance(read, str):
            found += [piece for piece in read.pieces if not isinstance(piece, Param)]
    return tuple(found)


def _shown(operand: Operand) -> str:
    if isinstance(operand, Template):
        return "".join(f"{{{part.name}}}" if isinstance(part, Param) else str(part.value) for part in operand.parts)
    return str(operand.value) if isinstance(operand, Fixed) else ""


def _said(nodes: Sequence[Node]) -> Iterator[str]:
    """Options first: most of what is chosen from the page is one of them."""
    for options in (True, False):
        for node in nodes:
            if (node.role == "option") is not options or (node.role in FIELDS and not options):
                continue
            text = straightened(node.name if options else node.text)
            if text and len(text) <= _LONGEST_VALUE:
                yield text


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size - 1] + "…"

"""Walks of a snapshot's tree. Positions in the tuple and depths are trusted, nothing else, so no walk can fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from skillnb.rules.roles import FIELDS, NAMED_FROM_CONTENT, TICKABLES
from skillnb.terms.observation import Node

__all__ = ["ancestors", "children", "contains", "end", "joined", "page_text", "parent", "selected_options", "text_of"]

_CLINGS_TO_WHAT_FOLLOWS = "([{“„«‹¿¡‘"
_CLINGS_TO_WHAT_PRECEDES = ")]}”»›’.,:;!?…"


def end(nodes: Sequence[Node], at: int) -> int:
    """One past the last position of the subtree that starts at ``at``."""
    stop = at + 1
    while stop < len(nodes) and nodes[stop].depth > nodes[at].depth:
        stop += 1
    return stop


def parent(nodes: Sequence[Node], at: int) -> int:
    """-1 at the top."""
    above = at - 1
    while above >= 0 and nodes[above].depth >= nodes[at].depth:
        above -= 1
    return above


def ancestors(nodes: Sequence[Node], at: int) -> Iterator[int]:
    """Nearest first."""
    above = parent(nodes, at)
    while above >= 0:
        yield above
        above = parent(nodes, above)


def children(nodes: Sequence[Node], at: int) -> Iterator[int]:
    """``at`` -1 gives the top nodes."""
    child, stop = at + 1, len(nodes) if at < 0 else end(nodes, at)
    while child < stop:
        yield child
        child = end(nodes, child)


def contains(nodes: Sequence[Node], outer: int, inner: int) -> bool:
    return outer <= inner < end(nodes, outer)


def joined(pieces: Iterable[str]) -> str:
    """Text runs put together again; the snapshot trimmed the blanks between them, punctuation tells most of them."""
    text = ""
    for piece in pieces:
        if not piece:
            continue
        apart = text and text[-1] not in _CLINGS_TO_WHAT_FOLLOWS and piece[0] not in _CLINGS_TO_WHAT_PRECEDES
        text += f" {piece}" if apart else piece
    return text


def text_of(nodes: Sequence[Node], at: int) -> str:
    """The text a reader sees inside the element. Typed values and closed choices are not text."""
    node = nodes[at]
    if node.role in FIELDS:
        return node.text
    return joined(_runs(nodes, at, end(nodes, at)))


def page_text(nodes: Sequence[Node]) -> str:
    return joined(_runs(nodes, 0, len(nodes)))


def _runs(nodes: Sequence[Node], start: int, stop: int) -> Iterator[str]:
    at = start
    while at < stop:
        node = nodes[at]
        if node.role in FIELDS and node.role != "listbox":
            at = end(nodes, at)
            continue
        leaf = at + 1 >= len(nodes) or nodes[at + 1].depth <= node.depth
        if node.text:
            yield node.text
        elif leaf and node.role in NAMED_FROM_CONTENT - TICKABLES:
            yield node.name
        at += 1


def selected_options(nodes: Sequence[Node], at: int) -> tuple[str, ...] | None:
    """Labels of the selected options of a choice; ``None`` when the snapshot prints no options at all."""
    options = [nodes[inner] for inner in range(at + 1, end(nodes, at)) if nodes[inner].role == "option"]
    if not options:
        return None
    return tuple(option.name for option in options if option.selected)

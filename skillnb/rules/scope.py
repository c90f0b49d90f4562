"""Which of several like elements stands in the named place: ``in the row "Interns"``, ``in "Available groups"``.

Every element that bears the scope's text is an anchor. From it the place grows, parent by parent, until it holds a
candidate. It stops growing where the place turns out to be one of several of its kind (rows, cards, the two boxes of a
chooser): past that point an element would belong to a neighbour. Of places within places only the innermost count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from skillnb.rules.roles import FIELDS
from skillnb.rules.similarity import same, starts_with
from skillnb.rules.tree import ancestors, children, end, parent
from skillnb.terms.observation import Node

__all__ = ["anchors", "narrowed", "ROWS"]

ROWS = frozenset({"row", "listitem", "treeitem"})
"""What a sentence may call a row."""

_Span = tuple[int, int]


def anchors(nodes: Sequence[Node], scope: str, *, row: bool = False) -> tuple[int, ...]:
    """Positions of the elements that bear the text: exactly if there are any, else those whose text begins with it."""
    for agrees in (same, starts_with):
        found = tuple(_bearing(nodes, lambda said, agrees=agrees: agrees(said, scope)))  # type: ignore[misc]
        if row:
            found = tuple(at for at in found if _row_of(nodes, at) >= 0)
        if found:
            return found
    return ()


def narrowed(nodes: Sequence[Node], candidates: Iterable[int], scope: str, *, row: bool = False) -> tuple[int, ...]:
    """The candidates in the named place; none where the place is not on the page or holds none of them."""
    wanted = tuple(candidates)
    spans: set[_Span] = set()
    for anchor in anchors(nodes, scope, row=row):
        span = _row_span(nodes, anchor, wanted) if row else _grown(nodes, anchor, wanted)
        if span is not None:
            spans.add(span)
    inner = [span for span in spans if not any(other != span and _within(other, span) for other in spans)]
    return tuple(at for at in wanted if any(start <= at < stop for start, stop in inner))


def _bearing(nodes: Sequence[Node], agrees: Callable[[str], bool]) -> Iterable[int]:
    """What is typed into a field is not a text of the page."""
    for at, node in enumerate(nodes):
        said = "" if node.role in FIELDS else node.text
        if agrees(node.name) or (said != node.name and agrees(said)):
            yield at


def _row_of(nodes: Sequence[Node], at: int) -> int:
    return next((place for place in (at, *ancestors(nodes, at)) if nodes[place].role in ROWS), -1)


def _row_span(nodes: Sequence[Node], anchor: int, wanted: tuple[int, ...]) -> _Span | None:
    row = _row_of(nodes, anchor)
    span = (row, end(nodes, row))
    return span if _holds(span, wanted, row) else None


def _grown(nodes: Sequence[Node], anchor: int, wanted: tuple[int, ...]) -> _Span | None:
    place, path = anchor, [nodes[anchor].role]
    while place >= 0:
        span = (place, end(nodes, place))
        if _holds(span, wanted, anchor):
            return span
        above = parent(nodes, place)
        peers = [other for other in children(nodes, above) if other != place and _alike(nodes, other, path)]
        if peers:
            following = [other for other in peers if other > place]
            stop = following[0] if following else (len(nodes) if above < 0 else end(nodes, above))
            span = (place, stop)
            return span if _holds(span, wanted, anchor) else None
        place, path = above, [nodes[above].role, *path] if above >= 0 else path
    return None


def _alike(nodes: Sequence[Node], at: int, path: list[str]) -> bool:
    """The same roles lead down from ``at`` as lead from the place to its anchor."""
    level = [at] if nodes[at].role == path[0] else []
    for role in path[1:]:
        level = [child for place in level for child in children(nodes, place) if nodes[child].role == role]
    return bool(level)


def _holds(span: _Span, wanted: tuple[int, ...], anchor: int) -> bool:
    return any(span[0] <= at < span[1] and at != anchor for at in wanted)


def _within(inner: _Span, outer: _Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]

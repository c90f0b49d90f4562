"""Edits of a snapshot's tree: what a page would show if it were a little different. Each gives new nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from skillnb.rules.roles import FIELDS, NAMED_FROM_CONTENT
from skillnb.rules.tree import ancestors, children, end, parent, text_of
from skillnb.terms.observation import Node

__all__ = [
    "added",
    "added_beside",
    "renumbered",
    "reordered",
    "reworded",
    "reworded_everywhere",
    "said",
    "twinned",
    "valued",
    "without",
    "wrapped",
]

_MOVABLE = frozenset({"row", "listitem", "option", "treeitem"})
"""Entries that a site may list in another order without saying anything else."""


def said(nodes: Sequence[Node], at: int) -> str:
    """What the element is known by: its name, else the text in it."""
    return nodes[at].name or text_of(nodes, at)


def without(nodes: Sequence[Node], positions: Iterable[int]) -> tuple[Node, ...]:
    """The elements gone with all in them, and out of the names that their ancestors had from them."""
    left, gone = list(nodes), set[int]()
    for at in positions:
        top = _whole(nodes, at)
        gone.update(range(top, end(nodes, top)))
        lost = said(nodes, at)
        for above in ancestors(nodes, top):
            node = left[above]
            if lost and node.role in NAMED_FROM_CONTENT and lost in node.name:
                left[above] = replace(node, name=" ".join(node.name.replace(lost, " ", 1).split()))
    return _numbered([left[at] for at in range(len(nodes)) if at not in gone])


def twinned(nodes: Sequence[Node], at: int, times: int = 1) -> tuple[Node, ...]:
    """A second element just like it, right after it."""
    stop = end(nodes, at)
    twins = [replace(node, ref=node.ref and f"{node.ref}9") for node in nodes[at:stop]]
    return _numbered([*nodes[:stop], *twins * times, *nodes[stop:]])


def wrapped(nodes: Sequence[Node], at: int) -> tuple[Node, ...]:
    """An element without a meaning around it."""
    stop, depth = end(nodes, at), nodes[at].depth
    wrapper = Node(index=0, depth=depth, parent=-1, role="generic", name="", ref="e90001")
    inner = [replace(node, depth=node.depth + 1) for node in nodes[at:stop]]
    return _numbered([*nodes[:at], wrapper, *inner, *nodes[stop:]])


def added(nodes: Sequence[Node], role: str, name: str, text: str, *, first: bool) -> tuple[Node, ...]:
    """One more element of the page's outermost container, as its first or last."""
    inside = bool(nodes) and end(nodes, 0) == len(nodes) and nodes[0].role != "iframe" and not nodes[0].text
    node = Node(
        index=0, depth=nodes[0].depth + 1 if inside else 0, parent=-1, role=role, name=name, text=text, ref="e90002"
    )
    at = (1 if inside else 0) if first else len(nodes)
    return _numbered([*nodes[:at], node, *nodes[at:]])


def added_beside(nodes: Sequence[Node], at: int, role: str, name: str, text: str) -> tuple[Node, ...]:
    """One more element, right after this one and on its level."""
    stop = end(nodes, at)
    node = Node(index=0, depth=nodes[at].depth, parent=-1, role=role, name=name, text=text, ref="e90003")
    return _numbered([*nodes[:stop], node, *nodes[stop:]])


def reworded(nodes: Sequence[Node], positions: Iterable[int], old: re.Pattern[str], new: str) -> tuple[Node, ...]:
    """``old`` replaced in the names and texts of these elements, of what is in them and where they name an ancestor.

    Values of fields stay.
    """
    named, inside = set[int](), set[int]()
    for at in positions:
        inside.update(range(at, end(nodes, at)))
        named.update(above for above in ancestors(nodes, at) if nodes[above].role in NAMED_FROM_CONTENT)
    return tuple(
        _reworded(node, old, new, whole=at in inside) if at in inside or at in named else node
        for at, node in enumerate(nodes)
    )


def reworded_everywhere(nodes: Sequence[Node], old: re.Pattern[str], new: str) -> tuple[Node, ...]:
    """``old`` replaced wherever it is shown, values of fields and addresses of links included."""

    def put(text: str) -> str:
        return old.sub(lambda _: new, text)

    return tuple(
        replace(
            node,
            name=put(node.name),
            text=put(node.text),
            url=put(node.url),
            value=node.value if node.value is None else put(node.value),
        )
        for node in nodes
    )


def valued(nodes: Sequence[Node], at: int, value: str) -> tuple[Node, ...]:
    """The field holding another value."""
    return (*nodes[:at], replace(nodes[at], value=value, text=" ".join(value.split())), *nodes[at + 1 :])


def renumbered(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Other handles, as after another load of the page."""
    return tuple(
        replace(node, ref=re.sub(r"\d+$", lambda found: str(int(found[0]) + 1000), node.ref)) if node.ref else node
        for node in nodes
    )


def reordered(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Rows, list items and options in reverse order among their siblings; rows of column headers stay."""
    made: list[Node] = []
    waiting = list(reversed(_order(nodes, -1)))
    while waiting:
        at = waiting.pop()
        made.append(nodes[at])
        waiting += reversed(_order(nodes, at))
    return _numbered(made)


def _order(nodes: Sequence[Node], above: int) -> list[int]:
    found = list(children(nodes, above))
    places: Mapping[str, list[int]] = {
        role: [place for place, at in enumerate(found) if nodes[at].role == role and not _heads(nodes, at)]
        for role in _MOVABLE
    }
    moved = list(found)
    for those in places.values():
        for place, other in zip(those, reversed(those), strict=True):
            moved[place] = found[other]
    return moved


def _heads(nodes: Sequence[Node], at: int) -> bool:
    return any(nodes[inner].role == "columnheader" for inner in range(at + 1, end(nodes, at)))


def _reworded(node: Node, old: re.Pattern[str], new: str, *, whole: bool) -> Node:
    def put(text: str) -> str:
        return old.sub(lambda _: new, text)

    text = put(node.text) if whole and node.role not in FIELDS else node.text
    placeholder = put(node.placeholder) if whole else node.placeholder
    return replace(node, name=put(node.name), text=text, placeholder=placeholder)


def _whole(nodes: Sequence[Node], at: int) -> int:
    """Up to the element that is nothing without it: the cell of a link, the item of a text."""
    above = parent(nodes, at)
    while above >= 0 and nodes[above].role in NAMED_FROM_CONTENT and len(list(children(nodes, above))) == 1:
        at, above = above, parent(nodes, above)
    return at


def _numbered(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Index and parent put right by the depths."""
    made: list[Node] = []
    path: list[int] = []
    for at, node in enumerate(nodes):
        while path and made[path[-1]].depth >= node.depth:
            path.pop()
        above = path[-1] if path else -1
        made.append(node if (node.index, node.parent) == (at, above) else replace(node, index=at, parent=above))
        path.append(at)
    return tuple(made)

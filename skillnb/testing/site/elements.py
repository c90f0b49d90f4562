"""A page as a small tree: built from values, changed by path, written out as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import TypeAlias

__all__ = ["at", "el", "Element", "enclosing", "html", "Node", "Place", "places", "put"]

_VOID = frozenset({"base", "br", "hr", "img", "input", "link", "meta"})
_RAW = frozenset({"script", "style"})

Node: TypeAlias = "Element | str"
Place: TypeAlias = tuple[int, ...]
"""Where an element is: which child of the root, which child of that, and so on. () is the root itself."""


@dataclass(frozen=True, slots=True)
class Element:
    """``key`` names an element for mutations and never reaches the page."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Node, ...] = ()
    key: str = ""

    def get(self, name: str) -> str:
        return dict(self.attributes).get(name, "")

    def has(self, name: str) -> bool:
        return name in dict(self.attributes)

    def but(self, **attributes: str | bool | None) -> Element:
        """The same with these attributes; None or False takes one away."""
        kept = dict(self.attributes) | {_spelt(name): value for name, value in attributes.items()}
        return replace(self, attributes=_attributes(kept))

    def holding(self, *children: Node) -> Element:
        return replace(self, children=children)

    @property
    def text(self) -> str:
        if self.tag in _RAW:
            return ""
        return " ".join(" ".join(each if isinstance(each, str) else each.text for each in self.children).split())


def el(tag: str, *children: Node | Iterable[Node] | None, key: str = "", **attributes: str | bool | None) -> Element:
    """``class_`` is the attribute class, ``aria_label`` is aria-label; True is an attribute without value."""
    spelt = {_spelt(name): value for name, value in attributes.items()}
    return Element(tag, _attributes(spelt), tuple(_flat(children)), key)


def html(node: Node) -> str:
    if isinstance(node, str):
        return escape(node, quote=False)
    start = node.tag + "".join(f' {name}="{escape(value)}"' if value else f" {name}" for name, value in node.attributes)
    if node.tag in _VOID:
        return f"<{start}>"
    inside = "".join(child if node.tag in _RAW and isinstance(child, str) else html(child) for child in node.children)
    return f"<{start}>{inside}</{node.tag}>"


def at(root: Element, place: Place) -> Element:
    here = root
    for index in place:
        child = here.children[index]
        if isinstance(child, str):
            raise KeyError(place)
        here = child
    return here


def places(root: Element, wanted: Callable[[Element], bool], start: Place = ()) -> Iterator[Place]:
    """Where elements are that are ``wanted``, in the order of the document."""
    if wanted(root):
        yield start
    for index, child in enumerate(root.children):
        if isinstance(child, Element):
            yield from places(child, wanted, (*start, index))


def enclosing(root: Element, place: Place, wanted: Callable[[Element], bool]) -> Place | None:
    """The nearest element around ``place``, itself included, that is ``wanted``."""
    for length in range(len(place), -1, -1):
        if wanted(at(root, place[:length])):
            return place[:length]
    return None


def put(root: Element, place: Place, *nodes: Node) -> Element:
    """``nodes`` where the element at ``place`` was; none takes it away."""
    first, rest = place[0], place[1:]
    child = root.children[first]
    if rest and isinstance(child, Element):
        nodes = (put(child, rest, *nodes),)
    return root.holding(*root.children[:first], *nodes, *root.children[first + 1 :])


def _spelt(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _attributes(given: dict[str, str | bool | None]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, "" if value is True else value)
        for name, value in given.items()
        if value is not None and value is not False
    )


def _flat(children: Iterable[Node | Iterable[Node] | None]) -> Iterator[Node]:
    for child in children:
        if isinstance(child, (str, Element)):
            yield child
        elif child is not None:
            yield from child

"""Finding an element of a page by its key or its name, and the part of the page that goes with it."""

from __future__ import annotations

from skillnb.testing.site.elements import Element, Place, at, enclosing, places

__all__ = ["form_of", "label_of", "locate", "name_of", "unit_of"]

_NAMED_BY_TEXT = frozenset({"a", "button", "h1", "h2", "legend", "caption", "label", "option", "th", "td", "p", "span"})
_CONTROLS = frozenset({"input", "select", "textarea"})


def label_of(root: Element, place: Place) -> Place | None:
    """The label of a control: the one that names its id, else the one around it."""
    own = at(root, place).get("id")
    named = next(places(root, lambda each: each.tag == "label" and bool(own) and each.get("for") == own), None)
    return named if named is not None else enclosing(root, place, lambda each: each.tag == "label")


def name_of(root: Element, place: Place) -> str:
    """As a person would call it; the rules of the accessible name as far as this shop needs them."""
    element = at(root, place)
    if element.get("aria-label"):
        return element.get("aria-label")
    if element.tag in _CONTROLS:
        label = label_of(root, place)
        return at(root, label).text if label is not None else element.get("placeholder")
    if element.tag in _NAMED_BY_TEXT:
        return element.text
    return element.get("title")


def locate(root: Element, target: str) -> Place | None:
    """By key, else by name: controls and buttons before texts, the page's own part before header and footer."""
    by_key = next(places(root, lambda each: each.key == target), None)
    if by_key is not None:
        return by_key
    named = [place for place in places(root, lambda each: True) if name_of(root, place) == target]
    return min(named, key=lambda place: _rank(root, place), default=None)


def _rank(root: Element, place: Place) -> tuple[bool, bool, Place]:
    outside = enclosing(root, place, lambda each: each.tag == "main") is None
    plain = at(root, place).tag not in {*_CONTROLS, "a", "button", "iframe"}
    return outside, plain, place


def unit_of(root: Element, place: Place) -> Place:
    """A control goes with its label; everything else goes alone."""
    if at(root, place).tag not in _CONTROLS | {"label"}:
        return place
    around = enclosing(root, place, lambda each: each.get("class") in {"field", "check"})
    return place if around is None else around


def form_of(root: Element, place: Place) -> Place | None:
    return enclosing(root, place, lambda each: each.tag == "form")

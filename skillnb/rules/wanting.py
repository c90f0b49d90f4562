"""What a locator asked for, in words: the role and name of an element, and the places it stood in."""

from __future__ import annotations

from dataclasses import replace

from skillnb.rules.selectors import Part, parts
from skillnb.rules.similarity import folded
from skillnb.terms import term
from skillnb.terms.action import Abstain

__all__ = ["Place", "Wanted", "wanted"]

_QUIET = frozenset({"visible", "describe"})
_WHY = {
    "css": "a css or xpath selector names no element in words",
    "testid": "a test id names no element in words",
    "nth": "a position among several does not say which one was meant",
}


@term
class Place:
    """One link of a locator."""

    role: str = ""
    name: str = ""
    exact: bool = False
    field: bool = False
    """Named by its label or placeholder, so it is a form field of whatever role."""
    texts: tuple[str, ...] = ()
    """``filter(has_text=...)``."""
    holds: tuple[Place, ...] = ()
    """``filter(has=...)``."""
    frame: bool = False
    """The content of the only frame there."""


@term
class Wanted:
    """The element itself: the last link. Without a name it is the only one of its role in its place."""

    role: str
    """Empty when the locator named none (a label, a text): any role that the method can use."""
    name: str
    method: str
    scope: tuple[Place, ...] = ()
    """Where it stood, outermost first."""
    texts: tuple[str, ...] = ()
    field: bool = False


def wanted(selector: str, method: str) -> Wanted | Abstain:
    """The words of the locator, or why there are none to go by (css, test id, position, pattern)."""
    places = _places(selector)
    if isinstance(places, str):
        return Abstain(reason=f"{places}: {selector!r}")
    *scope, last = places
    if last.frame or last.holds:
        return Abstain(reason=f"the locator does not end in an element with a name: {selector!r}")
    if not last.name and not (scope and last.role and not scope[-1].frame):
        return Abstain(reason=f"the locator names no element in words: {selector!r}")
    if any(not place.frame and not (place.role and (place.name or place.texts or place.holds)) for place in scope):
        return Abstain(reason=f"the locator names the place of the element only by its role: {selector!r}")
    return Wanted(role=last.role, name=last.name, method=method, scope=tuple(scope), texts=last.texts, field=last.field)


def _places(selector: str) -> tuple[Place, ...] | str:
    read = parts(selector)
    if isinstance(read, str):
        return f"the locator can't be read from {read!r} on"
    places: list[Place] = []
    spoken = [part for part in read if part.kind not in _QUIET]
    for at, part in enumerate(spoken):
        frame_next = at + 1 < len(spoken) and spoken[at + 1].kind == "frame"
        if frame_next and part.kind != "frame":
            continue  # it says which frame, and the snapshot does not name frames
        problem = _add(places, part)
        if problem:
            return problem
    return tuple(places) or "the locator is empty"


def _add(places: list[Place], part: Part) -> str:
    """Add the link, or say why it can't be put into words."""
    if part.kind in _WHY:
        return _WHY[part.kind]
    if part.pattern:
        return "the name is a pattern, which several names answer to"
    if part.kind == "frame":
        places.append(Place(frame=True))
    elif part.kind == "role":
        if part.named and not folded(part.value):
            return "the name is empty"
        places.append(Place(role=part.key, name=part.value, exact=part.exact))
    elif part.kind in ("label", "text", "attr") and folded(part.value):
        field = part.kind == "label" or part.key == "placeholder"
        places.append(Place(name=part.value, exact=part.exact, field=field))
    elif part.kind in ("has-text", "has") and places and not places[-1].frame:
        return _filter(places, part)
    else:
        return f"`{part.source}` can't be put into words"
    return ""


def _filter(places: list[Place], part: Part) -> str:
    last = places[-1]
    if part.kind == "has-text":
        if not folded(part.value):
            return "the text of a filter is empty"
        places[-1] = replace(last, texts=(*last.texts, part.value))
        return ""
    held = _places(part.value)
    if isinstance(held, str):
        return held
    if len(held) != 1 or not held[0].role:
        return f"`{part.source}` can't be put into words"
    places[-1] = replace(last, holds=(*last.holds, held[0]))
    return ""

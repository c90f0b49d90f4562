"""What an element was like when an action last did to it what it should, so that it can be known again."""

from __future__ import annotations

from skillnb.terms import term

__all__ = ["Attribute", "Box", "Fingerprint"]


@term
class Attribute:
    name: str
    value: str


@term
class Box:
    """CSS pixels, from the upper left corner of the document."""

    x: float
    y: float
    width: float
    height: float


@term
class Fingerprint:
    """One element. White space of its texts is folded and long ones are cut; empty where there is nothing."""

    tag: str
    """Lower case."""
    role: str = ""
    """ARIA role, given or implied."""
    name: str = ""
    """Accessible name."""
    label: str = ""
    text: str = ""
    type: str = ""
    """Of a form field."""
    attributes: tuple[Attribute, ...] = ()
    """Stable ones: id, name, class, alt, title, placeholder, aria-label, test ids."""
    href: str = ""
    """Path and query of a link; the whole address where it leads to another site."""
    frame: tuple[str, ...] = ()
    """From the outermost frame inwards: name, else path of its address."""
    path: str = ""
    """XPath from the root, with positions."""
    id_path: str = ""
    """XPath from the nearest ancestor with an id."""
    ancestors: tuple[str, ...] = ()
    """What stands above, nearest first: heading, legend, row or region text."""
    neighbours: tuple[str, ...] = ()
    """Words and texts that stand beside the element."""
    box: Box | None = None
    position: int = 0
    """Among siblings of the same tag, from 0."""
    siblings: int = 1
    """Siblings of the same tag, the element among them."""

"""Parts that pages are put together from: fields with their labels, buttons, links, tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skillnb.testing.site.elements import Element, Node, el

__all__ = [
    "button",
    "checkbox",
    "field",
    "form",
    "Given",
    "link",
    "listed",
    "select",
    "slug",
    "table",
    "textarea",
    "textbox",
]


Given = str | bool | None
"""An attribute's value; True is one without value, None or False is none."""


def slug(label: str) -> str:
    return "-".join("".join(letter if letter.isalnum() else " " for letter in label.lower()).split())


def field(label: str, control: Element) -> Element:
    """A label above its control. What happens to the control by a mutation happens to both."""
    return el("div", el("label", label, for_=control.get("id")), control, class_="field")


def textbox(label: str, value: str = "", *, name: str = "", **attributes: Given) -> Element:
    """``name`` is also id and key; the label's words if nothing else is said."""
    name = name or slug(label)
    given: dict[str, Given] = {"type": "text", "value": value or None, **attributes}
    return field(label, el("input", key=name, id=name, name=name, **given))


def textarea(label: str, value: str = "", *, name: str = "", **attributes: Given) -> Element:
    name = name or slug(label)
    return field(label, el("textarea", value, key=name, id=name, name=name, rows="4", **attributes))


def select(label: str, options: Iterable[tuple[str, str]], chosen: str = "", *, name: str = "") -> Element:
    """A native select; ``options`` are pairs of value and text."""
    name = name or slug(label)
    inside = [el("option", text, value=value, selected=value == chosen) for value, text in options]
    return field(label, el("select", inside, key=name, id=name, name=name))


def checkbox(name: str, *label: Node, checked: bool = False, value: str = "yes") -> Element:
    """The label holds the box and whatever else: text, links. ``labels:bug`` is one of the boxes ``labels``."""
    own, field_name = name.replace(":", "-"), name.partition(":")[0]
    box = el("input", key=name, id=own, type="checkbox", name=field_name, value=value, checked=checked)
    return el("label", box, " ", label, class_="check")


def button(text: str, *, key: str = "", **attributes: Given) -> Element:
    given: dict[str, Given] = {"type": "submit", **attributes}
    return el("button", text, key=key or slug(text), **given)


def link(text: str, href: str, *, key: str = "", **attributes: Given) -> Element:
    return el("a", text, key=key or slug(text), href=href, **attributes)


def form(
    action: str, *inside: Node | Iterable[Node] | None, key: str, method: str = "post", **attributes: Given
) -> Element:
    return el("form", *inside, key=key, id=f"form-{key}", method=method, action=action, **attributes)


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Node | Iterable[Node]]], *, key: str) -> Element:
    head = el("thead", el("tr", [el("th", text, scope="col") for text in heads]))
    body = el("tbody", [el("tr", [el("td", cell) for cell in row]) for row in rows])
    return el("table", el("caption", caption), head, body, key=key)


def listed(pairs: Iterable[tuple[str, Node]]) -> Element:
    """Terms and their descriptions."""
    return el("dl", [each for term, said in pairs for each in (el("dt", term), el("dd", said))])

"""Small pages as fingerprints, for the tests of relocation."""

from __future__ import annotations

from skillnb.terms.fingerprint import Attribute, Box, Fingerprint

__all__ = ["button", "element", "field", "link", "orders", "shop"]


def element(tag: str, at: int, *, role: str = "", name: str = "", **more: object) -> Fingerprint:
    """``at`` is its place among the rows of the page; ``path`` and ``box`` follow from it unless given."""
    attributes = tuple(
        Attribute(name=key.replace("_", "-"), value=str(more.pop(key)))
        for key in ("id", "class", "data_testid", "placeholder")
        if key in more
    )
    given: dict[str, object] = {
        "path": f"/html[1]/body[1]/main[1]/div[{at}]/{tag}[1]",
        "box": Box(x=100, y=100 + 40 * at, width=120, height=30),
        "text": name,
        **more,
    }
    return Fingerprint(tag=tag, role=role, name=name, attributes=attributes, **given)  # type: ignore[arg-type]


def button(name: str, at: int, **more: object) -> Fingerprint:
    return element("button", at, role="button", name=name, **more)


def link(name: str, at: int, href: str, **more: object) -> Fingerprint:
    return element("a", at, role="link", name=name, href=href, **more)


def field(name: str, at: int, **more: object) -> Fingerprint:
    return element("input", at, role="textbox", name=name, label=name, type="text", **{"text": "", **more})


def shop() -> list[Fingerprint]:
    """A page of sixteen elements, all different."""
    words = ("Home", "Orders", "Customers", "Reports", "Discounts", "Catalogue", "Help", "Profile")
    links = [link(word, at, f"/{word.lower()}/") for at, word in enumerate(words, 1)]
    fields = [field(word, at) for at, word in enumerate(("First name", "Street", "City", "Phone"), 10)]
    buttons = [button(word, at) for at, word in enumerate(("Save draft", "Print", "Upload", "Next page"), 20)]
    return [*links, *fields, *buttons]


def orders(*customers: str, controls: tuple[str, ...] = ("Edit", "Delete")) -> list[Fingerprint]:
    """A table with one row per customer and the same buttons in each."""
    return [
        button(
            name,
            row,
            path=f"/html[1]/body[1]/main[1]/table[1]/tbody[1]/tr[{row}]/td[3]/button[{place}]",
            box=Box(x=400 + 60 * place, y=200 + 30 * row, width=50, height=20),
            ancestors=(f"{customer} pending",),
            neighbours=tuple(other for other in controls if other != name),
            **{"class": f"btn btn-{place}"},
        )
        for row, customer in enumerate(customers, 1)
        for place, name in enumerate(controls, 1)
    ]

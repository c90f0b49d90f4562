"""What can be done to a page: each kind is a function from a tree to a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import quote

from skillnb.testing.site.elements import Element, Node, Place, at, el, places, put
from skillnb.testing.site.layout import banner
from skillnb.testing.site.naming import form_of, label_of, locate, unit_of

__all__ = ["changed", "KINDS", "Mutation", "part", "REQUEST_KINDS", "TREE_KINDS"]


@dataclass(frozen=True, slots=True)
class Mutation:
    """``page`` is a page's name and stands for those under it; empty for all. ``path`` narrows it to addresses.

    ``times`` bounds how often it happens, 0 is always. ``number`` is its place among the site's mutations.
    """

    kind: str
    page: str = ""
    target: str = ""
    to: str = ""
    path: str = ""
    method: str = ""
    seconds: float = 1.0
    times: int = 0
    hidden: bool = False
    effect: bool = False
    number: int = 0


REQUEST_KINDS = {
    "error-500": "the answer is 500; with `effect` what was asked for has been done all the same",
    "expired": "the session ends at the next request, which is sent to log-in (once, if `times` says nothing else)",
    "extra-page": "another page with the button `Continue` comes first, once a session for each address",
    "slow": "the answer comes after `seconds`; what was asked for is done at once, also if nobody waits",
}
"""Kinds that are about a request rather than a tree, each with what it does."""


def changed(root: Element, change: Mutation, address: str) -> Element | None:
    """``root`` after ``change``; None if its target is not there. ``address`` is the page's own."""
    if change.kind in _OF_PAGES:
        return _OF_PAGES[change.kind](root, change)
    place = locate(root, change.target)
    if place is None:
        return None
    if change.kind == "iframe-wrap":
        return _iframed(root, place, change, address)
    return TREE_KINDS[change.kind][0](root, place, change)


def part(root: Element, change: Mutation) -> Element | None:
    """What an iframe-wrap has taken out of the page, as a page of its own."""
    place = locate(root, change.target)
    if place is None:
        return None
    inside = at(root, _whole(root, place))
    head = at(root, (0,))
    scripts = [at(root, each) for each in places(root, lambda each: each.tag == "script")]
    return root.holding(
        head.holding(el("base", target="_top"), *head.children), el("body", el("main", inside), scripts)
    )


def _whole(root: Element, place: Place) -> Place:
    """The form that something belongs to, so that it works as before; else the thing with its label."""
    form = form_of(root, place)
    return unit_of(root, place) if form is None else form


def _rename(root: Element, place: Place, change: Mutation) -> Element:
    element = at(root, place)
    if element.get("aria-label"):
        return put(root, place, element.but(aria_label=change.to))
    label = label_of(root, place) if element.tag in {"input", "select", "textarea"} else place
    if label is None or not label:
        return put(root, place, element.but(placeholder=change.to))
    kept = [child for child in at(root, label).children if isinstance(child, Element) and child.tag in {"input"}]
    return put(root, label, at(root, label).holding(*kept, change.to))


def _move(root: Element, place: Place, change: Mutation) -> Element:
    """To the end of the element ``to``, else of the page's main part; what leaves its form stays tied to it."""
    unit, form = unit_of(root, place), form_of(root, place)
    moved = at(root, unit)
    if form is not None and form != unit:
        moved = _tied(moved, at(root, form).get("id"))
    without = put(root, unit)
    goal = locate(without, change.to or "main")
    if goal is None:
        raise ValueError(f"nothing to move to: {change.to!r}")
    there = at(without, goal)
    return put(without, goal, there.holding(*there.children, moved))


def _tied(node: Element, form: str) -> Element:
    children = tuple(_tied(child, form) if isinstance(child, Element) else child for child in node.children)
    tied = replace(node, children=children)
    return tied.but(form=form) if node.tag in {"input", "select", "textarea", "button"} else tied


def _wrap(root: Element, place: Place, change: Mutation) -> Element:
    unit = unit_of(root, place)
    wrapped = put(root, unit, el("div", el("div", at(root, unit), class_="inner"), class_="outer"))
    main = locate(wrapped, "main")
    if change.to != "ad" or main is None:
        return wrapped
    ad = el("div", el("p", "Advertisement: ", el("a", "Spring sale", href="/offers")), class_="ad")
    return put(wrapped, main, ad, at(wrapped, main))


def _duplicate(root: Element, place: Place, change: Mutation) -> Element:
    unit = unit_of(root, place)
    first = at(root, unit)
    if change.hidden:
        return put(root, unit, _twin(first).but(style="display:none"), first)
    return put(root, unit, first, _twin(first))


def _twin(node: Element) -> Element:
    children = tuple(_twin(child) if isinstance(child, Element) else child for child in node.children)
    ids = {name: f"{node.get(name)}-2" for name in ("id", "for", "aria-controls") if node.get(name)}
    return replace(node, children=children, key="").but(**ids)


def _hide(root: Element, place: Place, _change: Mutation) -> Element:
    unit = unit_of(root, place)
    return put(root, unit, at(root, unit).but(style="display:none"))


def _delay(root: Element, place: Place, change: Mutation) -> Element:
    unit = unit_of(root, place)
    script = "((late) => setTimeout(() => late.replaceWith(late.content), %d))(document.currentScript.previousSibling)"
    late = el("template", at(root, unit))
    return put(root, unit, late, el("script", script % int(1000 * change.seconds)))


def _swap(root: Element, place: Place, change: Mutation) -> Element:
    """Places, ids and classes are exchanged: an old selector now leads to the other one. Each stays with its form."""
    other = locate(root, change.to)
    if other is None:
        raise ValueError(f"nothing to swap with: {change.to!r}")
    ids = at(root, place).get("id"), at(root, other).get("id")
    classes = at(root, place).get("class"), at(root, other).get("class")
    first, second = unit_of(root, place), unit_of(root, other)
    one, two = _known_as(at(root, first), *ids), _known_as(at(root, second), *reversed(ids))
    if first == place and second == other:
        one, two = one.but(class_=classes[1] or None), two.but(class_=classes[0] or None)
    if form_of(root, first) != form_of(root, second):
        one, two = _of_form(root, first, one), _of_form(root, second, two)
    return put(put(root, first, two), second, one)


def _of_form(root: Element, place: Place, taken: Element) -> Element:
    """What was at ``place``, wherever it goes: a button sends the form that it has always sent."""
    form = form_of(root, place)
    return taken if form is None or form == place else _tied(taken, at(root, form).get("id"))


def _known_as(node: Element, old: str, new: str) -> Element:
    children = tuple(_known_as(child, old, new) if isinstance(child, Element) else child for child in node.children)
    ids = {name: new or None for name in ("id", "for") if old and node.get(name) == old}
    if new and not old and not children:
        ids = {"id": new}
    return replace(node, children=children).but(**ids)


def _remove(root: Element, place: Place, _change: Mutation) -> Element:
    return put(root, unit_of(root, place))


def _iframed(root: Element, place: Place, change: Mutation, address: str) -> Element:
    source = f"/embedded/{change.number}?page={quote(address, safe='')}"
    return put(root, _whole(root, place), el("iframe", title=change.to or "Form", src=source))


def _shadowed(root: Element, place: Place, _change: Mutation) -> Element:
    whole = _whole(root, place)
    return put(root, whole, el("div", el("template", at(root, whole), shadowrootmode="open")))


def _popup(root: Element, place: Place, change: Mutation) -> Element:
    element = at(root, place)
    if change.to == "script":
        return put(
            root, place, element.but(onclick="window.open(this.href,'_blank','width=600,height=600');return false")
        )
    return put(root, place, element.but(**{"formtarget" if element.tag == "button" else "target": "_blank"}))


def _dialog(root: Element, place: Place, change: Mutation) -> Element:
    element = at(root, place)
    question = (change.to or "Are you sure?").replace("\\", "\\\\").replace("'", "\\'")
    asks = f"if (!confirm('{question}')) return false; {element.get('onclick')}"
    return put(root, place, element.but(onclick=asks.strip()))


def _retype(root: Element, place: Place, _change: Mutation) -> Element:
    """A label becomes a plain text and the control's id changes; a button or a link becomes a plain box."""
    element = at(root, place)
    label = label_of(root, place) if element.tag in {"input", "select", "textarea"} else None
    renamed = element.but(id=f"x-{element.get('id') or element.key}")
    if label is not None and label != place[: len(label)]:
        plain = el("span", at(root, label).children)
        return put(put(root, place, renamed), label, plain)
    if element.tag == "a":
        goes = f"location.href='{element.get('href')}'"
        return put(root, place, el("span", element.children, key=element.key, id=renamed.get("id"), onclick=goes))
    if element.tag == "button":
        sends = "this.closest('form').requestSubmit()"
        return put(
            root,
            place,
            el(
                "div",
                element.children,
                key=element.key,
                id=renamed.get("id"),
                class_="button",
                onclick=sends,
                style="display:inline-block;padding:.35rem .6rem",
            ),
        )
    return put(root, place, renamed)


def _disable(root: Element, place: Place, _change: Mutation) -> Element:
    element = at(root, place)
    if element.tag == "a":
        return put(root, place, element.but(href=None, aria_disabled="true", role="link"))
    return put(root, place, element.but(disabled=True))


def _alert(root: Element, change: Mutation) -> Element:
    words = (change.to or "Please note").replace("\\", "\\\\").replace("'", "\\'")
    return _at_the_end(root, el("script", f"alert('{words}');"))


def _banner(root: Element, _change: Mutation) -> Element:
    return _at_the_end(root, banner())


def _at_the_end(root: Element, node: Node) -> Element:
    body = at(root, (1,))
    return put(root, (1,), body.holding(*body.children, node))


_OF_PAGES: dict[str, Callable[[Element, Mutation], Element]] = {"alert": _alert, "banner": _banner}
TREE_KINDS: dict[str, tuple[Callable[[Element, Place, Mutation], Element], str]] = {
    "rename": (_rename, "its name becomes `to`"),
    "move": (_move, "it stands at the end of the element `to`, else of the page's main part, and works as before"),
    "wrap": (_wrap, "two more boxes around it; with `to` = `ad` also an advertisement above the page's main part"),
    "duplicate": (_duplicate, "there are two of it; with `hidden` the first one is not shown"),
    "hide": (_hide, "it is in the page and not shown"),
    "delay": (_delay, "it comes after `seconds`"),
    "swap": (_swap, "it and `to` exchange places, ids and classes, and work as before"),
    "remove": (_remove, "it is not there"),
    "shadow-wrap": (_shadowed, "it stands in an open shadow root, with the form it belongs to"),
    "popup": (_popup, "what it leads to opens in a new window; with `to` = `script` by `window.open`"),
    "dialog": (_dialog, "a dialog asks `to` first"),
    "retype": (_retype, "its label becomes plain text and its id changes; a button or link becomes a plain box"),
    "disable": (_disable, "it can't be used"),
}
KINDS = {
    **{kind: said for kind, (_, said) in TREE_KINDS.items()},
    "iframe-wrap": "it stands in a frame, with the form it belongs to; `to` is the frame's title",
    "alert": "an alert with the text `to` while the page loads; no target",
    "banner": "the cookie banner; no target",
    **REQUEST_KINDS,
}
"""Every kind and what it does."""

"""What can be done to an element, told from its role or, where it has none, from its tag; and what it says."""

from __future__ import annotations

from typing import Literal, TypeAlias

from skillnb.rules.roles import CHOOSERS, CLICKABLES, FIELDS, TICKABLES
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["attribute", "grade", "Kind", "kind", "said", "takes"]

Kind: TypeAlias = Literal["click", "tick", "field", "file", "soft"]
"""To click; to tick; to type into or choose from; to give files to; a wrapper, label or text that may react."""

_LONGEST = 160
"""Characters of a text that are compared: the containers of a page repeat its whole text."""
_CLICKED_INPUTS = frozenset({"submit", "button", "reset", "image"})
_TICKED_INPUTS = frozenset({"checkbox", "radio"})
_TOLD_BY = ("aria-label", "placeholder", "title", "alt")
_BOXES = frozenset(
    {"aside", "body", "div", "fieldset", "footer", "form", "header", "li", "main", "nav", "ol", "section", "table"}
    | {"tbody", "td", "th", "tr", "ul", "article"}
)


def kind(one: Fingerprint) -> Kind:
    if one.tag == "input" and one.type == "file":
        return "file"
    if one.role in TICKABLES:
        return "tick"
    if one.role in FIELDS | CHOOSERS:
        return "field"
    if one.role in CLICKABLES:
        return "click"
    return _by_tag(one)


def _by_tag(one: Fingerprint) -> Kind:
    if one.tag == "input":
        if one.type in _CLICKED_INPUTS:
            return "click"
        return "tick" if one.type in _TICKED_INPUTS else "field"
    if one.tag in {"textarea", "select"}:
        return "field"
    return "click" if one.tag in {"a", "button", "summary"} else "soft"


def grade(one: Fingerprint) -> str:
    """The kind, with containers told apart from pieces of text."""
    own = kind(one)
    if own != "soft":
        return own
    return "box" if one.tag in _BOXES else "text"


def takes(was: Fingerprint) -> frozenset[Kind]:
    """Kinds to which can be done what was done to the element.

    A wrapper may have become a button and a button a wrapper. A field whose role is known stays a field.
    """
    own = kind(was)
    if own == "soft":
        return frozenset({"soft", "click", "tick"})
    soft_too = own in {"click", "tick"} or not was.role
    return frozenset({own, "soft"}) if soft_too else frozenset({own})


def said(one: Fingerprint) -> str:
    """What a person would call it, in lower case: its name, else its text, its label, its own description."""
    told = next((attribute(one, name) for name in _TOLD_BY if attribute(one, name)), "")
    return " ".join((one.name or one.text or one.label or told).casefold().split())[:_LONGEST]


def attribute(one: Fingerprint, name: str) -> str:
    return next((item.value for item in one.attributes if item.name == name), "")

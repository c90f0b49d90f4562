"""Recorded actions in plain English: sentences that the model-free executor follows, or that say why it can't."""

from __future__ import annotations

import ast
from typing import NamedTuple

from skillnb.rules.foundvalues import field_name
from skillnb.rules.guidance import KEYS, ROLES, understand
from skillnb.rules.recordedcalls import Event, Link, literal_text
from skillnb.rules.substituting import Substitution
from skillnb.terms.action import Instruction, Verb

__all__ = ["address_of", "position_of", "role_of", "Sentence", "sentence"]

_VERBS = {
    "check": Verb.CHECK,
    "click": Verb.CLICK,
    "dblclick": Verb.DOUBLE_CLICK,
    "fill": Verb.FILL,
    "goto": Verb.GOTO,
    "press": Verb.PRESS_KEY,
    "press_sequentially": Verb.FILL,
    "select_option": Verb.SELECT,
    "set_input_files": Verb.UPLOAD,
    "tap": Verb.CLICK,
    "type": Verb.FILL,
    "uncheck": Verb.UNCHECK,
}
_KEY_NAMES = {key: said for said, key in reversed(KEYS.items())}
_ROLE_WORDS = {role: said for said, role in reversed(ROLES.items())}
_CHOSEN = frozenset({"tab", "menuitem", "option", "radio", "switch", "heading", "checkbox"})
_POSITIONS = frozenset({"first", "last", "nth"})


class Sentence(NamedTuple):
    text: str
    unfollowed: str
    """Why nobody but a person or a model can follow it; empty when it can be followed."""


def sentence(event: Event, put: Substitution, parameters: frozenset[str]) -> Sentence:
    """Checked by the very rule that the executor reads it with."""
    name = put.words(field_name(event.chain), event.line)
    plain = " ".join(name.split())
    made = _sentence(event, put, _in_quotes(plain)) if plain or not event.chain else ""
    if not made:
        return Sentence(_told(event, plain), "it does not say by name what it acts on, or is no action of sentences")
    read = understand(made, parameters)
    if not isinstance(read, Instruction):
        return Sentence(made, read.reason)
    if read.verb is not _VERBS.get(event.method):
        return Sentence(made, f"it would be read as {read.verb}")
    if not _visible(event.chain):
        return Sentence(_told(event, plain), "the recording names the element by its markup only")
    if "{" in field_name(event.chain) or "}" in field_name(event.chain):
        return Sentence(made, "its name holds braces")
    position = position_of(event.chain)
    return Sentence(made, f"it does not say which of several ({position})" if position else "")


def _visible(chain: tuple[Link, ...]) -> bool:
    """Is the name one that a person can see?"""
    naming = [link.method for link in chain if link.method.startswith("get_by_") or link.method == "locator"]
    return not naming or naming[-1] not in ("locator", "get_by_test_id")


def role_of(chain: tuple[Link, ...]) -> str:
    """The role that the last naming link asks for; empty when it asks for none."""
    for link in reversed(chain):
        if link.method == "get_by_role":
            return link.text() or ""
        if link.method.startswith("get_by_") or link.method == "locator":
            return ""
    return ""


def position_of(chain: tuple[Link, ...]) -> str:
    """``first``, ``nth(2)``: which of several was recorded; empty when the locator names one."""
    last = next((link for link in reversed(chain) if link.method in _POSITIONS), None)
    if last is None:
        return ""
    return f"nth({', '.join(map(ast.unparse, last.arguments))})" if last.called else last.method


def address_of(text: str) -> str:
    """Path and query of an address, as a sentence and a gate say it."""
    rest = text.split("://", 1)[-1] if "://" in text else text
    path = rest[rest.index("/") :] if "/" in rest else "/"
    return (path if "://" in text or text.startswith("/") else text).split("#", 1)[0]


def _sentence(event: Event, put: Substitution, name: str) -> str:
    role, where = role_of(event.chain), _place(event, put)
    value = put.said(event.arguments[0], event.line) if event.arguments else ""
    match event.method:
        case "goto":
            return f"Go to {_in_quotes(put.words(address_of(event.value or ''), event.line, address=True))}."
        case "fill" | "type" | "press_sequentially":
            return f"Type {_value(value)} into {name}{where}." if value else ""
        case "select_option":
            return f"Choose {_value(value)} in {name}{where}." if value else ""
        case "set_input_files":
            return f"Upload {_value(value)} to {name}{where}." if value else ""
        case "press":
            key = _KEY_NAMES.get(literal_text(event.arguments[0]) or "", "")
            return f"Press {key.capitalize()} in {name}{where}." if key else ""
        case "check" | "uncheck":
            return f"{'Tick' if event.method == 'check' else 'Untick'} {name}{where}."
        case "dblclick":
            return "" if event.named else f"Double-click {name}{where}."
        case "click" | "tap":
            return "" if event.named or event.arguments else f"{_click(role)}{name}{where}."
    return ""


def _click(role: str) -> str:
    if role == "link":
        return "Open the link "
    if role in _CHOSEN:
        return f"Choose the {_ROLE_WORDS[role]} " if role != "heading" else "Click the heading "
    return "Press the button " if role == "button" else "Click "


def _place(event: Event, put: Substitution) -> str:
    """The row or list entry that the locator looks in."""
    around = event.chain[:-1]
    for at, link in enumerate(around):
        text = link.text("has_text") if link.method == "filter" else link.text("name")
        if text is None or link.method not in ("filter", "get_by_role"):
            continue
        holder = link if link.method == "get_by_role" else event.chain[at - 1] if at else link
        row = " row" if holder.text() in ("row", "listitem") or holder.text() in ("tr", "li") else ""
        return f" in the{row} {_in_quotes(put.words(text, event.line))}"
    return ""


def _in_quotes(text: str) -> str:
    return f"“{text}”" if '"' in text else f'"{text}"'


def _value(said: str) -> str:
    return said if said.startswith("{") and said.endswith("}") and said.count("{") == 1 else _in_quotes(said)


def _told(event: Event, name: str) -> str:
    """For a person: what is done by the code alone."""
    what = {"goto": "Go to another page", "close": "Close the window", "reload": "Load the page again"}.get(
        event.method
    )
    return (
        what + "." if what else f"{event.method.replace('_', ' ').capitalize()} {name or 'an element'}, see the code."
    )

"""Playwright's internal selector text (``internal:role=link[name="Save"i] >> nth=0``) to the parts it is made of."""

from __future__ import annotations

import json
import re

from skillnb.terms import term

__all__ = ["Part", "parts"]

_CHAIN = " >> "
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_REGEX = r"/(?:[^/\\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/[a-z]*"
_TEXT = re.compile(rf"({_QUOTED})([is]?)|({_REGEX})", re.DOTALL)
_ROLE = re.compile(r"internal:role=([a-z]+)")
_ATTRIBUTE = re.compile(rf"\[([a-z-]+)=(?:({_QUOTED})([is]?)|({_REGEX})|([^\]]*))\]", re.DOTALL)
_OF_TEXT = ("label", "text", "has-text", "has-not-text", "describe")
_OF_SELECTOR = ("has", "has-not", "or", "and", "chain")


@term
class Part:
    """One link of the chain."""

    kind: str
    """``role``, ``label``, ``text``, ``attr``, ``testid``, ``has-text``, ``has``, ``nth``, ``visible``, ``frame``,
    ``css`` (any other selector), and the rarer ones by Playwright's own name."""
    source: str
    key: str = ""
    """The role, or the attribute's name."""
    value: str = ""
    exact: bool = False
    pattern: bool = False
    """The value is a regular expression."""
    named: bool = False
    """A value was given at all."""
    states: tuple[tuple[str, str], ...] = ()
    """``checked``, ``level`` ... of a role."""


def parts(selector: str) -> tuple[Part, ...] | str:
    """The parts in order, or the text that could not be read."""
    found: list[Part] = []
    at = 0
    while at < len(selector):
        read = _part(selector, at)
        if read is None:
            return selector[at:]
        part, at = read
        found.append(part)
        if at < len(selector):
            if not selector.startswith(_CHAIN, at):
                return selector[at:]
            at += len(_CHAIN)
    return tuple(found) or selector


def _part(selector: str, at: int) -> tuple[Part, int] | None:
    if not selector.startswith("internal:", at):
        return _foreign(selector, at)
    match = _ROLE.match(selector, at)
    if match is not None:
        return _role(selector, at, match)
    lead, _, _ = selector[at + len("internal:") :].partition("=")
    body = at + len(f"internal:{lead}=")
    if lead in ("attr", "testid"):
        match = _ATTRIBUTE.match(selector, body)
        return (_of(lead, match, selector[at : match.end()]), match.end()) if match else None
    if lead in _OF_TEXT:
        match = _TEXT.match(selector, body)
        if match is None:
            return None
        value = match[3] if match[1] is None else _string(match[1])
        text = Part(
            kind=lead,
            source=selector[at : match.end()],
            value=value,
            exact=match[2] == "s",
            pattern=match[1] is None,
            named=True,
        )
        return text, match.end()
    if lead in _OF_SELECTOR:
        match = re.compile(_QUOTED, re.DOTALL).match(selector, body)
        if match is None:
            return None
        return Part(kind=lead, source=selector[at : match.end()], value=_string(match[0]), named=True), match.end()
    if selector.startswith("internal:control=enter-frame", at):
        stop = at + len("internal:control=enter-frame")
        return Part(kind="frame", source=selector[at:stop]), stop
    return None


def _role(selector: str, at: int, match: re.Match[str]) -> tuple[Part, int]:
    stop, name, states = match.end(), None, []
    while (attribute := _ATTRIBUTE.match(selector, stop)) is not None:
        if attribute[1] == "name":
            name = _of("role", attribute, "")
        else:
            states.append((attribute[1], attribute[5] or ""))
        stop = attribute.end()
    part = Part(
        kind="role",
        source=selector[at:stop],
        key=match[1],
        value=name.value if name else "",
        exact=name.exact if name else False,
        pattern=name.pattern if name else False,
        named=name is not None,
        states=tuple(states),
    )
    return part, stop


def _of(kind: str, match: re.Match[str], source: str) -> Part:
    value = _string(match[2]) if match[2] is not None else match[4] or match[5] or ""
    return Part(
        kind=kind,
        source=source,
        key=match[1],
        value=value,
        exact=match[3] == "s",
        pattern=match[4] is not None or (match[2] is None and value.startswith("/")),
        named=True,
    )


def _foreign(selector: str, at: int) -> tuple[Part, int]:
    """css, xpath, ``text=``: up to the next link outside quotes."""
    stop, quote = at, ""
    while stop < len(selector) and (quote or not selector.startswith(_CHAIN, stop)):
        mark = selector[stop]
        if mark == "\\":
            stop += 1
        elif quote:
            quote = "" if mark == quote else quote
        elif mark in "\"'":
            quote = mark
        stop += 1
    stop = min(stop, len(selector))
    source = selector[at:stop]
    kind = next((kind for kind in ("nth", "visible") if source.startswith(kind + "=")), "css")
    return Part(kind=kind, source=source, value=source.partition("=")[2] if kind != "css" else ""), stop


def _string(quoted: str) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        return quoted[1:-1]

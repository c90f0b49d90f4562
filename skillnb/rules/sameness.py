"""Whether an element is the one that was recorded: not how like it is, but whether anything says that it is another.

Names decide: an element called otherwise is another one, unless a mark of its own (id, test id, name, address) is the
same. What changes with every visit (a count, the value of a field, the text of a paragraph) makes it no other.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

from skillnb.rules.elementkind import attribute, kind, said, takes
from skillnb.rules.similarity import ACCEPTED, careful, closeness, folded, holds_words, in_common, same
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["ALIKE", "another", "clash", "is_same", "ONE_OF_MANY", "Sameness", "stands_elsewhere", "Verdict"]

Verdict: TypeAlias = Literal["same", "other", "unsure"]
_Naming: TypeAlias = Literal["same", "count", "numbers", "part", "other", "one", "neither"]
"""Told by two names: ``one`` and ``neither`` are how many of the two there are."""

_OWN_MARKS = ("id", "data-testid", "data-test", "data-test-id", "data-cy", "name")
_TOLD_BY = ("aria-label", "placeholder", "title", "alt")
_COUNT = re.compile(r"\s*[(\[]\s*\d[\d.,]*\s*[+]?[)\]]\s*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WHOLE_NUMBER = re.compile(r"(?<![^\W_])\d+(?![^\W_])")
"""Of an address: a number, not a piece of a token."""
_WORD = re.compile(r"[^\W\d_]+")
ALIKE = 0.5
"""Share of common words from which two addresses, rows or headings may be the same one."""
ONE_OF_MANY = 0.8
"""The same for rows of which each has an element of that name."""


class Sameness(NamedTuple):
    verdict: Verdict
    why: str


def is_same(was: Fingerprint, now: Fingerprint) -> Sameness:
    """For an element that a locator leads to now: the recorded one, another one, or nothing that tells."""
    if was.frame != now.frame:
        return Sameness("other", "it is in another frame")
    if kind(now) not in takes(was):
        return Sameness("other", f"it is a {_what(now)}, and was a {_what(was)}")
    naming = _naming(_called(was), _called(now))
    proof = _proof(was, now)
    if naming in {"one", "neither"}:
        return _unnamed(was, now, proof)
    if naming in {"other", "part", "numbers"}:
        return _renamed(was, now, naming, proof)
    if naming == "count":
        return Sameness("same", "only the count in its name has changed")
    return _placed(was, now, proof)


def another(was: Fingerprint, now: Fingerprint) -> str:
    """Why the element can't take the recorded one's place; empty where nothing speaks against it.

    Stricter than ``is_same``, for nothing but likeness led here: a name that is longer, has another number or is not
    there needs a mark that is the same.
    """
    naming = _naming(_called(was), _called(now))
    if naming == "neither" and _leads_elsewhere(was, now):
        return "" if _proof(was, now) else f"it leads to {now.href}, and led to {was.href}"
    if naming == "one" and not was.name and not now.name:
        return ""  # a text may be hidden or drawn; an accessible name may not
    if naming not in {"other", "part", "numbers", "one"}:
        return ""
    risky = naming == "other" and (careful(_called(was)) or careful(_called(now)))
    return "" if _proof(was, now) and not risky else _difference(was, now)


def stands_elsewhere(was: Fingerprint, now: Fingerprint, alike: float) -> str:
    """Why it is in another row or under another heading, for all that its name says; empty where it is not.

    Rows of a list differ by little: ``alike`` is the share of words from which two may be the same one.
    """
    if _proof(was, now) or not was.ancestors or not now.ancestors:
        return ""
    above, over = was.ancestors[0], now.ancestors[0]
    if same(above, over) or _shared(_tokens(above), _tokens(over)) >= alike:
        return ""
    return f'it stands in "{over[:40]}", and stood in "{above[:40]}"'


def clash(was: Fingerprint, now: Fingerprint) -> float:
    """How unlike the names are, from 0 to 1; 0 where one is part of the other, or where either has none."""
    one, other = said(was), said(now)
    if not one or not other or holds_words(one, other) or holds_words(other, one):
        return 0.0
    return 1.0 - in_common(one, other)


def _renamed(was: Fingerprint, now: Fingerprint, naming: _Naming, proof: str) -> Sameness:
    told = _difference(was, now)
    if naming == "numbers":
        return Sameness("same", f"the same {proof}") if proof else Sameness("unsure", told)
    if kind(was) == "soft" and not was.name:  # its text is what the page tells, not what the element is called
        return Sameness("same", f"the same {proof}") if proof else Sameness("unsure", told)
    risky = careful(_called(was)) or careful(_called(now))
    if naming == "part":
        return Sameness("same", f"the same {proof}") if proof and not risky else Sameness("unsure", told)
    return Sameness("unsure", f"{told}, with the same {proof}") if proof and not risky else Sameness("other", told)


def _unnamed(was: Fingerprint, now: Fingerprint, proof: str) -> Sameness:
    """At most one of the two has a name."""
    if proof:
        return Sameness("same", f"the same {proof}")
    if _called(was) or _called(now):
        return Sameness("unsure", _difference(was, now))
    if _leads_elsewhere(was, now):
        return Sameness("other", f"it leads to {now.href}, and led to {was.href}")
    classes, others = frozenset(attribute(was, "class").split()), frozenset(attribute(now, "class").split())
    if classes and others and not classes & others:
        return Sameness("other", "it has no name, and none of its classes is the same")
    return Sameness("unsure", "it has no name, and no mark of its own")


def _placed(was: Fingerprint, now: Fingerprint, proof: str) -> Sameness:
    """The same name: another of that name stands elsewhere or leads elsewhere."""
    if proof:
        return Sameness("same", f"the same name and {proof}")
    if _leads_elsewhere(was, now) or _other_numbers(was, now):
        return Sameness("unsure", f"it leads to {now.href}, and led to {was.href}")
    elsewhere = stands_elsewhere(was, now, ALIKE)
    if elsewhere:
        return Sameness("unsure", elsewhere)
    return Sameness("same", "the same name")


def _leads_elsewhere(was: Fingerprint, now: Fingerprint) -> bool:
    return bool(was.href and now.href) and _shared(_words(was.href), _words(now.href)) < ALIKE


def _other_numbers(was: Fingerprint, now: Fingerprint) -> bool:
    return bool(was.href and now.href) and _WHOLE_NUMBER.findall(was.href) != _WHOLE_NUMBER.findall(now.href)


def _called(one: Fingerprint) -> str:
    """Of a field never its text: that is its value."""
    if kind(one) != "field":
        return one.name or said(one)
    told = (attribute(one, name) for name in _TOLD_BY)
    return one.name or one.label or next((text for text in told if text), "")


def _naming(was: str, now: str) -> _Naming:
    named = bool(folded(was)) + bool(folded(now))
    if named < 2:
        return "one" if named else "neither"
    if closeness(was, now) >= ACCEPTED:
        return "same"
    bare, other = _COUNT.sub(" ", was), _COUNT.sub(" ", now)
    if folded(bare) and same(bare, other):
        return "count"
    if _WORD.search(was) and same(_NUMBER.sub("0", was), _NUMBER.sub("0", now)):
        return "numbers"
    one, two = folded(was), folded(now)
    return "part" if holds_words(one, two) or holds_words(two, one) else "other"


def _proof(was: Fingerprint, now: Fingerprint) -> str:
    """A mark of the element's own that is still the same; empty where there is none."""
    for name in _OWN_MARKS:
        value = attribute(was, name)
        if value and value == attribute(now, name):
            return name
    return "address" if was.href.strip("/#") and was.href == now.href else ""


def _difference(was: Fingerprint, now: Fingerprint) -> str:
    return f'it is called "{_called(now)[:40]}", and was called "{_called(was)[:40]}"'


def _what(one: Fingerprint) -> str:
    return one.role or " ".join(part for part in (one.type, one.tag) if part)


def _words(href: str) -> frozenset[str]:
    return frozenset(_WORD.findall(href.casefold()))


def _tokens(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    """Without a word on either side nothing speaks against them."""
    return len(one & other) / len(one | other) if one | other else 1.0

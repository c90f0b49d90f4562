"""Is the element that a locator leads to the one that it led to when the step last passed?

A control is known by what it says and what can be done to it; ids, classes, texts around it and places change. Where
it says something else, that alone is no proof: texts are counted on, translated, toggled. What is proof is that the
control of old stands elsewhere on the page, or that what the locator leads to stood beside it before. Then nothing may
be done to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from skillnb.rules.selectors import parts
from skillnb.rules.similarity import folded
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["doubted", "row", "same_element", "says_the_same", "taken", "told"]

_FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "slider", "combobox", "listbox"})
_TICKED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
_ITEMS = ("/li[", "/tr[", "/article[")
_ENDS = ("nth=0", "nth=-1")
_CSS_ENDS = (":first-child", ":last-child", ":first-of-type", ":last-of-type")
_LONGEST = 80
_ALIKE, _LEAD = 0.6, 0.3
"""A row that shares so much with that of old, and so much more than the row at hand, is that of old."""


def doubted(was: Fingerprint, now: Fingerprint) -> bool:
    """Asked of every action, so it is quick: is there anything that the rest of the page should be asked about?"""
    if _words(was) != _words(now) or (_kind(was) != _kind(now) and not _words(was)):
        return True
    return row(was) != row(now)


def taken(was: Fingerprint, now: Fingerprint, page: Sequence[Fingerprint], selector: str) -> str:
    """Why ``now`` is another element than ``was``, given all elements of the page; empty where that can't be shown."""
    if not doubted(was, now) or (_asks_for_an_end(selector) and _of_one_list(was, now)):
        return ""
    instead = f"it led to {told(was)}, and leads to {told(now)} instead"
    if any(_fits_better(was, one, now) for one in page if not _one_place(one, now)):
        return f"{instead}, while that stands elsewhere"
    words = _words(now)
    if words != _words(was) and words in {folded(text) for text in was.neighbours}:
        return f"{instead}, which stood beside that"
    return ""


def same_element(was: Fingerprint, now: Fingerprint) -> bool:
    """It says the same and does the same, in the same row: only its place and its looks may have changed."""
    return says_the_same(was, now) and row(was) == row(now)


def says_the_same(was: Fingerprint, now: Fingerprint) -> bool:
    if _kind(was) != _kind(now) or _words(was) != _words(now):
        return False
    return bool(_words(was)) or was.attributes == now.attributes


def _fits_better(was: Fingerprint, one: Fingerprint, now: Fingerprint) -> bool:
    if not says_the_same(was, one):
        return False
    if not says_the_same(was, now):
        return row(was) == row(one) or _shared(row(was), row(one)) >= _ALIKE
    here, there = _shared(row(was), row(now)), _shared(row(was), row(one))
    return there >= _ALIKE and there - here >= _LEAD


def _shared(one: str, other: str) -> float:
    """Of the words of both rows, those in common."""
    ours, theirs = set(one.split()), set(other.split())
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0


def told(one: Fingerprint) -> str:
    said = one.name or one.text or one.label
    place = f' in "{one.ancestors[0][:40]}"' if row(one) else ""
    return (
        f'{one.role or one.tag} "{said[:_LONGEST]}"{place}'
        if said
        else f"a {one.role or one.tag} without a name{place}"
    )


def _words(one: Fingerprint) -> str:
    return folded(one.name or one.text or one.label)


def _kind(one: Fingerprint) -> str:
    if one.role in _FIELDS or one.tag in {"textarea", "select"}:
        return "field"
    if one.role in _TICKED:
        return "tick"
    return "file" if one.type == "file" else "press"


def row(one: Fingerprint) -> str:
    """What the nearest row or list item says, if the element stands in one and is not all there is in it."""
    if not one.ancestors or not any(item in one.path for item in _ITEMS):
        return ""
    said = folded(one.ancestors[0])
    return "" if said == _words(one) else said


def _one_place(one: Fingerprint, other: Fingerprint) -> bool:
    return (one.frame, one.path) == (other.frame, other.path)


def _asks_for_an_end(selector: str) -> bool:
    """The first or the last of several: whichever that is today."""
    chain = parts(selector)
    if isinstance(chain, str):
        return False
    return any(part.source in _ENDS or any(end in part.source for end in _CSS_ENDS) for part in chain)


def _of_one_list(was: Fingerprint, now: Fingerprint) -> bool:
    """Both stand in a row or an item, in the like place of it."""
    for item in _ITEMS:
        before, _, inside = was.path.rpartition(item)
        there, _, within = now.path.rpartition(item)
        if before and there and inside.partition("]")[2] == within.partition("]")[2]:
            return True
    return False

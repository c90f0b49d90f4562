"""Is the element that a locator leads to the one that it led to when the step last passed?

A control is known by what it says and what can be done to it; ids, classes, texts around it and places change. Where
it says something else, that alone is no proof: texts are counted on, translated, toggled. What is proof is that the
control of old stands elsewhere on the page, or that what the locator leads to stood beside it before. Then nothing may
be done to it.

Where the locator is made of a parameter's value, the element of another value stands in another row and may be called
otherwise: then only what stands in the same row as it tells anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from skillnb.rules.byvalue import chosen_itself, values_in, values_said
from skillnb.rules.sameness import is_same
from skillnb.rules.selectors import parts
from skillnb.rules.similarity import careful, folded
from skillnb.terms.fingerprint import Fingerprint

__all__ = [
    "doubted",
    "in_its_row",
    "row",
    "same_element",
    "says_the_same",
    "shared_row",
    "shows_values",
    "taken",
    "told",
    "words",
]

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
    if words(was) != words(now) or (_kind(was) != _kind(now) and not words(was)):
        return True
    return shared_row(was, now) < 1


def taken(was: Fingerprint, now: Fingerprint, page: Sequence[Fingerprint], selector: str) -> str:
    """Why ``now`` is another element than ``was``, given all elements of the page; empty where that can't be shown."""
    if not doubted(was, now) or (_asks_for_an_end(selector) and _of_one_list(was, now)):
        return ""
    instead = f"it led to {told(was)}, and leads to {told(now)} instead"
    if values_in(selector):
        return _taken_within(was, now, page, selector, instead)
    if any(_fits_better(was, one, now) for one in page if not _one_place(one, now)):
        return f"{instead}, while that stands elsewhere"
    said = words(now)
    if said != words(was) and said in {folded(text) for text in was.neighbours}:
        return f"{instead}, which stood beside that"
    sameness = is_same(was, now)
    if sameness.verdict == "other" and (careful(said) or not _one_place(was, now)):
        return f"{instead}: {sameness.why}"
    return ""


def _taken_within(was: Fingerprint, now: Fingerprint, page: Sequence[Fingerprint], selector: str, instead: str) -> str:
    """``taken`` for a locator that is made of a value: by what stands in the row of ``now``, whichever that is."""
    if chosen_itself(selector) or says_the_same(was, now):
        return ""
    beside = [one for one in page if row(now) and row(one) == row(now) and not _one_place(one, now)]
    if any(says_the_same(was, one) for one in beside):
        return f"{instead}, while that stands elsewhere in its row"
    if careful(words(now)) and not careful(words(was)) and is_same(was, now).verdict == "other":
        return instead
    return ""


def shows_values(one: Fingerprint, selector: str) -> bool:
    """Does the element, or its row, say every value that the locator is made of? Else it may be another value's."""
    return values_in(selector) <= values_said(one, one.ancestors[0] if row(one) else "")


def same_element(was: Fingerprint, now: Fingerprint) -> bool:
    """It says the same and does the same, in the same row: only its place and its looks may have changed."""
    return says_the_same(was, now) and shared_row(was, now) == 1


def says_the_same(was: Fingerprint, now: Fingerprint) -> bool:
    if _kind(was) != _kind(now) or words(was) != words(now):
        return False
    return bool(words(was)) or was.attributes == now.attributes


def _fits_better(was: Fingerprint, one: Fingerprint, now: Fingerprint) -> bool:
    if not says_the_same(was, one) or shared_row(was, one) < _ALIKE:
        return False
    return not says_the_same(was, now) or shared_row(was, one) - shared_row(was, now) >= _LEAD


def shared_row(one: Fingerprint, other: Fingerprint) -> float:
    """Of the words of both rows, those in common: 1 for one row, in whatever order, and where neither is in any."""
    ours, theirs = set(row(one).split()), set(row(other).split())
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 1.0


def in_its_row(was: Fingerprint, found: Sequence[Fingerprint]) -> int | None:
    """The place of the one whose row is clearly that of ``was``."""
    ranked = sorted(((shared_row(was, one), -at) for at, one in enumerate(found)), reverse=True)
    if not ranked or ranked[0][0] < _ALIKE or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < _LEAD):
        return None
    return -ranked[0][1]


def told(one: Fingerprint) -> str:
    said = one.name or one.text or one.label
    place = f' in "{one.ancestors[0][:40]}"' if row(one) else ""
    return (
        f'{one.role or one.tag} "{said[:_LONGEST]}"{place}'
        if said
        else f"a {one.role or one.tag} without a name{place}"
    )


def words(one: Fingerprint) -> str:
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
    return "" if said == words(one) else said


def _one_place(one: Fingerprint, other: Fingerprint) -> bool:
    return (one.frame, one.path) == (other.frame, other.path)


def _asks_for_an_end(selector: str) -> bool:
    """The first or the last of several: whichever that is today."""
    chain = parts(selector)
    if isinstance(chain, str):
        return False
    return any(part.source in _ENDS or any(end in part.source for end in _CSS_ENDS) for part in chain)


def _of_one_list(was: Fingerprint, now: Fingerprint) -> bool:
    """Each stands in a row or an item of its own, in the like place of it."""
    if shared_row(was, now) >= _ALIKE:
        return False
    for item in _ITEMS:
        before, _, inside = was.path.rpartition(item)
        there, _, within = now.path.rpartition(item)
        if before and there and inside.partition("]")[2] == within.partition("]")[2]:
            return True
    return False

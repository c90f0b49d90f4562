"""Is the element that a locator leads to the one that it names?

Playwright takes a name without ``exact`` as any part of a longer one: "Submit" leads to "SubmitAll" once "Submit" is
gone. An action is held to the whole name instead, folded, give or take a count or other signs behind it.
"""

from __future__ import annotations

from skillnb.rules.selectors import parts
from skillnb.rules.similarity import folded, same

__all__ = ["answers", "asked_name"]

_NARROWING = frozenset({"nth", "visible"})


def asked_name(selector: str) -> str:
    """The name that the last element of ``selector`` is asked by loosely; empty where there is none to compare."""
    chain = parts(selector)
    if isinstance(chain, str):
        return ""
    last = next((part for part in reversed(chain) if part.kind not in _NARROWING), None)
    if last is None or last.kind not in {"role", "label"} or last.exact or last.pattern or not last.value:
        return ""
    return last.value


def answers(asked: str, found: str) -> bool:
    """Is ``found`` the name that was asked for? ``Cart (3)`` answers to "Cart", ``Save and go on`` not to "Save".

    A label that wraps its field says more than the field's name; then the two can't be compared, and nothing is held
    against the element.
    """
    if same(asked, found):
        return True
    wanted, whole = folded(asked), folded(found)
    if not wanted or wanted not in whole:
        return bool(wanted)
    before, _, after = whole.partition(wanted)
    rest = before + after
    apart = not (before[-1:].isalnum() or after[:1].isalnum())
    return apart and not any(letter.isalpha() for letter in rest)

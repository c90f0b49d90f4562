"""Locators that are made of a parameter's value lead to another element with every value.

What is remembered of one is remembered with ``{name}`` in place of the value (or ``[secret:name]``): the element of
another value is neither another control in its place nor to be mistaken for it.
"""

from __future__ import annotations

import re

from skillnb.rules.selectors import Part, parts
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["chosen_itself", "values_in", "values_said"]

_MARK = re.compile(r"\{[^{}]*[^\W\d][^{}]*\}|\[secret:[^\]\[]*\]")
"""``{3,}`` of a regular expression is none."""
_NARROWING = frozenset({"and", "has", "has-not", "has-not-text", "has-text", "nth", "visible"})
"""Parts of a selector that say which of those before them."""


def values_in(selector: str) -> frozenset[str]:
    """The parameters, as they stand there, that a selector is made of."""
    return frozenset(_MARK.findall(selector))


def chosen_itself(selector: str) -> bool:
    """Is it the element that a value chooses, and not merely what the element stands in?"""
    chain = parts(selector)
    if isinstance(chain, str):
        return True
    return any(values_in(part.source) for part in _last(chain))


def values_said(one: Fingerprint, row: str) -> frozenset[str]:
    """The parameters whose values the element itself says, or the row that it stands in."""
    return values_in("\n".join((one.name, one.text, one.label, one.href, row)))


def _last(chain: tuple[Part, ...]) -> tuple[Part, ...]:
    first = len(chain) - 1
    while first > 0 and chain[first].kind in _NARROWING:
        first -= 1
    return chain[first:]

"""An element found again by its fingerprint among all that a page shows: one that is clearly it, or none."""

from __future__ import annotations

from collections.abc import Sequence

from skillnb.rules.holding import row, same_element, says_the_same, told
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["found_again"]

_MARKS = frozenset({"id", "name", "data-testid", "data-test", "data-test-id", "data-cy", "data-qa"})
_ENOUGH = 2
"""Signs that an element which says something else must share with that of old."""


def found_again(was: Fingerprint, page: Sequence[Fingerprint]) -> int | str:
    """The place of the one element that it is now, or why none was settled on.

    It says the same in the same row; else, where it stood in no row, it says the same and nothing else does; else it
    says something else that nothing of old said, but bears the marks by which the page itself knew the old one.
    """
    in_place = [at for at, one in enumerate(page) if same_element(was, one)]
    alike = in_place or [at for at, one in enumerate(page) if says_the_same(was, one)]
    if len(alike) > 1:
        return f"{len(alike)} elements answer to the fingerprint of {told(was)}"
    if alike and (in_place or not row(was)):
        return alike[0]
    if alike:
        return f"{told(was)} is in another row now, and rows are what tells such elements apart"
    marked = [at for at, one in enumerate(page) if _same_kind(was, one) and _signs(was, one) >= _ENOUGH]
    if len(marked) == 1:
        return marked[0]
    return f"{len(marked) or 'no'} elements answer to the fingerprint of {told(was)}"


def _same_kind(was: Fingerprint, now: Fingerprint) -> bool:
    return (was.tag, was.type, was.role) == (now.tag, now.type, now.role) and was.frame == now.frame


def _signs(was: Fingerprint, now: Fingerprint) -> int:
    kept = {item.name: item.value for item in now.attributes}
    marks = sum(kept.get(item.name) == item.value for item in was.attributes if item.name in _MARKS)
    return marks + (bool(was.href) and was.href == now.href) + (was.path == now.path)

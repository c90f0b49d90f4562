"""An element found again by its fingerprint among all that a page shows: one that is clearly it, or none."""

from __future__ import annotations

from collections.abc import Sequence

from skillnb.rules.similarity import folded
from skillnb.rules.takenplace import in_its_row, says_the_same, told, words
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["found_again"]

_MARKS = ("id", "name", "data-testid", "data-test", "data-test-id", "data-cy", "data-qa")


def found_again(was: Fingerprint, page: Sequence[Fingerprint]) -> int | str:
    """The place of the one element that it is now, or why none was settled on.

    It says the same in the same row, or in none and nothing else does; else it says something else, which nothing
    beside the old one said, but bears a mark by which the page itself knew that.
    """
    alike = [at for at, one in enumerate(page) if says_the_same(was, one)]
    if alike:
        place = in_its_row(was, [page[at] for at in alike])
        if place is not None:
            return alike[place]
        return f"{len(alike)} elements answer to the fingerprint of {told(was)}, and none clearly in its row"
    beside = {folded(text) for text in was.neighbours}
    marked = [at for at, one in enumerate(page) if _marked(was, one, page) and words(one) not in beside]
    if len(marked) == 1:
        return marked[0]
    return f"{len(marked) or 'no'} elements answer to the fingerprint of {told(was)}"


def _marked(was: Fingerprint, now: Fingerprint, page: Sequence[Fingerprint]) -> bool:
    """It bears a mark of the old one that nothing else on the page bears, and one thing more speaks for it."""
    if not _same_kind(was, now):
        return False
    own = [name for name in _MARKS if _attribute(was, name) and _attribute(was, name) == _attribute(now, name)]
    alone = [name for name in own if sum(_attribute(one, name) == _attribute(was, name) for one in page) == 1]
    more = len(own) + (bool(was.href) and was.href == now.href) + (was.path == now.path)
    return bool(alone) and more > 1


def _attribute(one: Fingerprint, name: str) -> str:
    return next((item.value for item in one.attributes if item.name == name), "")


def _same_kind(was: Fingerprint, now: Fingerprint) -> bool:
    return (was.tag, was.type, was.role) == (now.tag, now.type, now.role) and was.frame == now.frame

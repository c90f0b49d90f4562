"""An element found again by its fingerprint among all that a page shows: one that is clearly it, or none."""

from __future__ import annotations

from collections.abc import Sequence

from skillnb.rules.similarity import folded
from skillnb.rules.takenplace import in_its_row, says_the_same, told, words
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["found_again"]


def found_again(was: Fingerprint, page: Sequence[Fingerprint]) -> int | str:
    """The place of the one element that it is now, or why none was settled on.

    It says the same in the same row, or in none and nothing else does. Where nothing says the same any more: the one
    that is likeliest by all that is known, if that is sure enough, and did not stand beside the old one before.
    """
    alike = [at for at, one in enumerate(page) if says_the_same(was, one)]
    if alike:
        place = in_its_row(was, [page[at] for at in alike])
        if place is not None:
            return alike[place]
        return f"{len(alike)} elements answer to the fingerprint of {told(was)}, and none clearly in its row"
    # numpy takes longer to load than all else in a kernel, and is needed only where a repair comes to this
    from skillnb.rules.relocating import Relocated, prepare, relocate

    answer = relocate(was, prepare(page))
    if not isinstance(answer, Relocated):
        return f"no element is surely {told(was)}: {answer.reason}"
    if words(answer.element) in {folded(text) for text in was.neighbours}:
        return f"the likeliest element is {told(answer.element)}, which stood beside {told(was)}"
    return answer.at

"""A lost element found again: by the words of its locator, by its fingerprint, and by neither where they disagree."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from skillnb.browser.protocol import Element, Page
from skillnb.rules.refinding import found_again
from skillnb.rules.relocation import Wanted, relocate
from skillnb.rules.takenplace import shows_values
from skillnb.terms.action import Abstain, Target
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["Known", "refind", "Refound"]


class Known(NamedTuple):
    """How the element was, and ``plain`` to make one of this page comparable to it; ``selector`` led to it."""

    fingerprint: Fingerprint
    plain: Callable[[Fingerprint], Fingerprint]
    selector: str = ""


class Refound(NamedTuple):
    target: Target
    text: str | None
    """Source of a locator that leads to it alone; None where none can be written."""


async def refind(lost: Wanted | Abstain, known: Known | None, page: Page) -> Refound | Abstain:
    """Raises ActionFailed and PageLost."""
    seen = await page.observe(page.mark())
    by_words = lost if isinstance(lost, Abstain) else relocate(lost, seen)
    if known is None:
        return by_words if isinstance(by_words, Abstain) else await _of_words(by_words, page)
    shown = [(item, known.plain(item.fingerprint)) for item in await page.elements(known.fingerprint.tag)]
    likely = [(item, plain) for item, plain in shown if shows_values(plain, known.selector)]
    elements = [item for item, _ in likely]
    place = found_again(known.fingerprint, [plain for _, plain in likely])
    if isinstance(by_words, Abstain):
        if isinstance(place, str):
            return Abstain(reason=f"{by_words.reason}; {place}", refused=by_words.refused)
        return await _of_print(elements[place], known, page)
    if not isinstance(place, str):
        now = await page.fingerprint(f"aria-ref={by_words.ref}")
        other = elements[place].fingerprint
        if now is None or (now.frame, now.path) != (other.frame, other.path):
            return Abstain(
                reason=f"its locator's words lead to {by_words.role} {by_words.name!r}, and its fingerprint to "
                f"{other.role} {other.name!r}: neither is trusted"
            )
    return await _of_words(by_words, page)


async def _of_words(found: Target, page: Page) -> Refound:
    return Refound(found, await page.locator_text(found.ref))


async def _of_print(found: Element, known: Known, page: Page) -> Refound | Abstain:
    one = found.fingerprint
    name = one.name or one.text or one.label
    if not found.usable:
        return Abstain(reason=f"{one.role or one.tag} {name!r} is there, but can't be used: disabled")
    target = Target(ref="", role=one.role or one.tag, name=name, score=1.0, how="its fingerprint")
    return Refound(target, await page.element_text(found.key, known.fingerprint.tag))

"""What an element is like, read from the live page in one evaluation just before something is done to it."""

from __future__ import annotations

import asyncio
from typing import Any

from skillnb.browser.fingerprintscript import INTERACTIVE, SCRIPT
from skillnb.browser.protocol import Element
from skillnb.codec import decode
from skillnb.errors import Undecodable
from skillnb.terms import term
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["element_locator", "elements", "Printed", "printed", "printed_one", "Read"]

_MOST = 3000
"""Elements of one frame that are read; a page of more is not looked over."""


@term
class Read:
    shown: bool
    usable: bool
    print: Fingerprint


@term
class Printed:
    """``count`` elements answer to the locator; ``prints`` is empty where they are more than was asked for."""

    count: int
    prints: tuple[Read, ...]


async def printed(locator: Any, seconds: float | None, most: int = 1) -> Printed | None:
    """Nothing where a page's own scripts have bent what it answers with. Raises TimeoutError, and what Playwright does.

    Does not wait for an element to appear.
    """
    answer = await asyncio.wait_for(locator.evaluate_all(SCRIPT, most), seconds)
    try:
        return decode(Printed, answer, "the page's answer") if isinstance(answer, str) else None
    except Undecodable:
        return None


async def printed_one(locator: Any, milliseconds: float) -> Read | None:
    """Of the one element that ``locator`` leads to, also by a snapshot's reference. Raises what Playwright does."""
    answer = await locator.evaluate(f"(element, most) => ({SCRIPT})([element], most)", 1, timeout=milliseconds)
    try:
        return decode(Printed, answer, "the page's answer").prints[0] if isinstance(answer, str) else None
    except Undecodable:
        return None


def element_locator(frame: Any, tag: str = "") -> Any:
    """All that can be acted on in a frame, and whatever has the tag ``tag``."""
    return frame.locator(f"{INTERACTIVE}, {tag}" if tag.isalnum() else INTERACTIVE)


async def elements(page: Any, tag: str, seconds: float) -> tuple[Element, ...]:
    """Every shown element of every frame that can be acted on; ``key`` is its frame's place and its own in that."""
    found: list[Element] = []
    for number, frame in enumerate(page.frames):
        read = await printed(element_locator(frame, tag), seconds, _MOST)
        for at, one in enumerate(read.prints if read is not None else ()):
            if one.shown:
                found.append(Element(fingerprint=one.print, usable=one.usable, key=(number, at)))
    return tuple(found)

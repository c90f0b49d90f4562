"""Where a locator leads just before something is done to it, and whether that is what it names and what it led to."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from skillnb.browser.fingerprinting import printed
from skillnb.browser.protocol import Acted, CallSite
from skillnb.errors import Undecodable
from skillnb.rules.actedname import answers, asked_name
from skillnb.rules.similarity import same
from skillnb.rules.snapshot import parse_snapshot
from skillnb.terms.fingerprint import Fingerprint

__all__ = ["misled", "Warming"]

_OWN = "aria-ref="
"""The product's own actions are grounded in the snapshot and need no second look."""


async def misled(
    locator: Any,
    selector: str,
    method: str,
    milliseconds: float,
    site: CallSite | None,
    notice: Callable[[Acted], Awaitable[str]] | None,
) -> str:
    """Why the action must not be done; empty where nothing speaks against it, or the action itself will tell.

    One round trip where the element is there and says what was asked for. Waits for it as the action would, and raises
    what the action would.
    """
    asked = asked_name(selector)
    if selector.startswith(_OWN) or (notice is None and not asked):
        return ""
    try:
        found = await _found(locator, milliseconds)
        if asked and not (found is not None and same(asked, found.name)):
            why = await _named_otherwise(locator, asked, milliseconds)
            if why:
                return why
    except TimeoutError:
        raise PlaywrightTimeoutError(f"Locator.{method}: Timeout {milliseconds:g}ms exceeded.") from None
    except PlaywrightError as error:
        message = error.message.replace("Locator.aria_snapshot", f"Locator.{method}")
        raise type(error)(message.replace("Locator.wait_for", f"Locator.{method}")) from None
    if notice is None or found is None:
        return ""
    return await notice(Acted(method, selector, site, found))


async def _found(locator: Any, milliseconds: float) -> Fingerprint | None:
    seconds = milliseconds / 1000 if milliseconds else None
    seen = await printed(locator, seconds)
    if seen is not None and seen.count == 0:
        await locator.wait_for(state="attached", timeout=milliseconds)
        seen = await printed(locator, seconds)
    # where several answer, the action refuses them itself
    return seen.prints[0].print if seen is not None and seen.count == 1 else None


async def _named_otherwise(locator: Any, asked: str, milliseconds: float) -> str:
    try:
        shown = parse_snapshot(await locator.aria_snapshot(timeout=milliseconds))
    except Undecodable:
        return ""
    if not shown or not shown[0].name or answers(asked, shown[0].name):
        return ""
    return f'"{asked}" was asked for, and what it leads to is {shown[0].role} "{shown[0].name}"'


class Warming:
    """Makes a document ready to be looked at from within.

    Playwright compiles its scripts anew for each document before the first such look, which takes tens of
    milliseconds. This begins it while nobody waits for the page.
    """

    def __init__(self) -> None:
        self._cold = False
        self._task: asyncio.Task[None] | None = None

    def arrived(self) -> None:
        """Another document."""
        self._cold = True

    def begin(self, page: Any) -> None:
        if self._cold:
            self._cold = False
            self._task = asyncio.get_running_loop().create_task(_look_within(page))


async def _look_within(page: Any) -> None:
    with contextlib.suppress(PlaywrightError):  # the page has gone on, and nothing is lost
        await page.locator(":root").evaluate_all("0")

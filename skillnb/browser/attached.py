"""A connection to a Chromium that somebody else owns, and pictures of its page."""

from __future__ import annotations

import asyncio
import contextlib
import json
import urllib.request
from typing import NamedTuple

from playwright.async_api import Browser, BrowserContext, Page, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from skillnb.browser.drawing import drawn
from skillnb.browser.protocol import Screenshot
from skillnb.browser.thumbnail import thumbnail
from skillnb.rules.masking import Masker

__all__ = ["attach", "Attached", "draw", "look", "Looked"]


_LOOK_SECONDS = 5.0


class Attached:
    """Closing it leaves the Chromium running."""

    def __init__(self, playwright: Playwright, browser: Browser, page: Page) -> None:
        self._playwright, self._browser, self.page = playwright, browser, page
        self._pinning: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        try:
            await self._browser.close()
        finally:
            await self._playwright.stop()

    async def pin_locale(self, locale: str) -> None:
        """Numbers and dates of scripts too: the browser's own switch names only the languages that it asks for."""
        context = self.page.context

        def opened(page: Page) -> None:
            task = asyncio.get_running_loop().create_task(_pin(page, locale))
            self._pinning.add(task)
            task.add_done_callback(self._pinning.discard)

        context.on("page", opened)
        for page in context.pages:
            await _pin(page, locale)


async def _pin(page: Page, locale: str) -> None:
    with contextlib.suppress(PlaywrightError):  # a window may close as soon as it has opened
        session = await page.context.new_cdp_session(page)
        await session.send("Emulation.setLocaleOverride", {"locale": locale})


async def attach(endpoint: str, *, action_seconds: float, navigation_seconds: float) -> Attached:
    """Connect to a Chromium's control port and take the page of its default context, which survives disconnects."""
    playwright = await async_playwright().start()
    try:
        browser = await playwright.chromium.connect_over_cdp(endpoint)
        context = browser.contexts[0]
        context.set_default_timeout(action_seconds * 1000)
        context.set_default_navigation_timeout(navigation_seconds * 1000)
        page = await _first(context) or await context.new_page()
    except BaseException:
        await playwright.stop()
        raise
    return Attached(playwright, browser, page)


async def _first(context: BrowserContext) -> Page | None:
    """The page that no other page has opened; a new client sees them in no order."""
    pages = context.pages
    if len(pages) > 1:
        for page in pages:
            session = await context.new_cdp_session(page)
            told = await session.send("Target.getTargetInfo")
            await session.detach()
            if not told["targetInfo"].get("openerId"):
                return page
    return pages[0] if pages else None


class Looked(NamedTuple):
    url: str
    screenshot: Screenshot | None
    snapshot: str
    """As Playwright writes it; empty when the page could not be read."""


async def look(endpoint: str, mask: Masker, *, action_seconds: float) -> Looked:
    """The page as it is, without doing anything to it; nothing where the browser is gone too."""
    try:
        async with asyncio.timeout(_LOOK_SECONDS):
            attached = await attach(endpoint, action_seconds=action_seconds, navigation_seconds=action_seconds)
    except (PlaywrightError, TimeoutError):
        return Looked(await asyncio.to_thread(_address, endpoint), None, "")
    try:
        return Looked(attached.page.url, await draw(attached.page, mask), await _read(attached.page))
    finally:
        await attached.close()


def _address(endpoint: str) -> str:
    """Of the page, which the browser itself still tells when the page answers nothing; empty where it is gone."""
    try:
        with urllib.request.urlopen(f"{endpoint}/json/list", timeout=2) as answer:
            return next((str(item["url"]) for item in json.load(answer) if item["type"] == "page"), "")
    except (OSError, ValueError):
        return ""


async def _read(page: Page) -> str:
    try:
        return await page.aria_snapshot(mode="ai")
    except PlaywrightError:
        return ""


async def draw(page: Page, mask: Masker, seen: str = "") -> Screenshot | None:
    """``seen`` is a snapshot that still holds good, if there is one."""
    try:
        full = await drawn(page, mask, seen)
    except PlaywrightError:
        return None  # a page that can't be drawn (closing, crashed) has no picture; the record says so
    if full is None:
        return None
    return Screenshot(full, await asyncio.get_running_loop().run_in_executor(None, thumbnail, full))

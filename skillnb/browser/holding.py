"""Requests that may change the site, held for a moment before they leave so that they can be noted.

The browser's own interception is used and not Playwright's routes: those switch its cache off, and a step whose pages
then fetch every script and style sheet anew takes twice as long. It also covers windows from their first request on,
frames of other sites, and beacons.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, CDPSession, Frame, Page
from playwright.async_api import Error as PlaywrightError

from skillnb.browser.traffic import HARMLESS

__all__ = ["Holding"]

_KINDS = ("Document", "XHR", "Fetch", "Ping", "EventSource", "Other")
"""Kinds of request, in the browser's words, that can be anything but a plain GET."""

_NOWHERE = "skillnb:nowhere"


class Holding:
    """Over all windows of the browser that ``context`` belongs to."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._session: CDPSession | None = None
        self._note: Callable[[str], None] = _nobody
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, note: Callable[[str], None]) -> None:
        """From here on ``note`` is told of each (``"POST http://..."``) before it leaves."""
        self._note = note
        if self._session is None:
            browser = self._context.browser
            if browser is None:
                raise RuntimeError("a browser context without a browser can't hold requests")
            self._session = await browser.new_browser_cdp_session()
            self._session.on("Fetch.requestPaused", self._paused)
        patterns = [{"urlPattern": "*", "resourceType": kind, "requestStage": "Request"} for kind in _KINDS]
        await self._session.send("Fetch.enable", {"patterns": patterns})
        for page in self._context.pages:
            await self._reach(page)

    async def end(self) -> None:
        """Requests that are held still go on."""
        self._note = _nobody
        if self._session is not None:
            await self._session.send("Fetch.disable")

    async def _reach(self, page: Page) -> None:
        """A document that stands there already sends its scripts' requests past the browser's interception.

        Interception of the document itself, begun and ended, makes it ask the browser again for its way out.
        """
        holders: list[Page | Frame] = [page, *(frame for frame in page.frames if _elsewhere(frame))]
        for holder in holders:
            with contextlib.suppress(PlaywrightError):  # closed meanwhile, or a frame that its page speaks for
                own = await self._context.new_cdp_session(holder)
                await own.send("Fetch.enable", {"patterns": [{"urlPattern": _NOWHERE}]})
                await own.send("Fetch.disable")
                await own.detach()

    def _paused(self, event: dict[str, Any]) -> None:
        request = event["request"]
        if request["method"] not in HARMLESS:
            self._note(f"{request['method']} {request['url']}")
        self._begin(self._go_on(event["requestId"]))

    async def _go_on(self, identifier: str) -> None:
        if self._session is not None:
            with contextlib.suppress(PlaywrightError):  # its page may be gone before it could go on
                await self._session.send("Fetch.continueRequest", {"requestId": identifier})

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _nobody(_request: str) -> None: ...


def _elsewhere(frame: Frame) -> bool:
    """May the frame be of another site than its parent, and so of another process?"""
    above = frame.parent_frame
    return above is not None and urlsplit(frame.url)[:2] != urlsplit(above.url)[:2]

"""What a browser's pages send, receive, save and ask, kept in the order it happened."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from pathlib import Path

from playwright.async_api import BrowserContext, Dialog, Download, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

from skillnb.browser.protocol import Mark
from skillnb.browser.stillness import Stillness
from skillnb.terms.observation import DialogSeen, FileSeen, ResponseSeen

__all__ = ["HARMLESS", "Traffic"]

HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods of requests that change nothing on a site."""


_TELLING = frozenset({"document", "xhr", "fetch", "websocket", "eventsource"})
"""Answers after which a page may say something else; pictures and style sheets only change how it says it."""


class Traffic:
    """``touched`` is called whenever something happens after which a page may show something else."""

    def __init__(self, context: BrowserContext, downloads: Path, touched: Callable[[], None]) -> None:
        self._context, self._downloads, self._touched = context, downloads, touched
        self.responses: list[ResponseSeen] = []
        self.files: list[FileSeen] = []
        self.dispatched: list[str] = []
        self.dialogs: list[DialogSeen] = []
        self.stillness = Stillness()
        self._downloads_begun = 0
        self._tasks: set[asyncio.Task[None]] = set()
        context.on("request", self._requested)
        context.on("response", self._responded)
        context.on("requestfinished", self._finished)
        context.on("requestfailed", self._finished)
        context.on("dialog", self._asked)

    def mark(self) -> Mark:
        return Mark(len(self.responses), len(self.files), len(self.dispatched), len(self.dialogs))

    def _requested(self, request: Request) -> None:
        harmless = request.method in HARMLESS
        self.stillness.began(request, request.url, decisive=not harmless or request.is_navigation_request())
        if not harmless:
            self.dispatched.append(f"{request.method} {request.url}")
        if not harmless or request.is_navigation_request():
            self._touched()

    def _responded(self, response: Response) -> None:
        request = response.request
        seen = ResponseSeen(
            method=request.method, url=response.url, status=response.status, resource=request.resource_type
        )
        self.responses.append(seen)
        if request.resource_type in _TELLING:
            self._touched()

    def _finished(self, request: Request) -> None:
        self.stillness.ended(request)

    def follow(self, page: Page) -> None:
        """Hear the downloads of one more page."""
        page.on("download", self._downloading)

    def _downloading(self, download: Download) -> None:
        self._begin(self._save(download))

    async def _save(self, download: Download) -> None:
        name = Path(download.suggested_filename).name
        self._downloads_begun += 1
        target = self._downloads / f"{self._downloads_begun}-{name}"
        try:
            await download.save_as(target)
            seen = FileSeen(name=name, path=str(target), size=target.stat().st_size)
        except PlaywrightError as error:
            seen = FileSeen(name=name, path="", size=0, failure=error.message)
        self.files.append(seen)

    def _asked(self, dialog: Dialog) -> None:
        """Answer as Playwright does where nobody listens; a cell that listens answers itself."""
        page = dialog.page
        others = self._context._impl_obj.listener_count("dialog") > 1 or (
            page is not None and page._impl_obj.listener_count("dialog") > 0
        )
        leave = dialog.type == "beforeunload"
        answer = "left to the code" if others else "accepted" if leave else "dismissed"
        self.dialogs.append(DialogSeen(kind=dialog.type, message=dialog.message, answer=answer))
        if not others:
            self._begin(self._reply(dialog, leave))
        self.stillness.acted()
        self._touched()

    async def _reply(self, dialog: Dialog, leave: bool) -> None:
        with contextlib.suppress(PlaywrightError):  # its page may have gone meanwhile, and the dialog with it
            await (dialog.accept() if leave else dialog.dismiss())

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

"""A live page through Playwright (async API; the sync one does not work inside kernels)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    Download,
    Locator,
    Playwright,
    Request,
    Response,
    Route,
    async_playwright,
)
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as PlaywrightPage

from skillnb.browser.acted import watch
from skillnb.browser.protocol import ActionFailed, FailedAction, Mark, PageLost, Screenshot
from skillnb.browser.thumbnail import thumbnail
from skillnb.rules.failure import classify
from skillnb.rules.snapshot import parse_snapshot
from skillnb.terms.action import Grounded, Verb
from skillnb.terms.observation import FileSeen, Observation, Recorded, ResponseSeen, ValueRead
from skillnb.terms.outcome import FailureClass

__all__ = ["attach", "Attached", "LivePage", "look"]

_REUSABLE_SECONDS = 0.15
_QUIET_SECONDS = 0.1
_LONG_POLL_SECONDS = 2.0
"""A request older than this is a stream or a long poll: waiting for it to end would be waiting for ever."""
_STALE_MS = 150
_ARRIVAL_SECONDS = 2.0
_HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
_BLACK_OUT = "input[type=password]{background:#000!important;color:#000!important;-webkit-text-security:disc!important}"
_VALUE_SCRIPT = """element => {
  if (element instanceof HTMLSelectElement)
    return [...element.selectedOptions].map(option => option.label.trim()).join('\\n');
  if ('value' in element && typeof element.value === 'string') return element.value;
  if (element.isContentEditable) return element.innerText;
  return element.getAttribute('aria-valuetext') ?? element.textContent;
}"""


class Attached:
    """A connection to a Chromium somebody else owns; closing it leaves that Chromium running."""

    def __init__(self, playwright: Playwright, browser: Browser, page: PlaywrightPage) -> None:
        self._playwright, self._browser, self.page = playwright, browser, page

    async def close(self) -> None:
        try:
            await self._browser.close()
        finally:
            await self._playwright.stop()


async def attach(endpoint: str, *, action_seconds: float, navigation_seconds: float) -> Attached:
    """Connect to a Chromium's control port and take the page of its default context, which survives disconnects."""
    playwright = await async_playwright().start()
    browser = await playwright.chromium.connect_over_cdp(endpoint)
    context = browser.contexts[0]
    context.set_default_timeout(action_seconds * 1000)
    context.set_default_navigation_timeout(navigation_seconds * 1000)
    page = context.pages[0] if context.pages else await context.new_page()
    return Attached(playwright, browser, page)


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """Playwright's errors in the words of the protocol."""
    try:
        yield
    except PlaywrightError as error:
        if classify(type(error).__name__, error.message) is FailureClass.INFRASTRUCTURE:
            raise PageLost(error.message) from None
        raise ActionFailed(type(error).__name__, error.message) from None


async def look(endpoint: str, *, action_seconds: float) -> tuple[str, Screenshot | None]:
    """Address and picture of the page, without doing anything to it; nothing where the browser is gone too."""
    try:
        attached = await attach(endpoint, action_seconds=action_seconds, navigation_seconds=action_seconds)
    except PlaywrightError:
        return "", None
    try:
        return attached.page.url, await _draw(attached.page)
    finally:
        await attached.close()


async def _draw(page: PlaywrightPage) -> Screenshot | None:
    try:
        full = await page.screenshot(type="jpeg", quality=60, style=_BLACK_OUT, timeout=5000)
    except PlaywrightError:
        return None  # a page that can't be drawn (closing, crashed) has no picture; the record says so
    return Screenshot(full, await asyncio.get_running_loop().run_in_executor(None, thumbnail, full))


class LivePage:
    """``browser.protocol.Page`` over one Playwright page."""

    def __init__(self, page: PlaywrightPage, downloads: Path) -> None:
        self._page = page
        self._downloads = downloads
        self._responses: list[ResponseSeen] = []
        self._files: list[FileSeen] = []
        self._dispatched: list[str] = []
        self._downloads_begun = 0
        self._failed: FailedAction | None = None
        self._guard: Callable[[Route], Awaitable[None]] | None = None
        self._drawing: asyncio.Task[Screenshot | None] | None = None
        self._pending: dict[Request, float] = {}
        self._snapshot: tuple[float, str] = (0.0, "")
        self._unchanged_since = 0.0
        self._values: dict[str, str] = {}
        self._navigation: Request | None = None
        self._still = asyncio.Event()
        self._saving: set[asyncio.Task[None]] = set()
        self._listen(page.context)
        watch(Locator, self)

    def _listen(self, context: BrowserContext) -> None:
        context.on("request", self._requested)
        context.on("response", self._responded)
        context.on("requestfinished", self._finished)
        context.on("requestfailed", self._finished)
        self._page.on("download", self._downloading)
        self._page.on("domcontentloaded", self._arrived)

    def _requested(self, request: Request) -> None:
        self._pending[request] = time.monotonic()
        if request.is_navigation_request() and request.frame == self._page.main_frame:
            self._navigation = request
            self._still.clear()
        if request.method not in _HARMLESS:
            self._dispatched.append(f"{request.method} {request.url}")
        self._touched()

    def _responded(self, response: Response) -> None:
        request = response.request
        seen = ResponseSeen(
            method=request.method, url=response.url, status=response.status, resource=request.resource_type
        )
        self._responses.append(seen)
        self._touched()

    def _arrived(self, _page: PlaywrightPage) -> None:
        self._navigation = None
        self._still.set()
        self._touched()

    def _finished(self, request: Request) -> None:
        self._pending.pop(request, None)
        if request is self._navigation and request.failure:
            self._arrived(self._page)  # aborted, or turned into a download: the page stays
        self._touched()

    def _downloading(self, download: Download) -> None:
        task = asyncio.get_running_loop().create_task(self._save(download))
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)

    async def _save(self, download: Download) -> None:
        name = Path(download.suggested_filename).name
        self._downloads_begun += 1
        target = self._downloads / f"{self._downloads_begun}-{name}"
        try:
            await download.save_as(target)
            seen = FileSeen(name=name, path=str(target), size=target.stat().st_size)
        except PlaywrightError as error:
            seen = FileSeen(name=name, path="", size=0, failure=error.message)
        self._files.append(seen)

    def _touched(self) -> None:
        """Whatever was seen before may no longer be so."""
        self._snapshot = (0.0, self._snapshot[1])
        self._unchanged_since = 0.0

    async def acting(self, _method: str, _selector: str) -> None:
        if self._drawing is not None and not self._drawing.done():
            await asyncio.wait({self._drawing})
        self._touched()

    def failed(self, action: FailedAction) -> None:
        self._failed = action

    def mark(self) -> Mark:
        return Mark(len(self._responses), len(self._files), len(self._dispatched))

    @property
    def address(self) -> str:
        return self._page.url

    def recorded(self, since: Mark) -> Recorded:
        return Recorded(
            url=self._page.url,
            snapshot=self._snapshot[1],
            values=tuple(ValueRead(ref=ref, value=value) for ref, value in self._values.items()),
            responses=tuple(self._responses[since.responses :]),
            files=tuple(self._files[since.files :]),
            settled=self._settled(),
        )

    def dispatched(self, since: Mark) -> tuple[str, ...]:
        return tuple(self._dispatched[since.dispatched :])

    async def guard(self, note: Callable[[str], None] | None) -> None:
        if self._guard is not None:
            await self._page.context.unroute("**/*", self._guard)
            self._guard = None
        if note is None:
            return

        async def hold(route: Route) -> None:
            if route.request.method not in _HARMLESS:
                note(f"{route.request.method} {route.request.url}")
            with contextlib.suppress(PlaywrightError):  # the page may be gone before its request could go on
                await route.fallback()

        self._guard = hold
        await self._page.context.route("**/*", hold)

    async def goto(self, address: str) -> None:
        with _translated():
            await self._page.goto(address)

    def failed_action(self) -> FailedAction | None:
        return self._failed

    async def observe(self, since: Mark, *, nodes: bool = True, fresh: bool = True) -> Observation:
        text = ""
        if nodes:
            taken, text = self._snapshot
            if fresh or time.monotonic() - taken > _REUSABLE_SECONDS:
                text = await self._take_snapshot()
        elif self._page.is_closed():
            raise PageLost("the page was closed")
        return Observation(
            url=self._page.url,
            title="",
            nodes=parse_snapshot(text) if text else (),
            responses=tuple(self._responses[since.responses :]),
            files=tuple(self._files[since.files :]),
            settled=self._settled(),
        )

    def _settled(self) -> bool:
        """Has the page shown the same thing for a while, with nothing under way that could change it?"""
        now = time.monotonic()
        waiting = any(now - begun < _LONG_POLL_SECONDS for begun in self._pending.values())
        return not waiting and 0.0 < self._unchanged_since <= now - _QUIET_SECONDS

    async def _navigated(self) -> None:
        """Let a navigation that is under way arrive: asked while it does, Playwright retries at long intervals."""
        if self._navigation is not None:
            with contextlib.suppress(TimeoutError):  # it may never arrive (no content): then the page is as it is
                await asyncio.wait_for(self._still.wait(), _ARRIVAL_SECONDS)
            self._arrived(self._page)

    async def _take_snapshot(self) -> str:
        await self._navigated()
        before = self._snapshot[1]
        with _translated():
            text = await self._page.aria_snapshot(mode="ai")
        now = time.monotonic()
        if text != before or self._unchanged_since == 0.0:
            self._unchanged_since = now
        self._values.clear()
        self._snapshot = (now, text)
        return text

    async def exact_value(self, ref: str) -> str | None:
        try:
            # an element of a page that has gone meanwhile must not be waited for: the gate will look again
            value = await self._page.get_by_ref(ref).evaluate(_VALUE_SCRIPT, timeout=_STALE_MS)
        except PlaywrightError as error:
            if classify(type(error).__name__, error.message) is FailureClass.INFRASTRUCTURE:
                raise PageLost(error.message) from None
            return None
        if not isinstance(value, str):
            return None
        self._values[ref] = value
        return value

    async def act(self, action: Grounded) -> None:
        with _translated():
            await self._perform(action)

    async def _perform(self, action: Grounded) -> None:
        verb = action.instruction.verb
        if verb is Verb.GOTO:
            await self._page.goto(action.value)
            return
        if action.target is None:
            raise ActionFailed("NoTarget", f"{verb} needs an element")
        element = self._page.get_by_ref(action.target.ref)
        match verb:
            case Verb.CLICK:
                await element.click()
            case Verb.DOUBLE_CLICK:
                await element.dblclick()
            case Verb.FILL:
                await element.fill(action.value)
                await self._read_back(element, action.value)
            case Verb.SELECT:
                await element.select_option(label=action.value)
            case Verb.CHECK:
                await element.check()
            case Verb.UNCHECK:
                await element.uncheck()
            case Verb.PRESS_KEY:
                await element.press(action.value)
            case Verb.UPLOAD:
                await element.set_input_files(action.value)
            case _:
                raise ActionFailed("NoAction", f"{verb} is not an action on an element")

    async def _read_back(self, element: Any, value: str) -> None:
        committed = await element.evaluate(_VALUE_SCRIPT)
        if committed != value:
            raise ActionFailed("ValueNotCommitted", f"the field holds {committed!r} after typing {value!r}")

    async def locator_text(self, ref: str) -> str | None:
        with _translated():
            best = await self._page.get_by_ref(ref).normalize()
            unique = await best.count() == 1
        return f"page.{best}" if unique else None

    def draw(self) -> asyncio.Task[Screenshot | None]:
        self._drawing = asyncio.get_running_loop().create_task(_draw(self._page))
        return self._drawing

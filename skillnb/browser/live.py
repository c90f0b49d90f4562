"""A live page through Playwright (async API; the sync one does not work inside kernels)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

from playwright.async_api import APIRequestContext, Frame, Locator, Request
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as PlaywrightPage

from skillnb.browser.acted import watch
from skillnb.browser.attached import draw
from skillnb.browser.fingerprinting import element_locator, elements, printed_one
from skillnb.browser.holding import Holding
from skillnb.browser.leading import Warming, misled
from skillnb.browser.pastpage import listen
from skillnb.browser.performing import VALUE_SCRIPT, perform
from skillnb.browser.protocol import Acted, ActionFailed, CallSite, Element, FailedAction, Mark, PageLost, Screenshot
from skillnb.browser.traffic import HARMLESS, Traffic
from skillnb.browser.windows import Windows
from skillnb.rules.failure import classify
from skillnb.rules.masking import Masker
from skillnb.rules.snapshot import parse_snapshot
from skillnb.terms.action import Grounded
from skillnb.terms.fingerprint import Fingerprint
from skillnb.terms.observation import Node, Observation, Recorded, ValueRead
from skillnb.terms.outcome import FailureClass

__all__ = ["LivePage"]

_REUSABLE_SECONDS = 0.15
_STALE_MS = 150
_TYPED = frozenset({"searchbox", "spinbutton", "textbox"})
"""What is typed into, and mostly a native field, whose value Playwright reads much more quickly than a script does."""
_PARSING_SECONDS = 0.25
_ARRIVAL_SECONDS = 2.0
_ANSWER_SECONDS = 1.0
_LOOK_SECONDS = 3.0
_STOP_SECONDS = 0.3
"""An action gives up so long before its cell is stopped, and so tells why."""


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """Playwright's errors in the words of the protocol."""
    try:
        yield
    except PlaywrightError as error:
        if classify(type(error).__name__, error.message) is FailureClass.INFRASTRUCTURE:
            raise PageLost(error.message) from None
        raise ActionFailed(type(error).__name__, error.message) from None
    except TimeoutError:
        raise ActionFailed("TimeoutError", "the page did not answer in time") from None


def _frame(request: Request) -> Frame | None:
    try:
        return request.frame
    except PlaywrightError:
        return None  # the first request of a window that has no frame yet


async def _stop_loading(page: PlaywrightPage) -> None:
    """A navigation whose time is up goes on in the browser, and as long as it does the page answers nothing."""
    session = await page.context.new_cdp_session(page)
    await session.send("Page.stopLoading")
    await session.detach()


class LivePage:
    """``browser.protocol.Page`` over the pages of one browser; ``page`` is the one that cells know by that name."""

    def __init__(self, page: PlaywrightPage, downloads: Path, mask: Masker | None = None) -> None:
        """``mask`` knows what no picture may show."""
        self._mask = mask or Masker({})
        self._failed: FailedAction | None = None
        self._notice: Callable[[Acted], Awaitable[str]] | None = None
        self._note: Callable[[str], None] | None = None
        self._holding = Holding(page.context)
        self._drawing: asyncio.Task[Screenshot | None] | None = None
        self._deadline: float | None = None
        self._snapshot: tuple[float, str] = (0.0, "")
        self._parsed: tuple[str, tuple[Node, ...]] = ("", ())
        self._values: dict[str, str] = {}
        self._warming = Warming()
        self._navigation: Request | None = None
        self._committed = asyncio.Event()
        self._still = asyncio.Event()
        self._still.set()
        page.context.on("request", self._requested)
        page.context.on("requestfailed", self._given_up)
        self._traffic = Traffic(page.context, downloads, self._touched)
        self._windows = Windows(page, self._follow, self._moved)
        watch(Locator, PlaywrightPage, self)
        listen(APIRequestContext, self._sending)

    @property
    def _page(self) -> PlaywrightPage:
        front: PlaywrightPage = self._windows.front
        return front

    def _follow(self, page: PlaywrightPage) -> None:
        self._traffic.follow(page)
        page.on("domcontentloaded", self._arrived)
        page.on("framenavigated", self._framed)

    def _requested(self, request: Request) -> None:
        if request.is_navigation_request() and _frame(request) == self._page.main_frame:
            self._navigation = request
            self._committed.clear()
            self._still.clear()

    def _framed(self, frame: Frame) -> None:
        """A new document stands in the page, though not all of it may have come yet."""
        if frame == self._page.main_frame:
            self._navigation = None
            self._committed.set()
            self._moved()

    def _arrived(self, _page: PlaywrightPage | None) -> None:
        self._navigation = None
        self._committed.set()
        self._still.set()
        self._moved()

    def _given_up(self, request: Request) -> None:
        if request is self._navigation:
            self._arrived(None)  # aborted, or turned into a download: the page stays

    def _moved(self) -> None:
        """Another document, or another page in front."""
        self._traffic.stillness.arrived()
        self._warming.arrived()
        self._touched()

    def _sending(self, method: str, address: str) -> None:
        """A request past the page: told of and held in mind as one that the page sends."""
        if method not in HARMLESS:
            self._traffic.dispatched.append(f"{method} {address}")
            if self._note is not None:
                self._note(f"{method} {address}")

    def _touched(self) -> None:
        """Whatever was seen before may no longer be so."""
        self._snapshot = (0.0, self._snapshot[1])

    async def acting(self, page: PlaywrightPage) -> float | None:
        if self._drawing is not None and not self._drawing.done():
            await asyncio.wait({self._drawing})
        self._windows.acted_on(page)
        self._traffic.stillness.acted()
        self._touched()
        return None if self._deadline is None else self._deadline - time.monotonic()

    def allow(self, seconds: float | None) -> None:
        self._deadline = None if seconds is None else time.monotonic() + max(seconds - _STOP_SECONDS, 0.0)

    async def misled(
        self, locator: Locator, selector: str, method: str, milliseconds: float, site: CallSite | None
    ) -> str:
        return await misled(locator, selector, method, milliseconds, site, self._notice)

    def notice(self, told: Callable[[Acted], Awaitable[str]] | None) -> None:
        self._notice = told

    async def elements(self, tag: str = "") -> tuple[Element, ...]:
        with _translated():
            return await elements(self._page, tag, _LOOK_SECONDS)

    async def element_text(self, key: tuple[int, int], tag: str = "") -> str | None:
        frame, at = key
        if self._page is not self._windows.main or frame >= len(self._page.frames):
            return None
        return await self._unique(element_locator(self._page.frames[frame], tag).nth(at))

    async def fingerprint(self, selector: str) -> Fingerprint | None:
        try:
            seen = await printed_one(self._page.locator(selector), _STALE_MS)
        except PlaywrightError as error:
            if classify(type(error).__name__, error.message) is FailureClass.INFRASTRUCTURE:
                raise PageLost(error.message) from None
            return None
        return seen.print if seen is not None and seen.shown else None

    def failed(self, action: FailedAction) -> None:
        self._failed = action

    def mark(self) -> Mark:
        return self._traffic.mark()

    @property
    def address(self) -> str:
        return self._page.url

    def recorded(self, since: Mark) -> Recorded:
        return Recorded(
            url=self._page.url,
            snapshot=self._snapshot[1],
            values=tuple(ValueRead(ref=ref, value=value) for ref, value in self._values.items()),
            responses=tuple(self._traffic.responses[since.responses :]),
            files=tuple(self._traffic.files[since.files :]),
            settled=self._traffic.stillness.settled,
            dialogs=tuple(self._traffic.dialogs[since.dialogs :]),
        )

    def dispatched(self, since: Mark) -> tuple[str, ...]:
        return tuple(self._traffic.dispatched[since.dispatched :])

    async def guard(self, note: Callable[[str], None] | None) -> None:
        self._note = note
        with _translated():
            await (self._holding.end() if note is None else self._holding.begin(note))

    async def goto(self, address: str) -> None:
        with _translated():
            await self._windows.main.goto(address)

    async def recover(self) -> str:
        page = self._page
        if page.is_closed():
            return ""
        try:
            await asyncio.wait_for(page.evaluate("0"), _ANSWER_SECONDS)
        except PlaywrightError:
            return ""
        except TimeoutError:
            with contextlib.suppress(PlaywrightError, TimeoutError):  # its scripts may be what keeps it busy
                await asyncio.wait_for(_stop_loading(page), _ANSWER_SECONDS)
            return self._navigation.url if self._navigation else page.url
        return ""

    async def asks_password(self) -> bool:
        fields = self._page.locator("input[type=password]:visible")
        try:
            return await asyncio.wait_for(fields.count(), _ANSWER_SECONDS) > 0
        except (PlaywrightError, TimeoutError):
            return False  # a page that can't be asked asks for nothing

    def failed_action(self) -> FailedAction | None:
        return self._failed

    async def observe(self, since: Mark, *, nodes: bool = True, fresh: bool = True) -> Observation:
        text = ""
        if nodes:
            text = self._seen_now()
            if fresh or not text:
                text = await self._take_snapshot()
        elif self._page.is_closed():
            raise PageLost("the page was closed")
        return self._observation(since, self._nodes(text) if text else ())

    def seen(self, since: Mark) -> Observation | None:
        text = self._seen_now()
        return self._observation(since, self._nodes(text)) if text else None

    def _observation(self, since: Mark, nodes: tuple[Node, ...]) -> Observation:
        return Observation(
            url=self._page.url,
            title="",
            nodes=nodes,
            responses=tuple(self._traffic.responses[since.responses :]),
            files=tuple(self._traffic.files[since.files :]),
            settled=self._traffic.stillness.settled,
            dialogs=tuple(self._traffic.dialogs[since.dialogs :]),
        )

    def _nodes(self, text: str) -> tuple[Node, ...]:
        if text != self._parsed[0]:
            self._parsed = (text, parse_snapshot(text))
        return self._parsed[1]

    async def _navigated(self) -> None:
        """Let a navigation that is under way arrive: asked while it does, Playwright retries at long intervals."""
        if self._navigation is not None:
            with contextlib.suppress(TimeoutError):  # it may never arrive (no content): then the page is as it is
                await asyncio.wait_for(self._committed.wait(), _ARRIVAL_SECONDS)
            if not self._committed.is_set():
                self._arrived(None)
        if not self._still.is_set():
            with contextlib.suppress(TimeoutError):  # a slow document may hold already what a gate asks for
                await asyncio.wait_for(self._still.wait(), _PARSING_SECONDS)

    async def _take_snapshot(self) -> str:
        await self._navigated()
        with _translated():
            text = await self._page.aria_snapshot(mode="ai")
        self._traffic.stillness.looked(text)
        self._warming.begin(self._page)
        self._values.clear()
        self._snapshot = (time.monotonic(), text)
        return text

    async def exact_value(self, ref: str) -> str | None:
        element = self._page.get_by_ref(ref)
        typed = any(node.ref == ref and node.role in _TYPED for node in self._parsed[1])
        value = await self._read(element.input_value(timeout=_STALE_MS)) if typed else None
        if value is None:
            value = await self._read(element.evaluate(VALUE_SCRIPT, timeout=_STALE_MS))
        if value is not None:
            self._values[ref] = value
        return value

    async def _read(self, reading: Coroutine[Any, Any, Any]) -> str | None:
        """An element of a page that has gone meanwhile must not be waited for: the gate will look again."""
        try:
            value = await reading
        except PlaywrightError as error:
            if classify(type(error).__name__, error.message) is FailureClass.INFRASTRUCTURE:
                raise PageLost(error.message) from None
            return None
        return value if isinstance(value, str) else None

    async def home_of(self, ref: str) -> str:
        try:
            home = await self._page.get_by_ref(ref).evaluate("() => self.origin", timeout=_STALE_MS)
        except PlaywrightError as error:
            if classify(type(error).__name__, error.message) is FailureClass.INFRASTRUCTURE:
                raise PageLost(error.message) from None
            return ""
        return home if isinstance(home, str) and home != "null" else ""

    async def act(self, action: Grounded) -> None:
        with _translated():
            await perform(self._page, action)

    async def locator_text(self, ref: str) -> str | None:
        if self._page is not self._windows.main:
            return None  # cells know this page by no name, or by one that is not known here
        return await self._unique(self._page.get_by_ref(ref))

    async def _unique(self, element: Locator) -> str | None:
        with _translated():
            best = await element.normalize()
            # the text begins at the page, also for an element of a frame
            unique = await self._page.locator(best._impl_obj._selector).count() == 1
        return f"page.{best}" if unique else None

    def draw(self) -> asyncio.Task[Screenshot | None]:
        self._drawing = asyncio.get_running_loop().create_task(draw(self._page, self._mask, self._seen_now()))
        return self._drawing

    def _seen_now(self) -> str:
        taken, text = self._snapshot
        return text if time.monotonic() - taken <= _REUSABLE_SECONDS else ""

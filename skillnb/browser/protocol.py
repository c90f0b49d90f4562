"""What the work layers need of a page, said without any browser library."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

from skillnb.terms.action import Grounded
from skillnb.terms.fingerprint import Fingerprint
from skillnb.terms.observation import Observation, Recorded

__all__ = [
    "Acted",
    "ActionFailed",
    "CallSite",
    "Element",
    "FailedAction",
    "Mark",
    "OtherElement",
    "Page",
    "PageLost",
    "Screenshot",
]


class CallSite(NamedTuple):
    """Where in a cell a call stands: lines from 1, columns in UTF-8 bytes, as CPython counts them."""

    line: int
    end_line: int
    column: int
    end_column: int


class FailedAction(NamedTuple):
    """The last action of a cell that raised."""

    method: str
    selector: str
    """Playwright's internal selector of the locator."""
    site: CallSite | None
    error_name: str
    error: str


class Acted(NamedTuple):
    """An action that is about to be done to the one element that its locator leads to."""

    method: str
    selector: str
    site: CallSite | None
    fingerprint: Fingerprint


class Element(NamedTuple):
    """An element that can be acted on, as the page shows it now."""

    fingerprint: Fingerprint
    usable: bool
    key: tuple[int, int]
    """Good until the page changes."""


class Mark(NamedTuple):
    """Numbers of responses, downloads, dispatched requests and dialogs seen so far."""

    responses: int = 0
    files: int = 0
    dispatched: int = 0
    dialogs: int = 0


class Screenshot(NamedTuple):
    full: bytes
    """JPEG of the viewport; password fields are blacked out."""
    thumbnail: bytes


class ActionFailed(Exception):
    """A grounded action could not be carried out: an expected outcome of acting on a live page."""

    def __init__(self, error_name: str, message: str) -> None:
        self.error_name, self.message = error_name, message
        super().__init__(message)


class OtherElement(Exception):
    """A cell's locator leads to an element of another name than it gives: nothing was done to that."""


class PageLost(Exception):
    """The page, its browser or the connection is gone."""


class Page(Protocol):
    """One live page, with a memory of what happened since the step began."""

    def mark(self) -> Mark:
        """Now, as a place in what happens: later questions are about what has happened since."""

    @property
    def address(self) -> str: ...

    def recorded(self, since: Mark) -> Recorded:
        """What was last seen, as it can be kept and replayed."""

    async def observe(self, since: Mark, *, nodes: bool = True, fresh: bool = True) -> Observation:
        """What the page shows now and what has happened since; raises PageLost.

        Without ``nodes`` only address, responses and files. Not ``fresh`` allows a snapshot that was taken a moment
        ago with nothing done to the page since.
        """

    def seen(self, since: Mark) -> Observation | None:
        """What was last seen, where that was a moment ago with nothing done to the page since."""

    async def exact_value(self, ref: str) -> str | None:
        """The committed value of the form field ``ref`` of the last snapshot; None when it can't be read."""

    async def home_of(self, ref: str) -> str:
        """The origin of the document that holds ``ref``; empty when it has none or can't be read. Raises PageLost."""

    async def act(self, action: Grounded) -> None:
        """Carry out a grounded action; raises ActionFailed or PageLost."""

    async def locator_text(self, ref: str) -> str | None:
        """``ref`` as locator source in the form that Playwright's generator prefers; None when not unique."""

    def dispatched(self, since: Mark) -> tuple[str, ...]:
        """Requests that may have changed the site (``"POST http://..."``)."""

    async def guard(self, note: Callable[[str], None] | None) -> None:
        """Have ``note`` told of each request that may change the site, before it leaves; ``None`` ends that."""

    def allow(self, seconds: float | None) -> None:
        """Actions of the cell that begins now may take so long together; ``None`` leaves them their own time-outs."""

    def notice(self, told: Callable[[Acted], Awaitable[str]] | None) -> None:
        """Have ``told`` asked before each action on a locator; what it answers is why nothing is done."""

    async def elements(self, tag: str = "") -> tuple[Element, ...]:
        """All shown elements that can be acted on or have that tag; raises ActionFailed or PageLost."""

    async def element_text(self, key: tuple[int, int], tag: str = "") -> str | None:
        """As ``locator_text``, of an element just told of by ``elements(tag)``."""

    async def fingerprint(self, selector: str) -> Fingerprint | None:
        """Of the one element that ``selector`` (``aria-ref=e5`` too) leads to now; None where it is not just one."""

    async def recover(self) -> str:
        """After a failure: a page that does not answer because it waits for its site stops waiting; for what, if so."""

    async def asks_password(self) -> bool:
        """Is a password field shown?"""

    async def goto(self, address: str) -> None:
        """Raises ActionFailed or PageLost."""

    def failed_action(self) -> FailedAction | None:
        """The last action that raised."""

    def draw(self) -> Awaitable[Screenshot | None]:
        """Begin to draw the page as it is; the next action waits until that is done. None when it can't be drawn."""

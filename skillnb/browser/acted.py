"""See every action that a cell performs on a page, without changing what the cell may call.

Playwright tells no one which locator of a cell failed, nor which page was acted on last. Its classes are therefore
wrapped once, in the kernel only: each action method first says where it acts, and a locator's failure is kept with its
place in the cell. The page that cells see stays Playwright's own, so plain recorder code and ``expect`` work as ever.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Coroutine
from types import CodeType
from typing import Any, Protocol

from skillnb.browser.protocol import CallSite, FailedAction, OtherElement
from skillnb.rules.playwrightnames import ELEMENT_ACTIONS

__all__ = ["PAGE_ACTIONS", "watch", "Watcher"]

PAGE_ACTIONS = (
    "bring_to_front",
    "check",
    "click",
    "dblclick",
    "dispatch_event",
    "drag_and_drop",
    "fill",
    "focus",
    "go_back",
    "go_forward",
    "goto",
    "hover",
    "press",
    "reload",
    "select_option",
    "set_checked",
    "set_content",
    "set_input_files",
    "tap",
    "type",
    "uncheck",
)
_WITHOUT_TIMEOUT = frozenset({"bring_to_front"})
_NAVIGATIONS = frozenset({"go_back", "go_forward", "goto", "reload", "set_content"})
_LEAST_MS = 50.0


class Watcher(Protocol):
    async def acting(self, page: Any) -> float | None:
        """An action on ``page`` is about to be performed; it waits for this. Seconds that it may take, if limited."""

    async def misled(self, locator: Any, selector: str, method: str, milliseconds: float, site: CallSite | None) -> str:
        """Why ``locator`` leads to another element than it should; empty where it does not, or can't be told.

        Waits for the element as the action would, and raises what the action would where there is none or several.
        """

    def failed(self, action: FailedAction) -> None: ...


_Action = Callable[..., Coroutine[Any, Any, Any]]


def watch(locator_class: type[Any], page_class: type[Any], watcher: Watcher) -> None:
    """Wrap the action methods of Playwright's classes to tell ``watcher``; a second call replaces the watcher."""
    for wrapped, names in ((locator_class, ELEMENT_ACTIONS), (page_class, PAGE_ACTIONS)):
        if not hasattr(wrapped, "_skillnb_watcher"):
            for name in names:
                setattr(wrapped, name, _watched(name, getattr(wrapped, name)))
        wrapped._skillnb_watcher = watcher


def _watched(name: str, original: _Action) -> _Action:
    @functools.wraps(original)
    def call(self: Any, *arguments: Any, **options: Any) -> Coroutine[Any, Any, Any]:
        # the call's place must be read here, while the caller's frame is running the call itself
        frame = sys._getframe(1)
        return _perform(self, name, original, (frame.f_code, frame.f_lasti), arguments, options)

    return call


async def _perform(
    acted: Any,
    name: str,
    original: _Action,
    place: tuple[CodeType, int],
    arguments: tuple[Any, ...],
    options: dict[str, Any],
) -> Any:
    watcher: Watcher = type(acted)._skillnb_watcher
    selector = getattr(acted._impl_obj, "_selector", None)
    page = acted if selector is None else acted.page
    seconds = await watcher.acting(page)
    if seconds is not None and name not in _WITHOUT_TIMEOUT:
        options["timeout"] = _bounded(page, name, options.get("timeout"), seconds)
    try:
        if selector is not None:
            limit = options.get("timeout")
            misled = await watcher.misled(acted, str(selector), name, _usual(page, name, limit), _site(*place))
            if misled:
                raise OtherElement(f"Locator.{name}: {misled}")
        return await original(acted, *arguments, **options)
    except Exception as error:
        if selector is not None:
            watcher.failed(FailedAction(name, str(selector), _site(*place), type(error).__name__, str(error)))
        raise


def _usual(page: Any, name: str, given: float | None) -> float:
    """Milliseconds that Playwright would give the action."""
    limits = page._impl_obj._timeout_settings
    usual: float = (limits.navigation_timeout if name in _NAVIGATIONS else limits.timeout)(given)
    return usual


def _bounded(page: Any, name: str, given: float | None, seconds: float) -> float:
    """Milliseconds. An action that outlived its cell would go on in the browser, and click when nobody waits for it."""
    usual = _usual(page, name, given)
    left = max(seconds * 1000, _LEAST_MS)
    return min(usual, left) if usual else left


def _site(code: CodeType, instruction: int) -> CallSite | None:
    positions = list(code.co_positions())[instruction // 2]
    if None in positions:
        return None
    line, end_line, column, end_column = positions
    return CallSite(line or 0, end_line or 0, column or 0, end_column or 0)

"""See every action that a cell performs through a locator, without changing what the cell may call.

Playwright tells no one which locator of a cell failed. Its Locator class is therefore wrapped once, in the kernel only:
each action method first notes where in the cell it was called, and a failure is kept with its locator and its place.
The page that cells see stays Playwright's own, so plain recorder code and ``expect`` work as ever.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Coroutine
from types import CodeType
from typing import Any, Protocol

from skillnb.browser.protocol import CallSite, FailedAction

__all__ = ["ACTIONS", "watch", "Watcher"]

ACTIONS = (
    "blur",
    "check",
    "clear",
    "click",
    "dblclick",
    "dispatch_event",
    "drag_to",
    "fill",
    "focus",
    "hover",
    "press",
    "press_sequentially",
    "scroll_into_view_if_needed",
    "select_option",
    "select_text",
    "set_checked",
    "set_input_files",
    "tap",
    "type",
    "uncheck",
)


class Watcher(Protocol):
    async def acting(self, method: str, selector: str) -> None:
        """An action is about to be performed; it waits for this."""

    def failed(self, action: FailedAction) -> None: ...


_Action = Callable[..., Coroutine[Any, Any, Any]]


def watch(locator_class: type[Any], watcher: Watcher) -> None:
    """Wrap the action methods of Playwright's Locator class to tell ``watcher``; a second call replaces the watcher."""
    if not hasattr(locator_class, "_skillnb_watcher"):
        for name in ACTIONS:
            setattr(locator_class, name, _watched(name, getattr(locator_class, name)))
    locator_class._skillnb_watcher = watcher


def _watched(name: str, original: _Action) -> _Action:
    @functools.wraps(original)
    def call(self: Any, *arguments: Any, **options: Any) -> Coroutine[Any, Any, Any]:
        # the call's place must be read here, while the caller's frame is running the call itself
        frame = sys._getframe(1)
        return _perform(self, name, original, (frame.f_code, frame.f_lasti), arguments, options)

    return call


async def _perform(
    locator: Any,
    name: str,
    original: _Action,
    place: tuple[CodeType, int],
    arguments: tuple[Any, ...],
    options: dict[str, Any],
) -> Any:
    watcher: Watcher = type(locator)._skillnb_watcher
    selector = str(locator._impl_obj._selector)
    await watcher.acting(name, selector)
    try:
        return await original(locator, *arguments, **options)
    except Exception as error:
        watcher.failed(FailedAction(name, selector, _site(*place), type(error).__name__, str(error)))
        raise


def _site(code: CodeType, instruction: int) -> CallSite | None:
    positions = list(code.co_positions())[instruction // 2]
    if None in positions:
        return None
    line, end_line, column, end_column = positions
    return CallSite(line or 0, end_line or 0, column or 0, end_column or 0)

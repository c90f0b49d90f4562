"""Which page is in front: the last that was acted on or opened, and of those that are still there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from skillnb.browser.windows import Windows


class Emitter:
    def __init__(self) -> None:
        self._told: defaultdict[str, list[Callable[[Any], None]]] = defaultdict(list)

    def on(self, event: str, told: Callable[[Any], None]) -> None:
        self._told[event].append(told)

    def emit(self, event: str, value: Any) -> None:
        for told in self._told[event]:
            told(value)


class Context(Emitter):
    def __init__(self) -> None:
        super().__init__()
        self.pages: list[Page] = []


class Page(Emitter):
    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        context.pages.append(self)
        context.emit("page", self)

    def close(self) -> None:
        self.emit("close", self)


def test_front() -> None:
    context, changes, arrived = Context(), list[None](), list[Any]()
    main = Page(context)
    windows = Windows(main, arrived.append, lambda: changes.append(None))
    assert windows.front is main
    chat = Page(context)
    assert (windows.front, arrived) == (chat, [main, chat])
    windows.acted_on(main)
    assert windows.front is main
    windows.acted_on(chat)
    advert = Page(context)
    assert windows.front is advert
    advert.close()
    assert windows.front is chat, "back to the one before, not to the first"
    chat.close()
    assert (windows.front, len(changes)) == (main, 7)


def test_pages_of_an_earlier_run_are_behind_the_first() -> None:
    context = Context()
    main, other = Page(context), Page(context)
    arrived: list[Any] = []
    assert Windows(main, arrived.append, lambda: None).front is main
    assert arrived == [other, main]


def test_when_all_are_gone_the_first_is_still_the_one_that_is_asked() -> None:
    main = Page(Context())
    windows = Windows(main, lambda _page: None, lambda: None)
    main.close()
    assert windows.front is main
    windows.acted_on(Page(Context()))
    assert windows.front is main, "a page of another browser is none of this one's"

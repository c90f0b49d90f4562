"""Which of a browser's pages gates and guided actions look at: the one in front."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Windows"]


class Windows:
    """In front is the page that the code last acted on, or that opened since; when it closes, the one before it.

    ``main`` is the page that cells know as ``page``, whatever is in front.
    """

    def __init__(self, main: Any, arrived: Callable[[Any], None], changed: Callable[[], None]) -> None:
        """``arrived`` is told of every page, those that are open already too; ``changed`` of every change of front."""
        self.main = main
        self._arrived, self._changed = arrived, changed
        self._latest_last: list[Any] = []
        for page in (*(other for other in main.context.pages if other is not main), main):
            self._opened(page)
        main.context.on("page", self._opened)

    @property
    def front(self) -> Any:
        return self._latest_last[-1] if self._latest_last else self.main

    def acted_on(self, page: Any) -> None:
        if page is not self.front and page in self._latest_last:
            self._latest_last.remove(page)
            self._latest_last.append(page)
            self._changed()

    def _opened(self, page: Any) -> None:
        self._latest_last.append(page)
        page.on("close", self._closed)
        self._arrived(page)
        self._changed()

    def _closed(self, page: Any) -> None:
        if page in self._latest_last:
            self._latest_last.remove(page)
            self._changed()

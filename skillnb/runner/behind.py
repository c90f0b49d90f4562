"""Writing that is done while the run goes on, and is waited for before anything is done to the page again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

__all__ = ["Behind"]


class Behind:
    """One thing after the other, in the order given. What fails is raised by whoever waits next."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "skillnb-writing")
        self._pending: list[Future[None]] = []

    def do(self, work: Callable[[], None]) -> None:
        self._pending.append(self._thread.submit(work))

    async def done(self) -> None:
        pending, self._pending = self._pending, []
        for work in pending:
            await asyncio.wrap_future(work)

    def close(self) -> None:
        """Waits too, where no loop runs any more."""
        self._thread.shutdown()
        pending, self._pending = self._pending, []
        for work in pending:
            work.result()

"""Who is told how a run goes, and what the runner asks of its surroundings."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from skillnb.terms.record import Evidence, StepResult

__all__ = ["Browser", "Listener", "Rescue"]


class Listener(Protocol):
    """Progress: a terminal, papermill's manager, nobody."""

    def cell_started(self, index: int, cell: Any) -> None: ...

    def cell_finished(self, index: int, cell: Any, failed: bool) -> None: ...

    def step_finished(self, result: StepResult) -> None: ...


class Browser(Protocol):
    """The Chromium of the run."""

    @property
    def alive(self) -> bool: ...

    endpoint: str
    profile: Path

    @property
    def pid(self) -> int: ...

    def stop(self) -> None: ...


class Rescue(Protocol):
    """Look at the page from outside, which is done only when its kernel can't be asked."""

    async def __call__(self, endpoint: str) -> Evidence:
        """Address, picture and snapshot; empty where there is nothing to see."""

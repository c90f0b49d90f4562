"""Kernels from both sides: what the runner needs of one, and what code inside one needs of its notebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

__all__ = ["Bundle", "CellReport", "CurrentCell", "Kernel", "KernelLost", "Shell"]

Bundle = dict[str, Any]
"""A MIME bundle: type to data."""


class CellReport(NamedTuple):
    """What became of one executed cell. ``error_name`` is empty when it raised nothing."""

    error_name: str
    error: str
    timed_out: bool
    seconds: float
    told: str = ""
    """What the kernel's side had to say along with it, as one JSON text; empty after an error."""


class KernelLost(Exception):
    """The kernel died while it was needed."""


class Kernel(Protocol):
    """A kernel as the runner sees it."""

    async def start(self, environment: Mapping[str, str]) -> None:
        """Raises KernelNotReady."""

    async def run(self, index: int, seconds: float) -> CellReport:
        """Execute the notebook's cell at ``index`` in place; stop it after ``seconds``. Raises KernelLost."""

    async def ask(self, call: str, seconds: float) -> str:
        """Await ``call`` in the kernel without touching the notebook and return its text. Raises KernelLost."""

    async def stop(self) -> None: ...


class CurrentCell(NamedTuple):
    id: str | None
    source: str


class Shell(Protocol):
    """The notebook as code in the kernel sees it."""

    def show(self, bundle: Bundle) -> None: ...

    async def evaluate(self, source: str, namespace: dict[str, Any]) -> None:
        """Run a cell's source with top-level await in ``namespace``; raises what it raises."""

    @property
    def namespace(self) -> dict[str, Any]:
        """The notebook's own variables."""

"""What is kept on disk: blobs, trace lines, versions."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from skillnb.terms.trace import Event

__all__ = ["Blobs", "Dispatches", "Repairs", "Trace", "Version"]


class Blobs(Protocol):
    """Bytes by their digest. Putting the same bytes twice keeps one copy."""

    def put(self, data: bytes, suffix: str) -> str:
        """Returns the digest (``sha256:...``)."""

    def path(self, digest: str) -> str: ...


class Dispatches(Protocol):
    """What ``once`` steps were about to send, kept before it can leave."""

    def append(self, step: str, request: str) -> None: ...


class Repairs(Protocol):
    """What is left of the day's and the run's repairs."""

    def take(self, step: str) -> str:
        """Why there may be no other repair; empty where there may, which then counts."""


class Trace(Protocol):
    """One run's trace lines, appended as the run goes."""

    def write(self, event: Event) -> None: ...

    def flush(self) -> None:
        """Make everything written so far survive a crash of the machine."""

    def close(self) -> None: ...


class Version(NamedTuple):
    name: str
    number: int
    path: str
    id: str

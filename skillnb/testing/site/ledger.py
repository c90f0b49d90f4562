"""What was asked of the server: a count for each method and route, and what each request that changes things sent."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from threading import Lock
from typing import Any

from skillnb.testing.site.catalogue import stands_for

__all__ = ["Entry", "Ledger"]


@dataclass(slots=True)
class Entry:
    """``status`` 0: not answered yet. ``delivered``: the client was still there when the answer was written."""

    number: int
    method: str
    path: str
    route: str
    form: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    user: str = ""
    status: int = 0
    delivered: bool = False


class Ledger:
    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._by_route: Counter[tuple[str, str]] = Counter()
        self._log: list[Entry] = []
        self._faults: list[str] = []

    def reset(self) -> None:
        with self._lock:
            self._counts.clear()
            self._by_route.clear()
            self._log.clear()
            self._faults.clear()

    def arrived(self, method: str, path: str, route: str) -> int:
        """Counts one request; how many there were of its route, this one included."""
        with self._lock:
            self._counts[method, route, path] += 1
            self._by_route[method, route] += 1
            return self._by_route[method, route]

    def wrote(self, entry: Entry) -> None:
        with self._lock:
            entry.number = len(self._log) + 1
            self._log.append(entry)

    def broke(self, fault: str) -> None:
        with self._lock:
            self._faults.append(fault)

    def count(self, method: str, path: str) -> int:
        """``path`` is an address, or one with stars, which stand for one name each."""
        with self._lock:
            return sum(
                times
                for (asked, _, given), times in self._counts.items()
                if asked == method and stands_for(path, given) is not None
            )

    def counts(self) -> dict[str, int]:
        """For each method and route that was asked for."""
        with self._lock:
            return {f"{method} {route}": times for (method, route), times in sorted(self._by_route.items())}

    def log(self) -> list[dict[str, Any]]:
        with self._lock:
            return [asdict(entry) for entry in self._log]

    @property
    def faults(self) -> tuple[str, ...]:
        """Errors of the shop's own code; none is expected ever."""
        with self._lock:
            return tuple(self._faults)

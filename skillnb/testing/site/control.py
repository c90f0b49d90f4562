"""The site as tests use it, and the same over HTTP under ``/__control__/``, which no page leads to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from skillnb.testing.site.answering import World
from skillnb.testing.site.seed import PASSWORDS
from skillnb.testing.site.switch import Mutated, made

__all__ = ["CONTROL", "controlled", "Site"]

CONTROL = "/__control__/"


class Site:
    """A running shop."""

    def __init__(self, url: str, world: World) -> None:
        self.url, self._world = url, world

    @property
    def credentials(self) -> dict[str, str]:
        """User names and passwords."""
        return dict(PASSWORDS)

    def reset(self) -> None:
        """The seeded data, no sessions, all counters 0, the log empty, no mutation."""
        self.clear()
        self._world.data.reset()
        self._world.ledger.reset()

    def mutate(self, kind: str, page: str = "", **given: Any) -> Mutated:
        """Switch a mutation on; see ``docs/demo-site.md``. Raises ValueError for one that can't be."""
        return self._world.switch.put(made(kind, page, **given))

    def clear(self) -> None:
        """Switch all mutations off."""
        self._world.switch.clear()

    def mutations(self) -> list[dict[str, Any]]:
        """Those that are on, each with how often it has happened."""
        return [asdict(mutation) | {"happened": times} for mutation, times in self._world.switch.all()]

    def count(self, method: str, path: str) -> int:
        """How many such requests have come since the last reset; a ``*`` stands for one name between slashes."""
        return self._world.ledger.count(method, path)

    def counts(self) -> dict[str, int]:
        return self._world.ledger.counts()

    def log(self) -> list[dict[str, Any]]:
        """Requests that may change something, in the order they came, with what they sent."""
        return self._world.ledger.log()

    def rows(self, table: str) -> list[dict[str, Any]]:
        """What the database holds. Raises ValueError for a table that is not there."""
        return self._world.data.table(table)

    @property
    def faults(self) -> tuple[str, ...]:
        return self._world.ledger.faults


def controlled(site: Site, method: str, name: str, query: Mapping[str, str], body: bytes) -> tuple[int, bytes]:
    """One call of the control API: status and JSON. What changes something is POST, and its arguments are JSON."""
    try:
        given = json.loads(body) if body else {}
        result = _call(site, method, name, query, given)
    except (ValueError, TypeError, KeyError) as error:
        return 400, json.dumps({"error": str(error)}).encode()
    if result is None:
        return 404, json.dumps({"error": f"no {method} {CONTROL}{name}"}).encode()
    return 200, json.dumps(result, ensure_ascii=False).encode("utf-8", "replace")


def _call(site: Site, method: str, name: str, query: Mapping[str, str], given: Any) -> Any:
    match method, name:
        case "POST", "reset":
            site.reset()
            return {}
        case "POST", "clear":
            site.clear()
            return {}
        case "POST", "mutate":
            return {"number": site.mutate(**given).mutation.number}
        case "GET", "mutations":
            return site.mutations()
        case "GET", "count":
            return site.count(query["method"], query["path"])
        case "GET", "counts":
            return site.counts()
        case "GET", "log":
            return site.log()
        case "GET", "rows":
            return site.rows(query["table"])
        case "GET", "faults":
            return list(site.faults)
    return None

"""The mutations that are on, and how often each has happened."""

from __future__ import annotations

from dataclasses import fields, replace
from threading import Lock
from typing import Any

from skillnb.testing.site.catalogue import PAGES, ROUTES, stands_for
from skillnb.testing.site.mutations import KINDS, REQUEST_KINDS, Mutation

__all__ = ["made", "Mutated", "Switch"]

_UNTARGETED = frozenset({"alert", "banner", *REQUEST_KINDS})
_WITH_GOAL = frozenset({"rename", "swap"})
_PAGES = frozenset(page.name for page in PAGES) | {route.page for route in ROUTES}


def made(kind: str, page: str = "", **given: Any) -> Mutation:
    """Checked at once, so that a test never runs on a page that nothing was done to. Raises ValueError."""
    known = {field.name for field in fields(Mutation)} - {"number"}
    unknown = sorted(set(given) - known)
    if unknown:
        raise ValueError(f"a mutation has no {', '.join(unknown)}; it has {', '.join(sorted(known))}")
    if kind not in KINDS:
        raise ValueError(f"no mutation {kind!r}; there are {', '.join(KINDS)}")
    if page and not any(_within(name, page) for name in _PAGES):
        raise ValueError(f"no page {page!r}; there are {', '.join(sorted(_PAGES))}")
    if kind not in _UNTARGETED and not given.get("target"):
        raise ValueError(f"{kind} needs a target: a key, or the name of a control")
    if kind in _WITH_GOAL and not given.get("to"):
        raise ValueError(f"{kind} needs to=")
    mutation = Mutation(kind=kind, page=page, **given)
    return replace(mutation, times=1) if kind == "expired" and "times" not in given else mutation


def _within(name: str, page: str) -> bool:
    return name == page or name.startswith(f"{page}.")


class Mutated:
    """One mutation that was switched on."""

    def __init__(self, switch: Switch, mutation: Mutation) -> None:
        self._switch, self.mutation = switch, mutation

    @property
    def happened(self) -> int:
        """How many answers it has changed; 0 means that its target was never there."""
        return self._switch.happened(self.mutation)

    def undo(self) -> None:
        self._switch.take(self.mutation)


class Switch:
    def __init__(self) -> None:
        self._lock = Lock()
        self._made = 0
        self._on: dict[Mutation, int] = {}

    def put(self, mutation: Mutation) -> Mutated:
        with self._lock:
            self._made += 1
            numbered = replace(mutation, number=self._made)
            self._on[numbered] = 0
        return Mutated(self, numbered)

    def take(self, mutation: Mutation) -> None:
        with self._lock:
            self._on.pop(mutation, None)

    def clear(self) -> None:
        with self._lock:
            self._on.clear()

    def all(self) -> list[tuple[Mutation, int]]:
        with self._lock:
            return list(self._on.items())

    def happened(self, mutation: Mutation) -> int:
        with self._lock:
            return self._on.get(mutation, 0)

    def numbered(self, number: int) -> Mutation | None:
        return next((each for each, _ in self.all() if each.number == number), None)

    def asked(self, page: str, method: str, path: str, *, spent: bool = False) -> list[Mutation]:
        """Those that are about this page, in the order they were made; ``spent`` ones only when asked for."""
        return [
            each
            for each, times in self.all()
            if (not each.page or _within(page, each.page))
            and (not each.method or each.method == method)
            and (not each.path or stands_for(each.path, path) is not None)
            and (spent or not each.times or times < each.times)
        ]

    def use(self, mutation: Mutation) -> bool:
        """Count one time more. False when it has happened often enough, or is no longer on."""
        with self._lock:
            times = self._on.get(mutation)
            if times is None or (mutation.times and times >= mutation.times):
                return False
            self._on[mutation] = times + 1
            return True

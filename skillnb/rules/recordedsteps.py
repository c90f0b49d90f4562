"""Recorded events grouped to steps: a form is filled in, it is sent, a link is followed, an address is opened."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from skillnb.rules.recordedcalls import Event, Kind, Remark
from skillnb.rules.recordedeffects import effect_of, fills, is_consent
from skillnb.rules.recordedwords import address_of
from skillnb.terms.workflow import Effect

__all__ = ["Group", "Grouped", "grouped", "locating"]

_PUTTING = frozenset({"fill", "press_sequentially", "select_option", "set_input_files", "type"})


class Group(NamedTuple):
    """One step to be. ``known`` is the address on which it begins, as far as the recording tells."""

    events: tuple[Event, ...]
    effect: Effect
    known: str
    optional: bool = False
    assertions: tuple[Event, ...] = ()
    filling: bool = False
    """It only puts something into a form."""

    @property
    def acts(self) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.kind is Kind.ACT)


class Grouped(NamedTuple):
    start: str
    """The address that the recording began with; empty when it began on a page without one."""
    groups: tuple[Group, ...]
    before: tuple[Event, ...]
    """What was asserted before anything was done."""
    remarks: tuple[Remark, ...]


def grouped(events: Iterable[Event], start: str = "") -> Grouped:
    """``start`` given by the person: then the recording's own first address is a step like any other."""
    waiting, folded = _folded(tuple(events))
    first = waiting[0].value or "" if waiting and waiting[0].method == "goto" else ""
    if first and (not start or address_of(first) == address_of(start)):
        start = start or first
        waiting.pop(0)
    grouping = _Grouping(start, {locating(event) for event in waiting if _puts(event)})
    for event in waiting:
        grouping.take(event)
    grouping.finish()
    return Grouped(start, tuple(grouping.groups), tuple(grouping.before), folded)


class _Grouping:
    def __init__(self, start: str, fields: set[str]) -> None:
        self.groups: list[Group] = []
        self.before: list[Event] = []
        self._fields = fields
        self._open: list[Event] = []
        self._pending: list[Event] = []
        self._known = start

    def take(self, event: Event) -> None:
        if event.kind is Kind.ASSERTION:
            self._asserted(event)
        elif event.kind is not Kind.ACT:
            self.close()
            self._pending.append(event)
        elif not self._pending and (fills(event) or self._into_field(event)):
            self._filled(event)
        else:
            self._decided(event)

    def close(self) -> None:
        if self._open:
            self._add(tuple(self._open), Effect.IDEMPOTENT)
            self._open = []

    def finish(self) -> None:
        self.close()
        if self._pending and self.groups:
            last = self.groups[-1]
            self.groups[-1] = last._replace(events=(*last.events, *self._pending))
            self._pending = []

    def _filled(self, event: Event) -> None:
        if self._open and event.window != self._open[-1].window:
            self.close()
        self._open.append(event)

    def _into_field(self, event: Event) -> bool:
        """A click into what is filled in elsewhere in the recording."""
        return event.method == "click" and not event.waits and locating(event) in self._fields

    def _decided(self, event: Event) -> None:
        form = tuple(self._open)
        self.close()
        effect = effect_of(event, form)
        if any(each.kind is Kind.DIALOG for each in self._pending):
            effect = Effect.ONCE
        self._add((*self._pending, event), effect, optional=is_consent(event) and not self._pending)
        self._pending = []

    def _add(self, events: tuple[Event, ...], effect: Effect, *, optional: bool = False) -> None:
        filling = all(fills(event) or self._into_field(event) for event in events)
        self.groups.append(Group(events, effect, self._known, optional, filling=filling))
        last = events[-1]
        if last.method == "goto" and last.window == "page":
            self._known = last.value or ""
        elif not optional and not filling:
            self._known = ""

    def _asserted(self, event: Event) -> None:
        self.close()
        if not self.groups:
            self.before.append(event)
            return
        last = self.groups[-1]
        self.groups[-1] = last._replace(assertions=(*last.assertions, event))
        if event.method in ("to_have_url", "wait_for_url") and event.value and event.window == "page":
            self._known = event.value


def _folded(events: tuple[Event, ...]) -> tuple[list[Event], tuple[Remark, ...]]:
    """Without the clicks into a field that is typed into next."""
    kept: list[Event] = []
    remarks: list[Remark] = []
    for event, following in zip(events, (*events[1:], None), strict=True):
        plain = event.method == "click" and not event.named and not event.waits
        if plain and following is not None and _puts(following) and locating(event) == locating(following):
            told = "the click into the field before it is filled in is left out, which does the same"
            remarks.append(Remark(event.line, told))
        else:
            kept.append(event)
    return kept, tuple(remarks)


def _puts(event: Event) -> bool:
    return event.kind is Kind.ACT and event.method in _PUTTING


def locating(event: Event) -> str:
    """The element, as a text that is the same for the same locator."""
    links = (
        f"{link.method}{[ast.dump(node) for node in link.arguments]}{[(n, ast.dump(v)) for n, v in link.named]}"
        for link in event.chain
    )
    return ".".join((event.window, *links))

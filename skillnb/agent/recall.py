"""What the kernel remembers of elements: how they were in earlier runs, and how they are in this one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from skillnb.agent import refind
from skillnb.agent.frame import Frame
from skillnb.browser.protocol import Acted, ActionFailed, FailedAction, Page
from skillnb.rules.actioncalls import call_number, calls
from skillnb.rules.patches import keepable, patched_step
from skillnb.rules.takenplace import doubted, shows_values, taken
from skillnb.rules.unvalued import unvalued
from skillnb.terms.fingerprint import Fingerprint
from skillnb.terms.memory import Call, Gathered, Known, Memory, Mended, Patch, Seen
from skillnb.terms.record import Proposal

__all__ = ["Recall", "Running"]


class Running(NamedTuple):
    """The source that is running now. ``skipped`` actions of its cell stand before it: it is the rest after those."""

    frame: Frame
    step: str
    cell: str
    source: str
    skipped: int

    @property
    def place(self) -> str:
        return self.frame.prefix + self.step

    def call(self, number: int) -> Call:
        return Call(step=self.step, cell=self.cell, number=number + self.skipped)


class Recall:
    """Asked before every action. An action that is done several times (in a loop) is no one element's and not held."""

    def __init__(self, page: Page, memories: Iterable[Memory], mask: Callable[[Any], Any]) -> None:
        self._page, self._mask = page, mask
        self._memories = {memory.workflow: memory for memory in memories}
        self._known = {
            (memory.workflow, known.call): known for memory in self._memories.values() for known in memory.known
        }
        self._running: Running | None = None
        self._rest: Running | None = None
        self._seen: dict[tuple[str, Call], list[Seen]] = {}
        self._mended: dict[tuple[str, Call], Mended] = {}
        page.notice(self._noticed)

    # what is running

    def enters(self, frame: Frame, step: str, cell: str, source: str) -> None:
        self._running = Running(frame, step, cell, source, 0)

    def leaves(self) -> None:
        self._running = None

    def resumes(self, source: str) -> bool:
        """A cell begins that no workflow has: is it the repair that was proposed last?"""
        rest = self._rest
        if rest is None or not source.endswith(rest.source):
            return False
        self._running = rest._replace(source=source)
        return True

    @contextmanager
    def within(self, frame: Frame, step: str, cell: str, source: str) -> Iterator[None]:
        """Code of a called workflow, in whose midst the caller's own goes on later."""
        outer = self._running
        if not self.resumes(source):
            self.enters(frame, step, cell, source)
        try:
            yield
        finally:
            self._running = outer

    # what is done

    async def _noticed(self, acted: Acted) -> str:
        running = self._running
        number = call_number(running.source, acted.site) if running else None
        if running is None or number is None:
            return ""
        call = running.call(number)
        now = unvalued(acted.fingerprint, running.frame.values)
        selector = self._plain(acted.selector, running.frame.values)
        known = self._known.get((running.frame.workflow.name, call))
        if known is not None and known.selector == selector and doubted(known.fingerprint, now):
            why = await self._taken(known, self._mask(now), running.frame.values)
            if why:
                return why
        seen = Seen(
            place=running.place,
            workflow=running.frame.workflow.name,
            call=call,
            selector=selector,
            fingerprint=now,
        )
        self._seen.setdefault((running.place, call), []).append(seen)
        return ""

    def _plain(self, selector: str, values: Mapping[str, object]) -> str:
        text: str = self._mask(unvalued(selector, values))
        return text

    async def _taken(self, known: Known, now: Fingerprint, values: Mapping[str, object]) -> str:
        was = known.fingerprint
        if not doubted(was, now):
            return ""
        try:
            page = await self._page.elements(was.tag)
        except ActionFailed:
            return ""  # a page that can't be looked over shows nothing against the element
        return taken(was, now, [self._mask(unvalued(item.fingerprint, values)) for item in page], known.selector)

    # what a repair asks

    def known(self, frame: Frame, cell: str, source: str, failed: FailedAction) -> refind.Known | None:
        """How the element of the failed action was, where the action asked for it as it does now.

        Nothing where it was chosen by a value that it did not show: nobody could tell it from that of another value.
        """
        found = self._known.get(self._failing(frame, cell, source, failed) or ("", Call(step="", cell="", number=0)))
        if found is None or found.selector != self._plain(failed.selector, frame.values):
            return None
        if not shows_values(found.fingerprint, found.selector):
            return None
        return refind.Known(
            found.fingerprint, lambda one: self._mask(unvalued(one, frame.values)), selector=found.selector
        )

    def patch(self, frame: Frame, cell: str, source: str, failed: FailedAction) -> Patch | None:
        """The patch by which the failed action's locator came into the cell."""
        where = self._failing(frame, cell, source, failed)
        memory = self._memories.get(frame.workflow.name)
        if where is None or memory is None:
            return None
        return next((item for item in memory.patches if item.call == where[1]), None)

    def patched(self, workflow: str, step: str) -> tuple[str, ...]:
        return patched_step(self._memories.values(), workflow, step)

    def proposed(self, frame: Frame, cell: str, source: str, failed: FailedAction, proposal: Proposal) -> None:
        where = self._failing(frame, cell, source, failed)
        if where is None or frame.step is None:
            return
        skipped = len(calls(source)) - len(calls(proposal.source))
        place = frame.prefix + frame.step.name
        self._rest = Running(frame, frame.step.name, cell, proposal.source, skipped)
        for key in [key for key in self._seen if key[0] == place and key[1].cell == cell and key[1].number >= skipped]:
            del self._seen[key]  # these are done again
        if not keepable(proposal.old, proposal.new, frame.values) or self._mask(proposal.new) != proposal.new:
            return  # good for this run alone
        self._mended[place, where[1]] = Mended(
            place=place,
            workflow=frame.workflow.name,
            call=where[1],
            method=failed.method,
            old=proposal.old,
            new=proposal.new,
            selector=failed.selector,
        )

    def _failing(self, frame: Frame, cell: str, source: str, failed: FailedAction) -> tuple[str, Call] | None:
        number = call_number(source, failed.site)
        if number is None or frame.step is None:
            return None
        return frame.workflow.name, Call(step=frame.step.name, cell=cell, number=number)

    def gathered(self) -> Gathered:
        """All of this run, secrets masked."""
        once = [items[0] for items in self._seen.values() if len(items) == 1]
        made: Gathered = self._mask(Gathered(seen=tuple(once), mended=tuple(self._mended.values())))
        return made

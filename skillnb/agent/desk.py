"""Where the runner outside asks: each question leaves its answer as one JSON text.

The questions go past the notebook, so that asking leaves no trace in the executed copy.
"""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any

from skillnb.agent.session import Session
from skillnb.browser.protocol import ActionFailed, Page, Screenshot
from skillnb.codec import canonical
from skillnb.rules.signs import Explained
from skillnb.store.protocol import Blobs
from skillnb.terms.outcome import FailureClass
from skillnb.terms.record import Evidence

__all__ = ["Desk"]


class Desk:
    def __init__(
        self, session: Session, page: Page, blobs: Blobs, mask: Callable[[Any], Any], learnt: dict[str, str]
    ) -> None:
        self._session, self._page, self._blobs, self._mask, self._learnt = session, page, blobs, mask, learnt
        self._drawn: list[tuple[str, Awaitable[Screenshot | None]]] = []
        self.answer = ""

    async def probe(self, name: str, begin: bool, past: bool = False) -> None:
        """Is the step done? With ``begin`` it begins here: what the page has done before is no part of it."""
        frame = self._session.main
        step = frame.named(name)
        if begin:
            await self._session.begin(frame, step)
        frame.past = past
        held = await self._session.moves.holds(frame, step)
        self.answer = canonical({"held": held, "results": self._mask(frame.results)})

    async def ready(self, name: str, seconds: float) -> None:
        """Do the step's pre gates hold, now or within ``seconds``?"""
        frame = self._session.main
        held, why = await self._session.moves.ready(frame, frame.named(name), seconds)
        self.answer = canonical({"ready": held, "why": why})

    async def goto(self, address: str) -> None:
        """Go to an address of the site; the answer says where that led, and why not there."""
        self._page.allow(None)
        try:
            await self._page.goto(address)
        except ActionFailed as error:
            self.answer = canonical({"url": self._page.address, "trouble": error.message})
        else:
            self.answer = canonical({"url": self._page.address, "trouble": ""})

    async def propose(self, cell: str) -> None:
        """A repair of ``cell``, whose locator has just failed."""
        self.answer = canonical(await self._session.moves.propose(self._session.main, cell))

    async def state(self, failure: str = "") -> None:
        """What has left the page since the step began, and how the page explains the step's ``failure``."""
        frame = self._session.main
        dispatched = self._page.dispatched(frame.since)
        told = Explained(FailureClass(failure) if failure else None, "")
        if frame.step is not None:
            told = await self._session.moves.explained(frame, frame.step, told.failure)
        self.answer = canonical(
            {"dispatched": dispatched, "spent": frame.spent, "failure": told.failure, "sign": told.sign}
        )

    async def finish(self, name: str, picture: bool) -> None:
        """Evidence of a step's end, kept as blobs. A picture is only begun here: `pictures` gives it."""
        if picture:
            self._draw(name)
        self.answer = canonical(self._evidence())

    def _draw(self, name: str) -> None:
        self._drawn.append((name, self._page.draw()))

    def _evidence(self) -> Evidence:
        seen = self._page.recorded(self._session.main.since)
        recorded = canonical(self._mask(seen))
        kept = self._blobs.put(recorded.encode("utf-8", "replace"), ".json")
        masked: Evidence = self._mask(Evidence(url=self._page.address, snapshot=kept, dialogs=seen.dialogs))
        return masked

    async def opened(self) -> None:
        """Evidence of the page before the first step."""
        try:
            await self._page.observe(self._page.mark())
        except ActionFailed:
            self.answer = canonical(Evidence(url=self._page.address))
        else:
            await self.finish("", picture=False)

    async def gathered(self) -> None:
        """What the run has seen and mended, for the next one."""
        self.answer = canonical(self._session.recall.gathered())

    async def picture(self, name: str) -> None:
        """Begin to draw the page for the step ``name``: `pictures` gives it."""
        self._draw(name)
        self.answer = ""

    @property
    def told(self) -> str:
        """Evaluated after each cell, and sent along with its reply.

        Secrets that called workflows were given since; and where the cell was its step's last and the step is proven,
        its evidence, and the next step if that could begin at once.
        """
        ended, begun = None, ""
        if self._session.proven():
            ended = self._evidence()
            begun = self._session.begin_next()
        return self._telling(ended, begun)

    def _telling(self, ended: Evidence | None, begun: str) -> str:
        learnt = dict(self._learnt)
        self._learnt.clear()
        return canonical({"learnt": learnt, "ended": ended, "begun": begun})

    async def telling(self) -> None:
        """What comes along with the reply of a cell that raises nothing, for one that has: it has proven nothing."""
        self.answer = self._telling(None, "")

    async def pictures(self) -> None:
        """The pictures begun since this was last asked, as blobs, each with its thumbnail."""
        told = []
        for name, drawing in self._drawn:
            shot = await drawing
            if shot is not None:
                small = base64.b64encode(shot.thumbnail).decode("ascii")
                told.append({"step": name, "screenshot": self._blobs.put(shot.full, ".jpg"), "thumbnail": small})
        self._drawn.clear()
        self.answer = canonical(told)

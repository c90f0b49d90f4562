"""Look, ask a model for one action, carry it out, look again: until the gates hold, it says done, or a limit is met.

What the model says never decides anything: ``done`` only ends the turn-taking, and the post gates are asked after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NamedTuple

from skillnb.agent.chosen import Chosen, Embed, choose
from skillnb.browser.protocol import ActionFailed, Mark, Page
from skillnb.llm.protocol import Chat, ModelFailed, Reply
from skillnb.rules.hosts import allowed, host_of
from skillnb.rules.pagestate import page_state
from skillnb.rules.spending import exhausted, together
from skillnb.rules.turnanswer import Garbled, Mandate, Refused, Turn, settled_turn
from skillnb.terms.action import Grounded
from skillnb.terms.brief import ModelLimits
from skillnb.terms.observation import Observation
from skillnb.terms.outcome import FailureClass, Path, Verdict
from skillnb.terms.record import Attempt, GuidedReport, ModelUse

__all__ = ["Errand", "Model", "pursue", "Pursued"]

_REST_SECONDS = 3.0
_POLL_SECONDS = 0.1
_WAIT_SECONDS = 5.0
_IN_VAIN = 3
"""Answers in a row that could not be carried out: then it is not worth asking on."""


class Model(NamedTuple):
    """What a session has to ask. ``mask`` takes every secret out of a text."""

    chat: Chat
    limits: ModelLimits
    mask: Callable[[str], str]
    begin_step: Callable[[], None] = lambda: None
    """Told when a step asks for the first time: what is around the chat may have limits of its own."""
    embed: Embed | None = None


class Errand(NamedTuple):
    """What is to be done. ``goal`` is the intent or one sentence; ``way`` is PROCEDURE or INTENT."""

    way: Path
    goal: str
    procedure: tuple[str, ...]
    mandate: Mandate
    once: bool
    since: Mark
    used: ModelUse
    """By the step until now."""
    gated: bool
    """The step has post gates."""
    holds: Callable[[bool], Awaitable[bool]]
    """Do the step's post gates hold now, or if told to wait, within the time that gates have?"""


class Pursued(NamedTuple):
    report: GuidedReport
    over: bool
    """Nothing may be done for the step any more: its gates hold, or only they can tell."""


async def pursue(errand: Errand, page: Page, model: Model, clock: Callable[[], float]) -> Pursued:
    """``passed``: the gates hold, or are to be asked; ``unknown``: nothing was done; ``failed``: it went wrong midway.

    Raises PageLost.
    """
    return await _Pursuit(errand, page, model, clock).run()


class _End(NamedTuple):
    done: bool
    reason: str
    over: bool = False


class _Pursuit:
    def __init__(self, errand: Errand, page: Page, model: Model, clock: Callable[[], float]) -> None:
        self._errand, self._page, self._model, self._clock = errand, page, model, clock
        self._begun = clock()
        self._use = ModelUse(model=model.chat.name)
        self._attempts: list[Attempt] = []
        self._met: set[tuple[str, str]] = set()
        self._in_vain = 0

    async def run(self) -> Pursued:
        end = None
        try:
            while end is None:
                end = await self._turn()
        except ModelFailed as error:
            self._spent(error)
            end = _End(False, f"the model {self._model.chat.name} failed ({error.kind}): {error.message}")
        except ActionFailed as error:
            end = _End(False, f"the page could not be read: {error.error_name}: {error.message}")
        acted = self._use.actions > 0
        if not end.done and acted and await self._errand.holds(True):
            end = _End(True, f"the post gates hold, though {end.reason}", over=True)
        verdict = Verdict.PASSED if end.done else Verdict.FAILED if acted else Verdict.UNKNOWN
        use = self._now_used()
        report = GuidedReport(
            way=self._errand.way,
            verdict=verdict,
            reason=end.reason,
            attempts=tuple(self._attempts),
            tokens=use.prompt_tokens + use.completion_tokens,
            use=use,
            failure=None if end.done else FailureClass.MODEL,
        )
        return Pursued(report, end.over)

    async def _turn(self) -> _End | None:
        seen = await self._at_rest()
        end = await self._before_asking(seen)
        if end is not None:
            return end
        asked = await choose(self._chosen(seen), self._model.embed)
        coming = (len(asked.system) + len(asked.user) + len(str(asked.schema))) // 4
        limit = self._limit(coming)
        if limit:
            return _End(False, limit)
        turn = asked.read((await self._reply(asked.system, asked.user, asked.schema)).text)
        if isinstance(turn, Garbled):
            return self._vain("(no action)", turn.reason)
        if turn.action == "done":
            return await self._claimed(seen)
        if turn.action == "give_up":
            return _End(False, "the model gave up")
        step = (page_state(seen), turn.told)
        if step in self._met:
            return _End(False, f"going round in circles: {turn.told} was chosen before on the page as it is now")
        self._met.add(step)
        if turn.action == "wait":
            await self._wait(seen)
            return None
        action = settled_turn(turn, seen, self._errand.mandate)
        if isinstance(action, Refused):
            return self._vain(turn.told, action.reason)
        return await self._carry_out(turn, action, seen)

    async def _claimed(self, seen: Observation) -> _End | None:
        """The model says that it is done. Of an intent it is told once that the gates see it otherwise."""
        claim = (page_state(seen), "done")
        told = "the model says that it is done; only the post gates can tell"
        if self._errand.way is Path.PROCEDURE or not self._errand.gated or claim in self._met:
            return _End(True, told)
        if await self._errand.holds(True):
            return _End(True, "the post gates hold", over=True)
        self._met.add(claim)
        return self._vain("done", "the checks of the task do not hold yet")

    async def _before_asking(self, seen: Observation) -> _End | None:
        if self._final():
            return _End(True, "a request that must not be sent twice has left: nothing more is done", over=True)
        if not allowed(seen.url, self._errand.mandate.hosts):
            where = host_of(seen.url) or "no web site"
            return _End(False, f"the page is on {where}, which is not among the hosts a model may act on")
        if (self._errand.way is Path.INTENT or self._use.actions) and await self._errand.holds(False):
            return _End(True, "the post gates hold", over=True)
        limit = self._limit(0)
        return _End(False, limit) if limit else None

    def _final(self) -> bool:
        return self._errand.once and bool(self._page.dispatched(self._errand.since))

    def _limit(self, coming: int) -> str:
        return exhausted(together((self._errand.used, self._now_used())), self._model.limits, coming)

    def _now_used(self) -> ModelUse:
        return replace(self._use, seconds=round(self._clock() - self._begun, 4))

    def _chosen(self, seen: Observation) -> Chosen:
        errand, model = self._errand, self._model
        return Chosen(
            goal=errand.goal,
            procedure=errand.procedure,
            mandate=errand.mandate,
            history=tuple(self._attempts),
            seen=seen,
            small=model.chat.small,
            mask=model.mask,
        )

    async def _reply(self, system: str, user: str, schema: dict[str, object]) -> Reply:
        left = self._model.limits.seconds - self._errand.used.seconds - (self._clock() - self._begun)
        reply = await self._model.chat.ask(system, user, schema, seconds=max(left, 0.0))
        self._spent(reply)
        return reply

    def _spent(self, on: Reply | ModelFailed) -> None:
        one = ModelUse(calls=1, prompt_tokens=on.prompt_tokens, completion_tokens=on.completion_tokens, cost=on.cost)
        self._use = together((self._use, one))

    def _vain(self, told: str, reason: str) -> _End | None:
        self._attempts.append(Attempt(sentence=told, done=False, reason=reason, by_model=True))
        self._in_vain += 1
        if self._in_vain < _IN_VAIN:
            return None
        return _End(False, f"{_IN_VAIN} answers in a row could not be carried out; the last: {reason}")

    async def _wait(self, seen: Observation) -> None:
        """Until the page shows something else."""
        before, deadline = page_state(seen), self._clock() + _WAIT_SECONDS
        while self._clock() < deadline:
            await asyncio.sleep(_POLL_SECONDS)
            if page_state(await self._page.observe(self._errand.since)) != before:
                break
        self._attempts.append(Attempt(sentence="wait", done=True, reason="waited", by_model=True))

    async def _carry_out(self, turn: Turn, action: Grounded, before: Observation) -> _End | None:
        moved = await self._moved(action, before)
        if moved:
            return self._vain(turn.told, moved)
        if self._final():
            return None  # said on the next turn
        self._use = together((self._use, ModelUse(actions=1)))
        try:
            await self._page.act(action)
        except ActionFailed as error:
            why = self._model.mask(f"{error.error_name}: {error.message.splitlines()[0] if error.message else ''}")
            self._attempts.append(_attempt(turn, action, False, why))
            self._in_vain += 1
            return (
                _End(False, f"{_IN_VAIN} actions in a row failed; the last: {why}")
                if self._in_vain >= _IN_VAIN
                else None
            )
        self._in_vain = 0
        self._attempts.append(_attempt(turn, action, True, "done"))
        return None

    async def _moved(self, action: Grounded, before: Observation) -> str:
        """The model took its time: is the element still what it was, where it may be acted on?"""
        if action.target is None:
            return ""
        wanted = next(node for node in before.nodes if node.ref == action.target.ref)
        now = await self._page.observe(self._errand.since)
        same = [
            node
            for node in now.nodes
            if node.ref == wanted.ref and (node.role, node.name, node.url) == (wanted.role, wanted.name, wanted.url)
        ]
        if len(same) != 1 or same[0].disabled or now.url != before.url:
            return "the page changed while the model was asked"
        if wanted.frame:
            home = await self._page.home_of(wanted.ref)
            if not allowed(home, self._errand.mandate.hosts):
                return (
                    f"the element stands in a frame of {host_of(home) or 'unknown origin'}, where a model may not act"
                )
        return ""

    async def _at_rest(self) -> Observation:
        """What an action leads to has come, and what it sends has left, as far as that can be waited for."""
        deadline = self._clock() + _REST_SECONDS
        while True:
            seen = await self._page.observe(self._errand.since)
            if seen.settled or self._clock() >= deadline:
                return seen
            await asyncio.sleep(_POLL_SECONDS)


def _attempt(turn: Turn, action: Grounded, done: bool, reason: str) -> Attempt:
    return Attempt(sentence=turn.told, done=done, reason=reason, target=action.target, by_model=True)

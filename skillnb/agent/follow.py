"""Follow a procedure: each plain sentence understood, grounded on the page as it is, carried out, or abstained from."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from skillnb.agent.likeness import Likenesses
from skillnb.agent.pursuit import Pursued
from skillnb.browser.protocol import ActionFailed, Page
from skillnb.llm.protocol import Embedder, ModelFailed
from skillnb.rules.forgood import for_good
from skillnb.rules.readings import readings, settle
from skillnb.rules.spending import together
from skillnb.terms.action import Abstain, Grounded, Instruction, Verb
from skillnb.terms.observation import Observation
from skillnb.terms.outcome import Path, Verdict
from skillnb.terms.record import Attempt, GuidedReport, ModelUse

__all__ = ["Aid", "follow"]

Aid = Callable[[str, ModelUse], Awaitable[Pursued]]
"""Has a model carry out one sentence; told what the step has used a model for until now."""

_WAIT_SECONDS = 5.0
_POLL_SECONDS = 0.1
_SURE_SECONDS = 0.5
"""What does not bear the very name must still be the one after this: the element meant may be on its way."""
_MEANING_SECONDS = 2.0
"""So long is looked for by words before meaning is asked."""
_MOST_SENTENCES = 30
_NONE = ModelUse()


async def follow(
    sentences: tuple[str, ...],
    values: Mapping[str, object],
    page: Page,
    clock: Callable[[], float],
    embedder: Embedder | None = None,
    aid: Aid | None = None,
) -> GuidedReport:
    """Nothing is done unless every sentence is understood; then one after the other, stopping at the first that fails.

    Without ``embedder`` no element is chosen by meaning. With ``aid`` a sentence that is not understood, or whose
    element is not found, goes to a model when its turn comes; not one about what can't be undone, where the wrong
    element would be worse than none. Raises PageLost.
    """
    if len(sentences) > _MOST_SENTENCES:
        return _report(Verdict.UNKNOWN, f"{len(sentences)} sentences are more than the {_MOST_SENTENCES} allowed", ())
    understood = [readings(sentence, frozenset(values)) for sentence in sentences]
    puzzling = tuple(
        Attempt(sentence=sentence, done=False, reason=item.reason, refused=item.refused)
        for sentence, item in zip(sentences, understood, strict=True)
        if isinstance(item, Abstain) and not _aided(sentence, aid)
    )
    if puzzling:
        return _report(Verdict.UNKNOWN, f"not understood, so nothing was done: {puzzling[0].reason}", puzzling)
    done: list[Attempt] = []
    use = _NONE
    follower = _Follower(values, page, clock, Likenesses(embedder) if embedder else None)
    for sentence, among in zip(sentences, understood, strict=True):
        attempt = None if isinstance(among, Abstain) else await follower.carry_out(among)
        if attempt is None or (not attempt.done and attempt.target is None and _aided(sentence, aid)):
            assert aid is not None
            done += [attempt] if attempt is not None else []
            helped, over = await aid(sentence, use)
            use = together((use, helped.use))
            done += helped.attempts
            if over or helped.verdict is not Verdict.PASSED:
                return _helped(helped, sentence, done, use)
            continue
        done.append(attempt)
        if not attempt.done:
            acted = any(item.done for item in done)
            verdict = Verdict.FAILED if acted or attempt.target else Verdict.UNKNOWN
            return _report(verdict, f"{attempt.sentence!r}: {attempt.reason}", tuple(done), use)
    count = f"{len(sentences)} sentence{'s' if len(sentences) != 1 else ''} carried out"
    return _report(Verdict.PASSED, count + (", with a model's help" if use.calls else ""), tuple(done), use)


def _aided(sentence: str, aid: Aid | None) -> bool:
    return aid is not None and not for_good(sentence)


def _helped(helped: GuidedReport, sentence: str, done: list[Attempt], use: ModelUse) -> GuidedReport:
    """It ends with this sentence: the gates hold, only they can tell, or the model was no help."""
    acted = helped.verdict is Verdict.UNKNOWN and any(item.done for item in done)
    verdict = Verdict.FAILED if acted else helped.verdict
    report = _report(verdict, f"{sentence!r}: {helped.reason}", tuple(done), use)
    return replace(report, failure=helped.failure)


def _report(verdict: Verdict, reason: str, attempts: tuple[Attempt, ...], use: ModelUse = _NONE) -> GuidedReport:
    tokens = use.prompt_tokens + use.completion_tokens
    return GuidedReport(way=Path.PROCEDURE, verdict=verdict, reason=reason, attempts=attempts, tokens=tokens, use=use)


class _Follower:
    def __init__(
        self, values: Mapping[str, object], page: Page, clock: Callable[[], float], likenesses: Likenesses | None
    ) -> None:
        self._values, self._page, self._clock, self._likenesses = values, page, clock, likenesses

    async def carry_out(self, among: Sequence[Instruction]) -> Attempt:
        """Whichever of the readings fits the page."""
        instruction, grounded = among[0], None
        try:
            found = await self._find(among)
            if isinstance(found, Abstain):
                if instruction.optional and not _was_there(found):
                    return _attempt(instruction, True, "not shown, so not done")
                return _attempt(instruction, False, found.reason, refused=found)
            instruction = found.instruction
            if instruction.verb is Verb.WAIT:
                return _attempt(instruction, True, "shown", grounded=found)
            if instruction.verb is Verb.GOTO:
                found = _same_site(found, self._page.address)
                if isinstance(found, Abstain):
                    return _attempt(instruction, False, found.reason)
            grounded = found
            await self._act(grounded)
            missing = await self._missing(instruction)
        except ActionFailed as error:
            return _attempt(instruction, False, f"{error.error_name}: {error.message}", grounded=grounded)
        how = grounded.target.how if grounded.target else f"went to {grounded.value}"
        return _attempt(instruction, not missing, missing or how, grounded=grounded)

    async def _act(self, grounded: Grounded) -> None:
        await self._page.act(grounded)
        if grounded.instruction.submit:
            enter = replace(grounded.instruction, verb=Verb.PRESS_KEY)
            await self._page.act(replace(grounded, instruction=enter, value="Enter"))

    async def _missing(self, instruction: Instruction) -> str:
        """Why what the sentence waits for afterwards is not there; empty when it is, or nothing is waited for."""
        if instruction.awaited is None:
            return ""
        waiting = Instruction(verb=Verb.WAIT, sentence=instruction.sentence, value=instruction.awaited)
        shown = await self._find((waiting,))
        return f"done, but then {shown.reason}" if isinstance(shown, Abstain) else ""

    async def _find(self, among: Sequence[Instruction]) -> Grounded | Abstain:
        """Ground on the page, waiting for an element that is still to come (not for one that should not be there)."""
        begun = self._clock()
        deadline = begun + (0.5 if among[0].optional else _WAIT_SECONDS)
        meaning_from = min(begun + _MEANING_SECONDS, deadline)
        first_seen: tuple[str, float] = ("", begun)
        while True:
            seen = await self._page.observe(self._page.mark())
            found = settle(among, self._values, seen)
            if isinstance(found, Abstain) and self._likenesses and seen.settled and self._clock() >= meaning_from:
                found = await self._by_meaning(among, seen, self._likenesses)
            now = self._clock()
            if isinstance(found, Grounded):
                if found.target is None or found.target.score >= 1.0:
                    return found
                if found.target.ref != first_seen[0]:
                    first_seen = (found.target.ref, now)
                elif now - first_seen[1] >= _SURE_SECONDS:
                    return found
            if now >= deadline:
                return found if isinstance(found, Abstain) else Abstain(reason="the page keeps changing")
            await asyncio.sleep(_POLL_SECONDS)

    async def _by_meaning(
        self, among: Sequence[Instruction], seen: Observation, likenesses: Likenesses
    ) -> Grounded | Abstain:
        try:
            table = await asyncio.to_thread(likenesses.table, among, self._values, seen)
        except ModelFailed as error:
            return Abstain(reason=f"not found by its words, and its meaning can't be asked ({error})")
        return settle(among, self._values, seen, table)


def _was_there(abstained: Abstain) -> bool:
    """Refused for what it is (one of several, disabled), the element was there; refused for its name, it was not."""
    return any("one of several" in item.reason or "disabled" in item.reason for item in abstained.refused)


def _same_site(action: Grounded, address: str) -> Grounded | Abstain:
    """A procedure may go to other pages of the site it is on, and nowhere else."""
    target = urljoin(address, action.value)
    here, there = urlsplit(address), urlsplit(target)
    if (here.scheme, here.netloc) != (there.scheme, there.netloc):
        return Abstain(reason=f"{target} is not on the site {here.scheme}://{here.netloc}")
    return replace(action, value=target)


def _attempt(
    instruction: Instruction,
    done: bool,
    reason: str,
    *,
    grounded: Grounded | None = None,
    refused: Abstain | None = None,
) -> Attempt:
    return Attempt(
        sentence=instruction.sentence,
        done=done,
        reason=reason,
        target=grounded.target if grounded else None,
        refused=grounded.refused if grounded else refused.refused if refused else (),
    )

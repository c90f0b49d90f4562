"""Follow a procedure: each plain sentence understood, grounded on the page as it is, carried out, or abstained from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from skillnb.browser.protocol import ActionFailed, Page
from skillnb.rules.grounding import ground
from skillnb.rules.guidance import understand
from skillnb.terms.action import Abstain, Grounded, Instruction, Verb
from skillnb.terms.outcome import Path, Verdict
from skillnb.terms.record import Attempt, GuidedReport

__all__ = ["follow"]

_WAIT_SECONDS = 5.0
_POLL_SECONDS = 0.1
_MOST_SENTENCES = 30


async def follow(
    sentences: tuple[str, ...], values: Mapping[str, object], page: Page, clock: Callable[[], float]
) -> GuidedReport:
    """Nothing is done unless every sentence is understood; then one after the other, stopping at the first that fails.

    Raises PageLost.
    """
    if len(sentences) > _MOST_SENTENCES:
        return _report(Verdict.UNKNOWN, f"{len(sentences)} sentences are more than the {_MOST_SENTENCES} allowed", ())
    understood = [understand(sentence, frozenset(values)) for sentence in sentences]
    puzzling = tuple(
        Attempt(sentence=sentence, done=False, reason=item.reason, refused=item.refused)
        for sentence, item in zip(sentences, understood, strict=True)
        if isinstance(item, Abstain)
    )
    if puzzling:
        return _report(Verdict.UNKNOWN, f"not understood, so nothing was done: {puzzling[0].reason}", puzzling)
    done: list[Attempt] = []
    for instruction in understood:
        assert isinstance(instruction, Instruction)
        attempt = await _carry_out(instruction, values, page, clock)
        done.append(attempt)
        if not attempt.done:
            acted = any(item.done for item in done)
            verdict = Verdict.FAILED if acted or attempt.target else Verdict.UNKNOWN
            return _report(verdict, f"{attempt.sentence!r}: {attempt.reason}", tuple(done))
    return _report(Verdict.PASSED, f"{len(done)} sentence{'s' if len(done) != 1 else ''} carried out", tuple(done))


def _report(verdict: Verdict, reason: str, attempts: tuple[Attempt, ...]) -> GuidedReport:
    return GuidedReport(way=Path.PROCEDURE, verdict=verdict, reason=reason, attempts=attempts)


async def _carry_out(
    instruction: Instruction, values: Mapping[str, object], page: Page, clock: Callable[[], float]
) -> Attempt:
    grounded: Grounded | Abstain | None = None
    try:
        grounded = await _find(instruction, values, page, clock)
        if isinstance(grounded, Abstain):
            if instruction.optional and not _was_there(grounded):
                return _attempt(instruction, True, "not shown, so not done")
            return _attempt(instruction, False, grounded.reason, refused=grounded)
        if instruction.verb is Verb.WAIT:
            return _attempt(instruction, True, "shown", grounded=grounded)
        if instruction.verb is Verb.GOTO:
            grounded = _same_site(grounded, page.address)
            if isinstance(grounded, Abstain):
                return _attempt(instruction, False, grounded.reason)
        await page.act(grounded)
    except ActionFailed as error:
        tried = grounded if isinstance(grounded, Grounded) else None
        return _attempt(instruction, False, f"{error.error_name}: {error.message}", grounded=tried)
    how = grounded.target.how if grounded.target else f"went to {grounded.value}"
    return _attempt(instruction, True, how, grounded=grounded)


async def _find(
    instruction: Instruction, values: Mapping[str, object], page: Page, clock: Callable[[], float]
) -> Grounded | Abstain:
    """Ground on the page, waiting for an element that is still to come (not for one that should not be there)."""
    deadline = clock() + (0.5 if instruction.optional else _WAIT_SECONDS)
    while True:
        found = ground(instruction, values, await page.observe(page.mark()))
        if isinstance(found, Grounded) or clock() >= deadline:
            return found
        await asyncio.sleep(_POLL_SECONDS)


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

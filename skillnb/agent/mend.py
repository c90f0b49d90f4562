"""Propose a repair for a cell whose locator failed. Proposing touches nothing; the runner runs and proves it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from skillnb.agent.refind import Known, Refound, refind
from skillnb.browser.protocol import ActionFailed, CallSite, FailedAction, Page
from skillnb.rules.patching import patched, receiver, remainder
from skillnb.rules.relocation import wanted
from skillnb.rules.takenplace import same_element
from skillnb.terms.action import Abstain, Target
from skillnb.terms.memory import Patch
from skillnb.terms.outcome import Verdict
from skillnb.terms.record import Proposal, RepairReport

__all__ = ["abstained", "propose"]

_WAIT_SECONDS = 1.0
_POLL_SECONDS = 0.1


async def propose(
    source: str,
    failed: FailedAction | None,
    page: Page,
    clock: Callable[[], float],
    known: Known | None = None,
    patch: Patch | None = None,
) -> RepairReport:
    """Find the failed locator's element again: unique or nothing.

    Where the locator came by a ``patch``, what stood there before that is tried first. Raises PageLost.
    """
    if failed is None or failed.site is None:
        return abstained("no action of the cell failed on a locator", failed)
    lost = wanted(patch.selector if patch else failed.selector, failed.method)
    if isinstance(lost, Abstain) and known is None and patch is None:
        return abstained(lost.reason, failed, lost)
    rest = remainder(source, failed.site)
    if isinstance(rest, Abstain):
        return abstained(rest.reason, failed, rest)
    try:
        found: Refound | Abstain | None = await _original(patch, known, page) if patch else None
        deadline = clock() + _WAIT_SECONDS
        while found is None or isinstance(found, Abstain):
            found = await refind(lost, known, page)
            if not isinstance(found, Abstain) or clock() >= deadline:
                break
            await asyncio.sleep(_POLL_SECONDS)
    except ActionFailed as error:
        return abstained(f"the page could not be read: {error.message}", failed)
    if isinstance(found, Abstain):
        return abstained(found.reason, failed, found)
    if found.text is None:
        told = f"{found.target.role} {found.target.name!r}"
        return abstained(f"no unique locator can be written for {told}", failed)
    return _proposed(source, rest, failed, failed.site, found.target, found.text)


async def _original(patch: Patch, known: Known | None, page: Page) -> Refound | None:
    """The version's own locator, if it leads again to the element that the patched one led to until now."""
    now = await page.fingerprint(patch.selector)
    if now is None or known is None or not same_element(known.fingerprint, known.plain(now)):
        return None
    target = Target(ref="", role=now.role or now.tag, name=now.name, score=1.0, how="the version's own locator again")
    return Refound(target, patch.old)


def _proposed(source: str, rest: str, failed: FailedAction, where: CallSite, found: Target, text: str) -> RepairReport:
    # the rest of the cell is a suffix of it, so only line numbers shift
    cut = source.count("\n") - rest.count("\n")
    site = where._replace(line=where.line - cut, end_line=where.end_line - cut)
    return RepairReport(
        verdict=Verdict.UNKNOWN,
        reason="proposed, not yet proven",
        error_name=failed.error_name,
        error=failed.error,
        proposal=Proposal(
            old=receiver(source, where),
            new=text,
            method=failed.method,
            target=found,
            refused=(),
            source=patched(rest, site, text),
        ),
    )


def abstained(reason: str, failed: FailedAction | None, refused: Abstain | None = None) -> RepairReport:
    return RepairReport(
        verdict=Verdict.UNKNOWN,
        reason=reason,
        error_name=failed.error_name if failed else "",
        error=failed.error if failed else "",
        refused=refused.refused if refused else (),
    )

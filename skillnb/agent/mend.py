"""Propose a repair for a cell whose locator failed. Proposing touches nothing; the runner runs and proves it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from skillnb.browser.protocol import ActionFailed, FailedAction, Page
from skillnb.rules.patching import patched, receiver, remainder
from skillnb.rules.relocation import relocate, wanted
from skillnb.terms.action import Abstain
from skillnb.terms.outcome import Verdict
from skillnb.terms.record import Proposal, RepairReport

__all__ = ["propose"]

_WAIT_SECONDS = 1.0
_POLL_SECONDS = 0.1


async def propose(source: str, failed: FailedAction | None, page: Page, clock: Callable[[], float]) -> RepairReport:
    """Find the failed locator's element again by role and name: exact, then fuzzy, unique or nothing.

    Raises PageLost.
    """
    if failed is None or failed.site is None:
        return _abstained("no action of the cell failed on a locator", failed)
    lost = wanted(failed.selector, failed.method)
    if isinstance(lost, Abstain):
        return _abstained(lost.reason, failed, lost)
    rest = remainder(source, failed.site)
    if isinstance(rest, Abstain):
        return _abstained(rest.reason, failed, rest)
    try:
        deadline = clock() + _WAIT_SECONDS
        while True:
            found = relocate(lost, await page.observe(page.mark()))
            if not isinstance(found, Abstain) or clock() >= deadline:
                break
            await asyncio.sleep(_POLL_SECONDS)
        if isinstance(found, Abstain):
            return _abstained(found.reason, failed, found)
        text = await page.locator_text(found.ref)
    except ActionFailed as error:
        return _abstained(f"the page could not be read: {error.message}", failed)
    if text is None:
        return _abstained(f"no unique locator can be written for {found.role} {found.name!r}", failed)
    # the rest of the cell is a suffix of it, so only line numbers shift
    cut = source.count("\n") - rest.count("\n")
    site = failed.site._replace(line=failed.site.line - cut, end_line=failed.site.end_line - cut)
    return RepairReport(
        verdict=Verdict.UNKNOWN,
        reason="proposed, not yet proven",
        error_name=failed.error_name,
        error=failed.error,
        proposal=Proposal(
            old=receiver(source, failed.site),
            new=text,
            method=failed.method,
            target=found,
            refused=(),
            source=patched(rest, site, text),
        ),
    )


def _abstained(reason: str, failed: FailedAction | None, refused: Abstain | None = None) -> RepairReport:
    return RepairReport(
        verdict=Verdict.UNKNOWN,
        reason=reason,
        error_name=failed.error_name if failed else "",
        error=failed.error if failed else "",
        refused=refused.refused if refused else (),
    )

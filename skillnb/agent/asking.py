"""Ask one gate of the live page: look, check by the same rule as replay, wait, look again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace

from skillnb.browser.protocol import ActionFailed, Mark, Page
from skillnb.rules.gates import Answer, check, wants_value
from skillnb.terms.gate import Gate, GateKind, GateResult, Moment
from skillnb.terms.observation import Observation
from skillnb.terms.outcome import Verdict

__all__ = ["ask"]

_POLL_SECONDS = 0.02
_LONGEST_POLL_SECONDS = 0.2
_WITHOUT_NODES = frozenset({GateKind.URL, GateKind.RESPONSE, GateKind.FILE})


async def ask(
    gate: Gate,
    values: Mapping[str, object],
    page: Page,
    since: Mark,
    *,
    moment: Moment,
    seconds: float,
    clock: Callable[[], float],
) -> GateResult:
    """Wait up to ``seconds`` for the gate to hold. As a probe it looks once. Raises PageLost."""
    begun = clock()
    deadline = begun if moment is Moment.PROBE else begun + seconds
    pause = _POLL_SECONDS
    fresh = False  # the first look may share the snapshot that the gate before it has just taken
    while True:
        answer = await _look(gate, values, page, since, fresh=fresh)
        if answer.verdict is Verdict.PASSED or clock() >= deadline:
            break
        fresh = True
        await asyncio.sleep(pause)
        pause = min(pause * 1.25, _LONGEST_POLL_SECONDS)
    return GateResult(
        gate=gate,
        moment=moment,
        verdict=answer.verdict,
        expected=answer.expected,
        actual=answer.actual,
        seconds=round(clock() - begun, 4),
    )


async def _look(gate: Gate, values: Mapping[str, object], page: Page, since: Mark, *, fresh: bool) -> Answer:
    try:
        seen = await page.observe(since, nodes=gate.kind not in _WITHOUT_NODES, fresh=fresh)
        wanted = wants_value(gate, values, seen)
        if wanted:
            seen = await _with_values(seen, wanted, page)
    except ActionFailed as error:
        return Answer(Verdict.UNKNOWN, "a page that can be read", f"{error.error_name}: {error.message}")
    return check(gate, values, seen)


async def _with_values(seen: Observation, wanted: tuple[str, ...], page: Page) -> Observation:
    read = {ref: await page.exact_value(ref) for ref in wanted}
    nodes = tuple(replace(node, value=read[node.ref]) if node.ref in read else node for node in seen.nodes)
    return replace(seen, nodes=nodes)

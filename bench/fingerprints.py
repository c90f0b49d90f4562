"""What fingerprints cost: milliseconds per action of a cell without and with them, in one page, in turn.

    python -m bench.fingerprints [--rounds 30] [--json]

*bare* is Playwright alone; *named* is the check that a locator's element bears the name that was asked for; *known* is
that check with the fingerprint read, compared with the one of an earlier run, and remembered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.async_api import Page, async_playwright

from skillnb.agent.frame import Frame
from skillnb.agent.recall import Recall
from skillnb.browser.chromium import find_chromium
from skillnb.browser.live import LivePage
from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.rules.masking import Masker
from skillnb.terms.memory import Known, Memory
from skillnb.terms.workflow import Effect, StepSettings, Workflow
from skillnb.testing.shell import PlainShell
from skillnb.testing.site import serving

ACTIONS = {
    "fill by role and name": 'await page.get_by_role("textbox", name="First name").fill("Ann")',
    "fill by label": 'await page.get_by_label("Street").fill("Elm 1")',
    "fill by css": 'await page.locator("#city").fill("Bern")',
    "hover in a row": 'await page.get_by_role("row", name="Jonas").get_by_role("button", name="Edit").hover()',
    "click by role and name": 'await page.get_by_role("heading", name="Addresses").click()',
}
CELL = "measured-code"


class Quiet:
    """Playwright as it is."""

    async def acting(self, page: Any) -> None: ...

    async def misled(self, *asked: Any) -> str:
        return ""

    def failed(self, action: Any) -> None: ...


def made(source: str) -> Workflow:
    settings = StepSettings(effect=Effect.IDEMPOTENT, formalized=True, optional=False, timeout=30.0)
    draft = StepDraft(
        name="measured", intent="Measure", procedure=(), pre="", code=source, post="", settings=settings, fallback=False
    )
    return compose(Header(name="kit/bench", site="kit", task_type="bench", start_url="/"), "# B", (), (draft,))


async def measure(rounds: int) -> dict[str, dict[str, float]]:
    with serving() as site, tempfile.TemporaryDirectory() as folder:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=find_chromium(os.environ), args=["--no-sandbox", "--disable-gpu"]
            )
            context = await browser.new_context(base_url=site.url)
            await context.request.post("/login", form={"username": "alice", "password": "wonder-land-7"})
            page = await context.new_page()
            await page.goto("/addresses")
            found = {name: await _action(page, Path(folder), source, rounds) for name, source in ACTIONS.items()}
            await browser.close()
    return found


async def _action(page: Page, folder: Path, source: str, rounds: int) -> dict[str, float]:
    live = LivePage(page, folder)
    workflow = made(source)
    masker = Masker({"password": "wonder-land-7"})
    learning = Recall(live, (), masker.term)
    frame = Frame(workflow, {}, frozenset(), {"page": page})
    await _run(learning, frame, source)
    seen = learning.gathered().seen
    known = tuple(Known(call=item.call, selector=item.selector, fingerprint=item.fingerprint, run="r") for item in seen)
    if len(known) != 1:
        raise SystemExit(f"the action was not seen once: {source}")
    times: dict[str, list[float]] = {"bare": [], "named": [], "known": []}
    for _ in range(rounds):
        for way, spent in times.items():
            live.notice(None)
            recall = Recall(live, (Memory(workflow=workflow.name, known=known),), masker.term)
            if way != "known":
                live.notice(None)
            watcher = Quiet() if way == "bare" else live
            type(page)._skillnb_watcher = watcher  # type: ignore[attr-defined]
            type(page.locator("a"))._skillnb_watcher = watcher  # type: ignore[attr-defined]
            begun = time.perf_counter()
            await _run(recall, frame, source)
            spent.append((time.perf_counter() - begun) * 1000)
    return {
        **{f"{way} min": round(min(spent), 2) for way, spent in times.items()},
        **{f"{way} median": round(statistics.median(spent), 2) for way, spent in times.items()},
    }


async def _run(recall: Recall, frame: Frame, source: str) -> None:
    with recall.within(frame, "measured", CELL, source):
        await PlainShell().evaluate(source, frame.namespace)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = asyncio.run(measure(options.rounds))
    if options.json:
        print(json.dumps(found))
        return
    for name, told in found.items():
        print(f"{name:>24}  " + ", ".join(f"{what} {value:.2f} ms" for what, value in told.items()))
    for kind in ("min", "median"):
        more = statistics.mean(told[f"known {kind}"] - told[f"named {kind}"] for told in found.values())
        whole = statistics.mean(told[f"known {kind}"] - told[f"bare {kind}"] for told in found.values())
        print(f"fingerprints add {more:.2f} ms to an action ({kind}); with the check of names {whole:.2f} ms")


if __name__ == "__main__":
    main()

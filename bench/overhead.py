"""What gates cost: the same steps as a bare async Playwright script and as a gated run, in turn, in one process.

    python -m bench.overhead [--rounds 5] [--json]

Both drive a Chromium that is up already, on Django's admin 3.2. Timed are the steps alone: from the first step's
start to the last one's end. Starting kernel and browser, once per run, is reported apart.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from skillnb.agent.params import Params
from skillnb.browser.attached import attach
from skillnb.browser.chromium import Chromium, find_chromium
from skillnb.planning import RunOptions, planned
from skillnb.rules.address import rebased
from skillnb.running import Quiet, execute
from skillnb.store.traces import read_trace
from skillnb.terms.trace import GateAsked, RunFinished
from skillnb.testing.apps.running import running
from skillnb.workspace import Loaded, Workspace

ROOT = Path(__file__).resolve().parent.parent
WORKFLOW = "django-admin/search-users"
GIVEN = {"term": "user04", "username": "user040"}


class Gated(NamedTuple):
    steps: float
    start: float
    gates: list[float]


async def bare(base_url: str, loaded: Loaded, workspace: Workspace, environment: dict[str, str]) -> float:
    """Seconds that the code cells take, called workflows' code inlined, with nothing else around them."""
    plan = planned(workspace, loaded, GIVEN, RunOptions(base_url=base_url), environment)
    browser = await Chromium.start(
        find_chromium(environment), headed=False, locale="en-US", timezone="UTC", environment=environment
    )
    try:
        attached = await attach(browser.endpoint, action_seconds=5, navigation_seconds=15)
        await attached.page.goto(rebased(loaded.workflow.start_url, base_url))
        codes = {item.workflow.name: compiled(item) for item in (loaded, *workspace.callees(loaded.workflow))}

        async def script(name: str, params: Any) -> None:
            async def call(callee: str, **arguments: object) -> None:
                await script(callee, Params(arguments, frozenset()))

            for code in codes[name]:
                running_cell = eval(code, {"page": attached.page, "params": params, "call": call})
                if running_cell is not None:
                    await running_cell

        begun = time.perf_counter()
        await script(loaded.workflow.name, Params(plan.values, frozenset()))
        await attached.page.wait_for_load_state()  # the last click's page, which the gated run waits for too
        seconds = time.perf_counter() - begun
        await attached.close()
    finally:
        browser.stop()
    return seconds


def compiled(loaded: Loaded) -> list[Any]:
    workflow = loaded.workflow
    return [
        compile(workflow.cell(cell).source, cell, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        for step in workflow.steps
        for cell in step.code
    ]


async def gated(base_url: str, loaded: Loaded, workspace: Workspace, out: Path, environment: dict[str, str]) -> Gated:
    options = RunOptions(base_url=base_url, out=out)
    plan = planned(workspace, loaded, GIVEN, options, environment)
    result = await execute(plan, options, Quiet(), environment)
    if result.exit_status:
        raise SystemExit(f"the gated run did not pass: {result.reason}")
    lines = read_trace(Path(result.trace)).lines
    end = next(line.event for line in lines if isinstance(line.event, RunFinished))
    own = [step for step in result.steps if "/" not in step.step]
    gates = [line.event.result.seconds for line in lines if isinstance(line.event, GateAsked)]
    return Gated(sum(step.seconds for step in own), end.start_seconds, gates)


async def measure(rounds: int) -> dict[str, object]:
    environment = {**os.environ, "DJANGO_ADMIN_PASSWORD": "pw12345!"}
    workspace = Workspace(ROOT)
    loaded = workspace.load(WORKFLOW)
    bares: list[float] = []
    gateds: list[Gated] = []
    with running("django-admin", "3.2") as app, tempfile.TemporaryDirectory() as out:
        base = app.url
        for number in range(rounds + 1):
            app_seconds = await bare(base, loaded, workspace, environment)
            run = await gated(base, loaded, workspace, Path(out), environment)
            if number:  # the first round warms the server's and the disk's caches
                bares.append(app_seconds)
                gateds.append(run)
    ratios = [run.steps / alone for run, alone in zip(gateds, bares, strict=True)]
    gates = [seconds for run in gateds for seconds in run.gates]
    return {
        "workflow": WORKFLOW,
        "rounds": rounds,
        "bare_seconds": round(statistics.median(bares), 3),
        "gated_seconds": round(statistics.median(run.steps for run in gateds), 3),
        "ratio": round(statistics.median(ratios), 3),
        "ratio_min": round(min(ratios), 3),
        "ratio_max": round(max(ratios), 3),
        "gate_median_ms": round(statistics.median(gates) * 1000, 1),
        "gates_per_run": len(gates) // rounds,
        "start_seconds": round(statistics.median(run.start for run in gateds), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = asyncio.run(measure(options.rounds))
    if options.json:
        print(json.dumps(found))
        return
    print("\n".join(f"{name:>16}  {value}" for name, value in found.items()))


if __name__ == "__main__":
    main()

"""What gates cost: the same steps as a bare async Playwright script and as a gated run, in turn, in one process.

    python -m bench.overhead [--rounds 5] [--json]

Both drive a Chromium that is up already, on Django's admin 3.2 freshly reset, through all five shipped workflows. Timed
are the steps alone: from the first one's start to the last one's end. Starting kernel and browser is reported apart.
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
TASKS = {
    "django-admin/log-in": {},
    "django-admin/add-user": {"username": "zoe", "first_name": "Zoe", "last_name": "Li", "email": "zoe@shop.example"},
    "django-admin/search-users": {"term": "user04", "username": "user040"},
    "django-admin/edit-flat-page": {"page_url": "/p3/", "title": "Page three"},
    "django-admin/delete-group": {"group": "Interns"},
}


class Gated(NamedTuple):
    steps: float
    start: float
    gates: list[float]


async def bare(base_url: str, loaded: Loaded, workspace: Workspace, environment: dict[str, str]) -> float:
    """Seconds that the code cells take, called workflows' code inlined, with nothing else around them."""
    given = TASKS[loaded.workflow.name]
    plan = planned(workspace, loaded, given, RunOptions(base_url=base_url), environment)
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
    options = RunOptions(base_url=base_url, out=out, frozen=True)
    plan = planned(workspace, loaded, TASKS[loaded.workflow.name], options, environment)
    result = await execute(plan, options, Quiet(), environment)
    if result.exit_status:
        raise SystemExit(f"the gated run did not pass: {result.reason}")
    lines = read_trace(Path(result.trace)).lines
    end = next(line.event for line in lines if isinstance(line.event, RunFinished))
    own = [step for step in result.steps if "/" not in step.step]
    gates = [line.event.result.seconds for line in lines if isinstance(line.event, GateAsked)]
    return Gated(sum(step.seconds for step in own), end.start_seconds, gates)


class Measured(NamedTuple):
    bare: list[float]
    gated: list[Gated]

    @property
    def ratio(self) -> float:
        return statistics.median(run.steps / alone for run, alone in zip(self.gated, self.bare, strict=True))


async def measure(rounds: int) -> dict[str, object]:
    environment = {**os.environ, "DJANGO_ADMIN_PASSWORD": "pw12345!", "NEW_USER_PASSWORD": "Xy99!zzpq"}
    workspace = Workspace(ROOT)
    found = {name: Measured([], []) for name in TASKS}
    with running("django-admin", "3.2") as app, tempfile.TemporaryDirectory() as out:
        for number in range(rounds + 1):
            for name, measured in found.items():
                loaded = workspace.load(name)
                app.reset()
                alone = await bare(app.url, loaded, workspace, environment)
                app.reset()
                run = await gated(app.url, loaded, workspace, Path(out), environment)
                if number:  # the first round warms the disk's caches
                    measured.bare.append(alone)
                    measured.gated.append(run)
    return told(found, rounds)


def told(found: dict[str, Measured], rounds: int) -> dict[str, object]:
    runs = [run for measured in found.values() for run in measured.gated]
    gates = [seconds for run in runs for seconds in run.gates]
    bares = sum(statistics.median(measured.bare) for measured in found.values())
    gateds = sum(statistics.median(run.steps for run in measured.gated) for measured in found.values())
    return {
        "rounds": rounds,
        **{
            name: f"bare {statistics.median(measured.bare):.2f} s, "
            f"gated {statistics.median(run.steps for run in measured.gated):.2f} s, ratio {measured.ratio:.2f}"
            for name, measured in found.items()
        },
        "all_bare_seconds": round(bares, 3),
        "all_gated_seconds": round(gateds, 3),
        "ratio": round(gateds / bares, 3),
        "gate_median_ms": round(statistics.median(gates) * 1000, 1),
        "gate_p90_ms": round(statistics.quantiles(gates, n=10)[-1] * 1000, 1),
        "gates": len(gates),
        "start_seconds": round(statistics.median(run.start for run in runs), 3),
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
    print("\n".join(f"{name:>28}  {value}" for name, value in found.items()))


if __name__ == "__main__":
    main()

"""The shipped workflows of the demonstration shop while the shop changes: what came of it, and what the shop has kept.

    python -m bench.mutations [KIND ...] [--json]

Each row is one mutation of one workflow: two runs of ``skillnb run`` without a model on a shop that is fresh but for
it, in a copy of the workspace in which the workflow has passed once on the untouched shop. What a run says of itself is
held against the shop's database and its log. Status 1 if a run was green without the wanted change, changed anything
else, asked twice what is to be asked once, repaired again what was repaired, or if a mutation never happened.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bench.shoptasks import SECRETS, TASKS, Effect, Task, changes, effect, kept
from skillnb.store.traces import read_trace
from skillnb.terms.trace import RepairTried
from skillnb.testing.demo.command import ask
from skillnb.testing.site import Site, serving

__all__ = ["Case", "CASES", "main", "Pair", "Run", "run", "untouched"]

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "from skillnb.cli.main import main; main()"


class Case(NamedTuple):
    task: str
    kind: str
    page: str
    given: Mapping[str, Any] = {}

    def __str__(self) -> str:
        told = ", ".join(f"{name} {value}" for name, value in self.given.items())
        return f"{self.kind} ({told})" if told else self.kind


_SAVE: Mapping[str, Any] = {"target": "Save tracking"}
_FORM = ("track-an-order", "orders.tracking")
_ORDERING = {"method": "POST", "path": "/checkout", "times": 1}
_SAVING = {"method": "POST", "path": "/orders/*/tracking", "times": 1}


def _form(kind: str, **given: Any) -> Case:
    return Case(_FORM[0], kind, _FORM[1], given)


CASES = (
    _form("rename", target="Save tracking", to="Store tracking"),
    _form("rename", target="Carrier", to="Shipped with"),
    Case("post-a-review", "rename", "reviews", {"target": "Post review", "to": "Publish"}),
    Case("place-an-order", "rename", "checkout", {"target": "Place order", "to": "Buy now"}),
    Case("open-an-issue", "rename", "issues.new", {"target": "Title", "to": "Summary"}),
    _form("move", **_SAVE),
    _form("wrap", **_SAVE, to="ad"),
    _form("duplicate", **_SAVE),
    _form("duplicate", **_SAVE, hidden=True),
    _form("hide", **_SAVE),
    _form("delay", **_SAVE, seconds=2.0),
    Case("post-a-review", "swap", "reviews", {"target": "Post review", "to": "Delete all"}),
    Case("open-an-issue", "swap", "issues.new", {"target": "Title", "to": "Description"}),
    _form("remove", **_SAVE),
    Case("track-an-order", "rename", "orders.order", {"target": "Add tracking", "to": "Add a tracking number"}),
    _form("iframe-wrap", **_SAVE),
    _form("shadow-wrap", **_SAVE),
    Case("track-an-order", "popup", "orders.order", {"target": "Add tracking"}),
    Case("track-an-order", "popup", "orders.order", {"target": "Add tracking", "to": "script"}),
    _form("dialog", **_SAVE, to="Save it?"),
    _form("retype", target="Tracking number"),
    _form("retype", **_SAVE),
    _form("disable", **_SAVE),
    _form("alert", to="We move on Monday"),
    _form("banner"),
    _form("error-500", **_SAVING),
    _form("error-500", **_SAVING, effect=True),
    Case("place-an-order", "error-500", "checkout", {**_ORDERING, "effect": True}),
    _form("expired"),
    _form("expired", **_SAVING),
    _form("extra-page"),
    _form("slow", **_SAVING, seconds=4.0),
    Case("place-an-order", "slow", "checkout", {**_ORDERING, "seconds": 40.0}),
)


class Run(NamedTuple):
    outcome: str
    ways: str
    """The path of each step that was not done by code; what did not pass with why."""
    repairs: int
    tried: int
    patched: int
    """Steps in which a repair of an earlier run was used."""
    tokens: int
    seconds: float
    effect: Effect
    happened: int
    """Answers of the shop that the mutation has changed."""
    reason: str

    @property
    def false_green(self) -> bool:
        return self.outcome == "passed" and self.effect.change != "wanted"


class Pair(NamedTuple):
    case: Case
    first: Run
    second: Run

    @property
    def wrong(self) -> tuple[str, ...]:
        """What must not have been; empty is good."""
        both = (self.first, self.second)
        found = {
            "false green": any(run.false_green for run in both),
            "wrong act": any(run.effect.change == "wrong" or run.effect.strange for run in both),
            "twice": any(run.effect.twice for run in both),
            "never happened": not all(run.happened for run in both),
            "repaired again": bool(self.first.outcome == "passed" and self.first.repairs and self.second.repairs),
        }
        return tuple(name for name, so in found.items() if so)


def run(task: Task, site: Site, project: Path, case: Case | None = None) -> Run:
    """One run by the public command on the shop as it was seeded, but for the mutation."""
    site.reset()
    before = kept(site)
    mutated = site.mutate(case.kind, case.page, **case.given) if case else None
    command = [sys.executable, "-c", PROGRAM, "run", task.workflow, "--project", str(project), "--base-url", site.url]
    command += [part for name, value in task.given.items() for part in ("-p", f"{name}={value}")]
    told = ask([*command, "--no-model", "--json"], SECRETS).told
    found = effect(task, changes(before, kept(site)), site.log())
    steps = told.get("steps", [])
    lines = read_trace(Path(told["trace"])).lines if told.get("trace") else ()
    return Run(
        outcome=str(told.get("outcome", "no result")),
        ways=", ".join(_way(step) for step in steps if step["path"] != "code" or step["outcome"] != "passed") or "code",
        repairs=sum(step["path"] == "repaired" for step in steps),
        tried=sum(isinstance(line.event, RepairTried) for line in lines),
        patched=sum(bool(step["patched"]) for step in steps),
        tokens=sum(step["tokens"] for step in steps),
        seconds=float(told.get("seconds", 0.0)),
        effect=found,
        happened=mutated.happened if mutated else 0,
        reason=str(told.get("reason", "")),
    )


def _way(step: Mapping[str, Any]) -> str:
    if step["outcome"] == "passed":
        return f"{step['step']}: {step['path']}"
    return f"{step['step']}: {step['outcome']} ({step['failure']})"


def untouched(tasks: list[str], site: Site, project: Path) -> dict[str, Run]:
    """Each workflow once on the untouched shop, so that it is remembered how its elements were."""
    shutil.copytree(ROOT / "workflows" / "demo-shop", project / "workflows" / "demo-shop")
    for memory in project.glob("workflows/*/*/versions/*.json"):
        memory.unlink()
    return {name: run(TASKS[name], site, project) for name in tasks}


def pair(case: Case, site: Site, remembered: Path, project: Path) -> Pair:
    shutil.copytree(remembered / "workflows", project / "workflows")
    task = TASKS[case.task]
    return Pair(case, run(task, site, project, case), run(task, site, project, case))


def _line(found: Pair) -> str:
    cells = [f"{found.case.task}: {found.case}"]
    for each in (found.first, found.second):
        again = f"; {each.patched} patched" if each.patched else ""
        repairs = f"{each.repairs} of {each.tried}"
        cells += [each.outcome, each.ways + again, repairs, f"{each.seconds:.0f}", each.effect.change]
    tokens = str(found.first.tokens + found.second.tokens)
    return "| " + " | ".join([*cells, tokens, ", ".join(found.wrong) or "-"]) + " |"


_HEAD = (
    "| workflow: mutation | first run | steps not done by their own code alone | repairs | s | shop "
    "| second run | steps not done by their own code alone | repairs | s | shop | tokens | wrong |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.mutations", description=__doc__)
    parser.add_argument("kinds", nargs="*", help="only these kinds of mutation")
    parser.add_argument("--json", action="store_true", help="one object for each pair of runs")
    chosen = parser.parse_args(arguments)
    cases = [case for case in CASES if not chosen.kinds or case.kind in chosen.kinds]
    if not cases:
        parser.error(f"no such kind; there are {', '.join(sorted({case.kind for case in CASES}))}")
    done: list[Pair] = []
    with tempfile.TemporaryDirectory(prefix="skillnb-mutations-") as folder, serving() as site:
        project = Path(folder) / "untouched"
        before = untouched(list(dict.fromkeys(case.task for case in cases)), site, project)
        plain = all(
            run.outcome == "passed" and run.effect.change == "wanted" and not run.tried for run in before.values()
        )
        if not chosen.json:
            print(f"{os.cpu_count()} processors, Python {platform.python_version()}\n\n{_HEAD}")
        for number, case in enumerate(cases):
            done.append(pair(case, site, project, Path(folder) / str(number)))
            print(json.dumps(_object(done[-1])) if chosen.json else _line(done[-1]), flush=True)
    if not chosen.json:
        print(_summary(before, done))
    return 0 if plain and not any(pair.wrong for pair in done) else 1


def _object(found: Pair) -> dict[str, Any]:
    runs = {
        name: {**each._asdict(), "effect": each.effect._asdict()}
        for name, each in found._asdict().items()
        if isinstance(each, Run)
    }
    return {"task": found.case.task, "mutation": str(found.case), **runs, "wrong": found.wrong}


def _summary(before: Mapping[str, Run], done: list[Pair]) -> str:
    runs = [each for pair in done for each in (pair.first, pair.second)]
    mended = [pair for pair in done if pair.first.outcome == "passed" and pair.first.repairs]
    again = sum(pair.second.outcome == "passed" and not pair.second.tried for pair in mended)
    untouched = ", ".join(f"{name} {each.outcome} ({each.ways}, {each.seconds:.0f} s)" for name, each in before.items())
    return "\n".join(
        (
            f"\nuntouched: {untouched}",
            f"{sum(each.outcome == 'passed' for each in runs)} of {len(runs)} runs passed; "
            f"false green {sum(each.false_green for each in runs)}, "
            f"wrong acts {sum(each.effect.change == 'wrong' or each.effect.strange > 0 for each in runs)}, "
            f"double effects {sum(each.effect.twice > 0 for each in runs)}, tokens {sum(each.tokens for each in runs)}",
            f"{len(mended)} first runs passed by a repair; {again} of their second runs passed without trying one",
        )
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

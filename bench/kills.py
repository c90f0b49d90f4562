"""kill -9 of the runner, the kernel and the browser after each step of a journey, then --resume: what the site saw.

python -m bench.kills [STEP ...] [--victims runner,kernel,browser]
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import signal
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bench.journey import STEPS, Run, effects, save
from bench.processes import browser_of, end_all, kernel_of, wait_for_none
from skillnb.testing.site import Site, serving

__all__ = ["Kill", "killed", "VICTIMS"]

VICTIMS = ("runner", "kernel", "browser")
_ONCE = {"add-to-cart": 0, "place-the-order": 1, "add-tracking": 2, "report-an-issue": 3}


class Kill(NamedTuple):
    victim: str
    after: str
    first: str
    """How the killed run ended."""
    resumed: str
    """How the resumed ones ended, in order: more than one where a person had to be asked; empty: it had passed."""
    effects: tuple[int, ...]
    left: int
    """Processes left when the last resumed run had ended."""
    seconds: float

    @property
    def good(self) -> bool:
        return (self.resumed or self.first).split()[-1] == "passed" and set(self.effects) == {1} and self.left == 0


def killed(site: Site, project: Path, victim: str, after: str) -> Kill:
    """One run killed once ``after`` has been recorded, and resumed until it passes or needs more than a look."""
    site.reset()
    begun = time.monotonic()
    run = Run(project, "-p", "customer=Zoë Li")
    markers = [run.marker]
    try:
        if not run.wait_for_step(after):
            return Kill(victim, after, f"ended before: {run.end()}", "-", tuple(effects(site).values()), 0, 0.0)
        find = {"runner": lambda _marker: run.process.pid, "kernel": kernel_of, "browser": browser_of}[victim]
        os.kill(find(run.marker), signal.SIGKILL)
        first = run.end()
        resumed = []
        told, number = first, run.run_id
        for _ in range(0 if first.get("outcome") == "passed" else 3):
            again = Run(project, "--resume", number, *_looked(site, told), name="")
            markers.append(again.marker)
            told = again.end()
            resumed.append(str(told.get("outcome", f"exit {told['exit']}: {told['stderr'].strip()}")))
            if resumed[-1] != "unverified":
                break
            number = again.run_id
        left = sum(len(wait_for_none(marker, 3)) for marker in markers)
        ended = str(first.get("outcome", f"exit {first['exit']}"))
        seconds = time.monotonic() - begun
        return Kill(victim, after, ended, ", then ".join(resumed), tuple(effects(site).values()), left, seconds)
    finally:
        for marker in markers:
            end_all(marker)
            shutil.rmtree(marker, ignore_errors=True)


def _looked(site: Site, told: dict[str, object]) -> list[str]:
    """What a person says who has looked at the site: of the step that could not be proven, whether it took effect."""
    if told.get("outcome") != "unverified":
        return []
    steps = told["steps"]
    assert isinstance(steps, list)
    step = str(steps[-1]["step"])
    happened = list(effects(site).values())[_ONCE[step]] > 0
    return ["--done" if happened else "--undone", step]


def _row(kill: Kill) -> str:
    counts = " ".join(map(str, kill.effects))
    mark = "" if kill.good else " **not as it should be**"
    ends = f"{kill.first} | {kill.resumed or 'not needed'} | {counts}{mark} | {kill.left} | {kill.seconds:.0f}"
    return f"| {kill.after} | {kill.victim} | {ends} |"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.kills", description=__doc__)
    parser.add_argument("steps", nargs="*", default=list(STEPS))
    parser.add_argument("--victims", default=",".join(VICTIMS))
    chosen = parser.parse_args(arguments)
    project = Path(tempfile.mkdtemp(prefix="skj-project-"))
    kills = []
    print(f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} processors, Python {platform.python_version()}\n")
    print("| killed after | victim | the run ended | resumed | cart, order, tracking, issue | left | s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    try:
        with serving() as site:
            save(project, site.url)
            for step in chosen.steps:
                for victim in chosen.victims.split(","):
                    kills.append(killed(site, project, victim, step))
                    print(_row(kills[-1]), flush=True)
    finally:
        shutil.rmtree(project, ignore_errors=True)
    print(f"\n{sum(kill.good for kill in kills)} of {len(kills)} as one clean run.")
    return 0 if all(kill.good for kill in kills) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

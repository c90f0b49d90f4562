"""kill -9 at random moments of saves, releases, roll-backs, undos and gc: does verify pass, and is anything lost?

python -m bench.crashes [--points N] [--seed N] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from skillnb.errors import NotAllowed
from skillnb.loading import imported
from skillnb.notebook.example import example
from skillnb.terms.history import What
from skillnb.terms.workflow import Role
from skillnb.upkeep import collect, verify
from skillnb.versioning import changed, save
from skillnb.workspace import Workspace

__all__ = ["Crashes", "run"]

NAME = "kit/it"
_SERIES = 40
"""Points of one workflow; each is verified as a whole, so that long ones take long."""
_LONGEST = 0.4
"""Seconds after which a writer is killed at the latest: some ten of its changes."""


class Crashes(NamedTuple):
    points: int
    failed: int
    """Points after which verify found something."""
    lost: int
    """Changes that a writer was told are saved and that are not there."""
    during: dict[str, int]
    """What was going on when the kill came."""
    versions: int
    lines: int
    seconds: float


def run(points: int, seed: int) -> Crashes:
    dice, begun = random.Random(seed), time.monotonic()
    parts = [_series(range(at, min(at + _SERIES, points)), dice) for at in range(0, points, _SERIES)]
    during = sum((Counter(part.during) for part in parts), Counter[str]())
    failed, lost, versions, lines = (
        sum(counts) for counts in zip(*((p[1], p[2], p[4], p[5]) for p in parts), strict=True)
    )
    seconds = round(time.monotonic() - begun, 1)
    return Crashes(points, failed, lost, dict(sorted(during.items())), versions, lines, seconds)


def _series(points: range, dice: random.Random) -> Crashes:
    """Of one workflow."""
    failed, lost, during, saved = 0, 0, Counter[str](), set[str]()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder))
        (workspace.root / "workflows").mkdir()
        workspace.new(NAME, None, "ada", "2026-03-01T00:00:00Z")
        for point in points:
            told = workspace.root / "told"
            told.write_bytes(b"")
            _kill(workspace, point, told, dice.uniform(0.0, _LONGEST))
            lines = told.read_text("utf-8").splitlines()
            saved |= {line.removeprefix("saved ") for line in lines if line.startswith("saved ")}
            begins = [line.removeprefix("begin ") for line in lines if line.startswith("begin ")]
            ended = sum(not line.startswith("begin ") for line in lines)
            during[begins[-1] if len(begins) > ended else "between"] += 1
            checked = verify(workspace, (NAME,), repair=False)
            failed += any(item.problems for item in checked)
            whys = {entry.why for entry in workspace.shelf.history(NAME)}
            lost += len(saved - whys)
        history, versions = workspace.shelf.history(NAME), workspace.shelf.versions(NAME)
    return Crashes(len(points), failed, lost, dict(during), len(versions), len(history), 0.0)


def _kill(workspace: Workspace, point: int, told: Path, after: float) -> None:
    child = os.fork()
    if not child:
        try:
            _change_for_ever(workspace, point, told)
        finally:
            os._exit(3)  # never back into the parent's code
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise SystemExit(f"the writer of point {point} ended by itself: see its message above")


def _change_for_ever(workspace: Workspace, point: int, told: Path) -> None:
    dice = random.Random(f"{point}")
    ipynb, render = imported("skillnb.notebook.ipynb"), imported("skillnb.notebook.render").render
    workflow, turn = example(NAME, None), 0
    while True:
        turn += 1
        why, kind = f"{point}.{turn}", dice.choice(("save", "save", "release", "roll back", "undo", "gc"))
        with told.open("a", encoding="utf-8") as file:
            file.write(f"begin {kind}\n")
        try:
            if kind == "save":
                cells = tuple(
                    replace(cell, source=f"{cell.source}\n# {why}") if cell.role is Role.CODE else cell
                    for cell in workflow.cells
                )
                draft = workspace.root / f"{os.getpid()}.ipynb"
                ipynb.write(draft, render(replace(workflow, cells=cells)))
                save(workspace, NAME, draft, "ada", why, base=max(workspace.shelf.versions(NAME)))
            elif kind == "gc":
                collect(workspace, remove=True)
            else:
                move = {"release": What.RELEASED, "roll back": What.ROLLED_BACK, "undo": What.UNDONE}[kind]
                changed(workspace, NAME, move, "ada", why)
        except NotAllowed:
            said = "refused"
        else:
            said = f"saved {why}" if kind == "save" else "done"
        with told.open("a", encoding="utf-8") as file:
            file.write(f"{said}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    result = run(chosen.points, chosen.seed)
    print(json.dumps(result._asdict()))
    sys.exit(1 if result.failed or result.lost else 0)

"""Wiring of ``skillnb list``, ``show`` and ``history``: the shelf and the recorded runs, told together."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import NamedTuple

from skillnb.errors import SkillnbError
from skillnb.pastruns import PastRun, index, runs_of
from skillnb.rules.naming import reference
from skillnb.rules.serving import maker, standing
from skillnb.terms.history import Entry
from skillnb.versioning import Shelved, shelved, ungated
from skillnb.workspace import Loaded, Workspace

__all__ = ["Burden", "burden", "History", "history", "Listed", "listed", "Shown", "shown", "VersionShown"]

_LAST = 5
"""So many runs are told of."""


class Burden(NamedTuple):
    """What keeping the workflow alive has cost in the last runs."""

    runs: int
    tokens: int
    repairs: int


class Listed(NamedTuple):
    name: str
    state: str
    version: int | None
    newest: int
    runs: tuple[PastRun, ...]
    """The last ones of any version, newest first."""
    passed: int
    """Of ``runs``, those of the version that runs now that have passed."""
    tried: int
    """Of ``runs``, those of the version that runs now that ended by its own doing: passed, failed or unverified."""
    trouble: str = ""

    @property
    def verdict(self) -> str:
        """No number of runs is enough for a verdict until there is a rule that says which."""
        return f"not enough evidence: {self.passed} of {self.tried} runs passed"


class VersionShown(NamedTuple):
    number: int
    entry: Entry | None
    runs_now: bool


class Shown(NamedTuple):
    loaded: Loaded
    listed: Listed
    versions: tuple[VersionShown, ...]
    ungated: tuple[str, ...]


class History(NamedTuple):
    name: str
    entries: tuple[Entry, ...]
    torn: str
    """Where a line broke off; empty: nowhere."""


def listed(workspace: Workspace) -> tuple[Listed, ...]:
    """All workflows. One that can't be read says so and hides no other."""
    traces = index(workspace)
    return tuple(_listed(workspace, name, traces) for name in workspace.shelf.names())


def burden(runs: tuple[PastRun, ...]) -> Burden:
    return Burden(len(runs), sum(run.tokens for run in runs), sum(run.repairs for run in runs))


def shown(workspace: Workspace, name: str) -> Shown:
    """``site/name`` as it runs now, else its newest version, or ``site/name@3``."""
    at = shelved(workspace, name)
    number = reference(name).version or at.now.version or max(at.versions)
    loaded = workspace.load(f"{at.name}@{number}")
    versions = tuple(
        VersionShown(item, maker(at.history.entries, item), item == at.now.version) for item in at.versions
    )
    told = _listed(workspace, at.name, index(workspace))
    return Shown(loaded, told, versions, ungated(loaded.workflow))


def history(workspace: Workspace, name: str) -> History:
    at = shelved(workspace, name)
    return History(at.name, at.history.entries, _torn(workspace, at))


def _torn(workspace: Workspace, at: Shelved) -> str:
    if not at.history.torn:
        return ""
    where = f"{workspace.shelf.history_path(at.name)}:{len(at.history.entries) + 1}"
    return f"{where}: the line broke off; `skillnb verify {at.name} --repair` sets it aside"


def _listed(workspace: Workspace, name: str, traces: dict[str, list[Path]]) -> Listed:
    try:
        read = workspace.shelf.read(name)
        versions = workspace.shelf.versions(name)
        now = standing(read.entries, versions)
        runs = tuple(islice(runs_of(traces.get(name, [])), _LAST))
    except SkillnbError as error:
        return Listed(name, "unreadable", None, max(workspace.shelf.versions(name), default=0), (), 0, 0, str(error))
    own = [run for run in runs if run.version == now.version and run.outcome in ("passed", "failed", "unverified")]
    passed = sum(run.outcome == "passed" for run in own)
    torn = f"a line of its history broke off: `skillnb verify {name} --repair`" if read.torn else ""
    return Listed(name, str(now.state), now.version, max(versions, default=0), runs, passed, len(own), torn)

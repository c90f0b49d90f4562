"""The demonstration: start each version, run every task on fresh data, read the database afterwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from skillnb.testing.apps import RunningApp, find, running
from skillnb.testing.apps.django_admin.oracle import check
from skillnb.testing.demo.command import ask, shown
from skillnb.testing.demo.table import Ran, ran
from skillnb.testing.demo.tasks import APP, SECRETS, TASKS, Task

__all__ = ["folder_of", "show"]

_Tell = Callable[[str], None]


def folder_of(logs: Path, at: datetime) -> Path:
    """Everything of one demonstration is in one folder."""
    return logs / "demo" / f"{at:%Y%m%dT%H%M%SZ}"


def show(versions: Sequence[str], program: str, out: Path, tell: _Tell) -> Iterator[Ran]:
    """Each run as soon as it is done. The application of a version is stopped when its runs are, or when this ends.

    Raises AppUnknown for a version that is not in the catalogue, before anything starts.
    """
    for version in versions:
        find(APP, version)
    for version in versions:
        tell(f"\n{APP} {version}: installing, seeding and starting what is not there yet")
        with running(APP, version) as app:
            tell(f"{APP} {version} answers on {app.url}")
            for task in TASKS:
                app.reset()
                yield _one(task, version, app, program, out / version, tell)


def _one(task: Task, version: str, app: RunningApp, program: str, out: Path, tell: _Tell) -> Ran:
    command = [program, "run", task.workflow, "--base-url", app.url, "--out", str(out), "--frozen"]
    command += [part for name, value in task.given for part in ("-p", f"{name}={value}")]
    tell(f"\n{shown(command)}")
    answer = ask([*command, "--json"], {**app.credentials, **dict(SECRETS)})
    problems = _problems(task, app.site)
    for problem in problems:
        tell(f"database: {problem}")
    return ran(version, task.workflow, answer.exit_status, answer.told, problems)


def _problems(task: Task, site: Path) -> tuple[str, ...]:
    try:
        return check(task.name, site, dict(task.assumed + task.given))
    except sqlite3.Error as error:
        return (f"it can't be read: {error}",)

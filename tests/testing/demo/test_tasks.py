"""The demonstration's tasks fit the workflows that are shipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillnb.rules.parameters import resolve
from skillnb.testing.apps.django_admin.oracle import CHECKS
from skillnb.testing.demo.tasks import APP, SECRETS, TASKS, Task
from skillnb.workspace import Workspace

WORKSPACE = Workspace(Path(__file__).parents[3])
ENVIRONMENT = {"DJANGO_ADMIN_PASSWORD": "x", **dict(SECRETS)}


def test_every_shipped_workflow_is_shown_and_checked() -> None:
    names = [task.workflow for task in TASKS]
    assert sorted(names) == [name for name in WORKSPACE.shelf.names() if name.startswith(f"{APP}/")]
    assert sorted(task.name for task in TASKS) == sorted(CHECKS)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_parameters_are_accepted_and_what_is_assumed_is_the_default(task: Task) -> None:
    declared = WORKSPACE.load(task.workflow).workflow.parameters
    values = resolve(declared, dict(task.given), ENVIRONMENT, task.workflow)
    assert {name: values[name] for name, _ in task.assumed} == dict(task.assumed)

"""The shipped workflows of Django's own admin, as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillnb.notebook.identity import version_id
from skillnb.notebook.ipynb import read
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.render import render
from skillnb.rules.lint import lint
from skillnb.store.shelf import Shelf
from skillnb.terms.history import What
from skillnb.terms.workflow import Effect, Workflow
from skillnb.testing.apps.django_admin.oracle import CHECKS

WORKFLOWS = Path(__file__).parents[2] / "workflows"
NAMES = [f"django-admin/{name}" for name in CHECKS]


def file_of(name: str) -> Path:
    return Shelf(WORKFLOWS).path(name, 1)


def parsed(name: str) -> Workflow:
    return parse_workflow(read(file_of(name)), name)


def test_there_is_a_workflow_for_every_check_of_the_database() -> None:
    assert sorted(NAMES) == [name for name in Shelf(WORKFLOWS).names() if name.startswith("django-admin/")]


@pytest.mark.parametrize("name", NAMES)
def test_the_file_has_no_findings_and_is_as_rendering_writes_it(name: str) -> None:
    notebook = read(file_of(name))
    assert lint(notebook, name) == ()
    assert render(parse_workflow(notebook, name)) == notebook


@pytest.mark.parametrize("name", NAMES)
def test_the_history_names_the_version_by_its_identity(name: str) -> None:
    identity = version_id(parsed(name))
    found = [(entry.event, entry.version, entry.id) for entry in Shelf(WORKFLOWS).history(name)]
    assert found == [(What.CREATED, 1, identity), (What.RELEASED, 1, identity)]


@pytest.mark.parametrize("name", NAMES)
def test_every_step_stands_between_gates_that_can_be_checked_again(name: str) -> None:
    for step in parsed(name).steps:
        assert step.pre_gates, step.name
        assert step.post_gates, step.name
        assert step.procedure, step.name
        assert all(gate.recheckable for gate in step.pre_gates + step.post_gates), step.name


@pytest.mark.parametrize("name", NAMES)
def test_secrets_are_named_and_never_written(name: str) -> None:
    workflow = parsed(name)
    assert "password" in [each.name for each in workflow.parameters if each.secret]
    assert "pw12345!" not in file_of(name).read_text(encoding="utf-8")


def test_steps_that_create_change_or_delete_are_done_once() -> None:
    once = {
        (name.partition("/")[2], step.name)
        for name in NAMES
        for step in parsed(name).steps
        if step.settings.effect is Effect.ONCE
    }
    assert once == {
        ("add-user", "create-the-user"),
        ("add-user", "save-the-user"),
        ("edit-flat-page", "save-the-page"),
        ("delete-group", "confirm"),
    }


@pytest.mark.parametrize("name", [name for name in NAMES if name != "django-admin/log-in"])
def test_the_others_begin_by_calling_log_in(name: str) -> None:
    workflow = parsed(name)
    first = workflow.steps[0]
    called = 'await call("django-admin/log-in", user=params.user, password=params.password)'
    assert [called] == [workflow.cell(cell).source for cell in first.code]

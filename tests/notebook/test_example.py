from __future__ import annotations

import pytest

from skillnb.notebook.example import DEFAULT_START_URL, example
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.render import render
from skillnb.rules.lint import lint
from skillnb.rules.parameters import is_secret_names, resolve


@pytest.mark.parametrize(("name", "url"), [("django/log-in", None), ("a1/b-2", "/login"), ("x/y", "https://x.example")])
def test_lint_finds_nothing(name: str, url: str | None) -> None:
    workflow = example(name, url)
    nb = render(workflow)
    assert lint(nb, "x.ipynb") == ()
    assert workflow == parse_workflow(nb, "x.ipynb")
    assert (name, url or DEFAULT_START_URL) == (workflow.name, workflow.start_url)


def test_the_password_is_never_in_the_notebook() -> None:
    workflow = example("django/log-in", None)
    assert frozenset({"password"}) == is_secret_names(workflow.parameters)
    environment = {"DJANGO_ADMIN_PASSWORD": "s3cret"}
    assert resolve(workflow.parameters, {"username": "admin"}, environment, workflow.name) == {
        "username": "admin",
        "password": "s3cret",
    }


def test_every_gate_can_be_checked_again_from_a_snapshot() -> None:
    for step in example("django/log-in", None).steps:
        assert step.pre_gates
        assert step.post_gates
        assert all(gate.recheckable for gate in (*step.pre_gates, *step.post_gates))

"""The shipped workflows of the demonstration shop: as files, and through the public command on the shop itself."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.shoptasks import SECRETS, TASKS, Effect, changes, effect, kept
from skillnb.notebook import ipynb
from skillnb.notebook.identity import version_id
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.render import render
from skillnb.rules.lint import lint
from skillnb.store.shelf import Shelf
from skillnb.terms.history import What
from skillnb.terms.workflow import Effect as Class
from skillnb.terms.workflow import Workflow
from skillnb.testing.demo.command import Answer, ask
from skillnb.testing.site import Site, serving

WORKFLOWS = Path(__file__).parents[2] / "workflows"
NAMES = [name for name in Shelf(WORKFLOWS).names() if name.startswith("demo-shop/")]
PROGRAM = "from skillnb.cli.main import main; main()"
DONE = Effect("wanted", twice=0, strange=0)


@pytest.fixture(scope="module")
def shop() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy, since a passing run remembers how its elements were."""
    shutil.copytree(WORKFLOWS / "demo-shop", tmp_path / "workflows" / "demo-shop")
    return tmp_path


def parsed(name: str) -> Workflow:
    return parse_workflow(ipynb.read(Shelf(WORKFLOWS).path(name, 1)), name)


def run(name: str, shop: Site, project: Path, *more: str) -> tuple[Answer, Effect]:
    """What the command said, and what the shop's own database and log say."""
    shop.reset()
    before = kept(shop)
    task = TASKS[name]
    given = [part for key, value in task.given.items() for part in ("-p", f"{key}={value}")]
    places = ["--project", str(project), "--base-url", shop.url, "--json"]
    answer = ask([sys.executable, "-c", PROGRAM, "run", task.workflow, *given, *places, *more], SECRETS)
    return answer, effect(task, changes(before, kept(shop)), shop.log())


def ways(told: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {(step["outcome"], step["path"]) for step in told["steps"]}


@pytest.mark.parametrize("name", NAMES)
def test_the_file_has_no_findings_is_as_rendering_writes_it_and_is_what_its_history_says(name: str) -> None:
    notebook = ipynb.read(Shelf(WORKFLOWS).path(name, 1))
    workflow = parse_workflow(notebook, name)
    assert lint(notebook, name) == ()
    assert render(workflow) == notebook
    found = [(entry.event, entry.id) for entry in Shelf(WORKFLOWS).history(name)]
    assert found == [(What.CREATED, version_id(workflow)), (What.RELEASED, version_id(workflow))]


@pytest.mark.parametrize("name", NAMES)
def test_every_step_stands_between_gates_that_can_be_checked_again(name: str) -> None:
    for step in parsed(name).steps:
        assert step.pre_gates, step.name
        assert step.post_gates, step.name
        assert step.procedure, step.name
        assert all(gate.recheckable for gate in step.pre_gates + step.post_gates), step.name


def test_steps_that_send_what_is_not_to_be_sent_twice_are_done_once() -> None:
    once = {(name, step.name) for name in NAMES for step in parsed(name).steps if step.settings.effect is Class.ONCE}
    assert once == {
        ("demo-shop/open-an-issue", "create-it"),
        ("demo-shop/place-an-order", "place-the-order"),
        ("demo-shop/place-an-order", "put-it-into-the-cart"),
        ("demo-shop/post-a-review", "post-it"),
        ("demo-shop/track-an-order", "save-it"),
    }


def test_on_the_untouched_shop_code_alone_places_the_order_and_no_secret_is_left(shop: Site, project: Path) -> None:
    answer, found = run("place-an-order", shop, project)
    assert (answer.exit_status, ways(answer.told)) == (0, {("passed", "code")}), answer.told.get("reason")
    assert found == DONE
    written = [path for path in project.rglob("*") if path.is_file()]
    assert [path.name for path in written for secret in SECRETS.values() if secret.encode() in path.read_bytes()] == []


def test_by_its_sentences_alone_the_issue_is_opened_as_well(shop: Site, project: Path) -> None:
    """A combobox with suggestions and a list of plain boxes among its steps."""
    path = Shelf(project / "workflows").path("demo-shop/open-an-issue", 1)
    workflow = parsed("demo-shop/open-an-issue")
    steps = tuple(replace(step, settings=replace(step.settings, formalized=False)) for step in workflow.steps)
    path.write_text(json.dumps(render(replace(workflow, steps=steps))), encoding="utf-8")
    (path.parents[1] / "history.jsonl").unlink()
    answer, found = run("open-an-issue", shop, project, "--no-model")
    assert (answer.exit_status, ways(answer.told)) == (0, {("passed", "procedure")}), answer.told.get("reason")
    assert found == DONE

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.errors import InvalidWorkflow
from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.notebook.example import example
from skillnb.notebook.identity import version_id
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.render import render
from skillnb.terms.workflow import Effect, Role, Workflow
from tests.notebook.test_render import used
from tests.strategies import workflows

EXAMPLE = example("django/log-in", None)


@given(workflows(), st.data())
@settings(max_examples=60, deadline=None)
def test_running_never_makes_another_version(workflow: Workflow, data: st.DataObject) -> None:
    assert version_id(workflow) == version_id(parse_workflow(used(render(workflow), data), "x.ipynb"))


@given(workflows(), st.data())
@settings(max_examples=60, deadline=None)
def test_any_change_of_a_source_makes_another_version(workflow: Workflow, data: st.DataObject) -> None:
    nb = render(workflow)
    cell = data.draw(st.sampled_from([cell for cell in nb["cells"] if cell["id"] not in ("open", "parameters")]))
    if cell["id"].endswith("-fallback"):
        cell["source"] += "\n"
    else:
        cell["source"] += data.draw(st.sampled_from(["\n", "\n# more", " "]))
    try:
        changed = parse_workflow(nb, "x.ipynb")
    except InvalidWorkflow:
        return
    assert version_id(workflow) != version_id(changed)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "django/log-on"},
        {"site": "other"},
        {"task_type": "other"},
        {"start_url": "/"},
        {"locale": "de-DE"},
        {"timezone": "Europe/Berlin"},
        {"parameters": EXAMPLE.parameters[:1]},
        {"parameters": (replace(EXAMPLE.parameters[0], required=False, default='""'), EXAMPLE.parameters[1])},
        {"cells": EXAMPLE.cells[:-1]},
        {"cells": (*EXAMPLE.cells[:-1], replace(EXAMPLE.cells[-1], role=Role.CODE))},
        {"cells": (*EXAMPLE.cells[:-1], replace(EXAMPLE.cells[-1], step="other"))},
        {"cells": (*EXAMPLE.cells[:-2], EXAMPLE.cells[-1], EXAMPLE.cells[-2])},
    ],
    ids=str,
)
def test_any_change_of_meaning_makes_another_version(change: dict[str, Any]) -> None:
    assert version_id(EXAMPLE) != version_id(replace(EXAMPLE, **change))


@pytest.mark.parametrize(
    "change", [{"effect": Effect.ONCE}, {"formalized": False}, {"optional": True}, {"timeout": 5.0}]
)
def test_any_change_of_a_setting_makes_another_version(change: dict[str, Any]) -> None:
    first = EXAMPLE.steps[0]
    changed = replace(EXAMPLE, steps=(replace(first, settings=replace(first.settings, **change)), *EXAMPLE.steps[1:]))
    assert version_id(EXAMPLE) != version_id(changed)


def test_ids_own_tags_and_provenance_are_not_meaning() -> None:
    nb = copy.deepcopy(render(EXAMPLE))
    nb["metadata"]["authors"] = [{"name": "A"}]
    nb["metadata"]["skillnb"]["provenance"] = {"method": "induced", "episodes": ["e1"]}
    nb["cells"][-1]["metadata"]["tags"].append("hide-input")
    nb["cells"][-1]["id"] = "another"
    assert version_id(EXAMPLE) == version_id(parse_workflow(nb, "x.ipynb"))


def test_the_digest_stands_still() -> None:
    """Stored histories name digests: a change here orphans every stored version."""
    step = StepDraft(name="go", intent="Go", procedure=('Press "Go".',), post="await gate.url('**/gone')")
    one = compose(Header(name="a/b", site="a"), "# Go", (), (step,))
    assert version_id(one) == "sha256:3a8e1e152b2463902c594511cf3a4c801d337b55d3f04290451ab7b6080d9451"

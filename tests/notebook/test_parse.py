from __future__ import annotations

import copy

import pytest

from skillnb.errors import InvalidWorkflow
from skillnb.notebook.example import example
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.render import render
from skillnb.terms.workflow import Effect, Provenance, Role, StepSettings

GOOD = render(example("django/log-in", None))


def test_reads_the_steps_of_a_notebook() -> None:
    workflow = parse_workflow(GOOD, "x.ipynb")
    assert (workflow.name, workflow.title, workflow.site) == ("django/log-in", "Log in to the administration", "django")
    assert [step.name for step in workflow.steps] == ["fill-in-the-form", "log-in"]
    step = workflow.step("log-in")
    assert step.intent == "Log in"
    assert step.procedure == ('Press "Log in" and wait for the administration page.',)
    assert (
        step.pre,
        step.code,
        step.post,
        step.fallback,
    ) == (("log-in-pre",), ("log-in-code",), ("log-in-post",), "log-in-fallback")
    assert [gate.kind for gate in step.pre_gates] == ["value"]
    assert [gate.kind for gate in step.post_gates] == ["visible", "absent"]


def test_what_is_left_out_has_a_usual_value() -> None:
    nb = copy.deepcopy(GOOD)
    nb["metadata"]["skillnb"] = {"schema": 1, "name": "django/log-in"}
    for cell in nb["cells"]:
        own = cell["metadata"]["skillnb"]
        cell["metadata"]["skillnb"] = {key: own[key] for key in ("role", "step") if key in own}
        cell["metadata"]["tags"] = ["parameters"] if own["role"] == "parameters" else []
    nb["cells"] = [cell for cell in nb["cells"] if cell["id"] != "log-in-code"]
    workflow = parse_workflow(nb, "x.ipynb")
    assert (
        workflow.site,
        workflow.task_type,
        workflow.start_url,
        workflow.locale,
        workflow.timezone,
    ) == ("django", "", "", "en-US", "UTC")
    assert Provenance(method="written", episodes=()) == workflow.provenance
    first, second = workflow.steps
    assert StepSettings(effect=Effect.IDEMPOTENT, formalized=True, optional=False, timeout=30.0) == first.settings
    assert StepSettings(formalized=False) == second.settings


def test_a_notebook_without_a_card_is_titled_by_its_name() -> None:
    nb = copy.deepcopy(GOOD)
    del nb["cells"][0]
    assert parse_workflow(nb, "x.ipynb").title == "django/log-in"


def test_every_error_is_listed_and_no_warning() -> None:
    nb = copy.deepcopy(GOOD)
    nb["cells"][5]["source"] = "import time\ntime.sleep(1)\npage.reload()"
    nb["cells"][6]["source"] = "await gate.nothing()"
    with pytest.raises(InvalidWorkflow) as caught:
        parse_workflow(nb, "folder/x.ipynb")
    assert caught.value.exit_status == 2
    assert sorted(finding[finding.index("[") + 1 : -1] for finding in caught.value.findings) == [
        "not-awaited",
        "unknown-gate",
    ]
    assert "folder/x.ipynb: cell fill-in-the-form-code, line 3" in str(caught.value)


def test_an_executed_copy_reads_as_its_source() -> None:
    nb = copy.deepcopy(GOOD)
    repair = copy.deepcopy(nb["cells"][5])
    repair |= {"id": "r"}
    repair["metadata"]["skillnb"] = {"role": "repair", "step": "fill-in-the-form"}
    nb["cells"].insert(6, repair)
    nb["cells"].insert(
        2, {"cell_type": "code", "id": "i", "metadata": {"tags": ["injected-parameters"]}, "source": "x=("}
    )
    assert parse_workflow(GOOD, "x.ipynb") == parse_workflow(nb, "x.ipynb")


def test_notes_stay_where_they_stand() -> None:
    nb = copy.deepcopy(GOOD)
    note = {"cell_type": "raw", "id": "n", "metadata": {"format": "text/html", "tags": ["mine"]}, "source": "<b>"}
    nb["cells"].insert(5, note)
    workflow = parse_workflow(nb, "x.ipynb")
    assert Role.NOTE is workflow.cell("n").role
    assert note == render(workflow)["cells"][5]

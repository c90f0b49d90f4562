from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.notebook.example import example
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.render import render
from skillnb.terms.workflow import Workflow
from tests.strategies import workflows


@given(workflows())
@settings(max_examples=150, deadline=None)
def test_parse_gives_back_what_render_wrote(workflow: Workflow) -> None:
    assert workflow == parse_workflow(render(workflow), "x.ipynb")


@given(workflows())
@settings(max_examples=50, deadline=None)
def test_render_gives_back_the_notebook_that_parse_read(workflow: Workflow) -> None:
    nb = json.loads(json.dumps(render(workflow)))
    assert nb == render(parse_workflow(nb, "x.ipynb"))


@given(workflows(), st.data())
@settings(max_examples=50, deadline=None)
def test_what_runs_and_tools_leave_behind_is_not_given_back(workflow: Workflow, data: st.DataObject) -> None:
    clean = render(workflow)
    assert clean == render(parse_workflow(used(clean, data), "x.ipynb"))


def test_render_shares_nothing_with_earlier_notebooks() -> None:
    first = render(example("a/b", None))
    before = copy.deepcopy(first)
    second = render(example("a/b", None))
    second["metadata"]["language_info"]["codemirror_mode"]["version"] = 9
    second["metadata"]["kernelspec"]["name"] = "other"
    assert before == first == render(example("a/b", None))


def test_parameters_cell_is_found_by_papermill_and_roles_are_tags() -> None:
    cells = {cell["id"]: cell for cell in render(example("a/b", None))["cells"]}
    assert cells["parameters"]["metadata"]["tags"] == ["skillnb-parameters", "parameters"]
    assert cells["log-in-post"]["metadata"]["tags"] == ["skillnb-post"]
    assert cells["log-in-post"]["metadata"]["skillnb"] == {"role": "post", "step": "log-in"}
    assert cells["log-in-procedure"]["metadata"]["skillnb"] == {
        "role": "procedure",
        "step": "log-in",
        "effect": "idempotent",
        "formalized": True,
        "optional": False,
        "timeout": 30.0,
    }


def used(nb: dict[str, Any], data: st.DataObject) -> dict[str, Any]:
    """The notebook after a run, a papermill run and an evening in JupyterLab."""
    dirty = copy.deepcopy(nb)
    number = st.integers(0, 99)
    for cell in dirty["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] = data.draw(number)
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": data.draw(st.text(max_size=3))}]
        volatile = {
            "execution": {"iopub.status.busy": "2026-01-01T00:00:00Z"},
            "papermill": {"status": "completed"},
            "trusted": True,
            "collapsed": False,
            "scrolled": "auto",
        }
        cell["metadata"] |= {key: volatile[key] for key in data.draw(st.sets(st.sampled_from(sorted(volatile))))}
        if data.draw(st.booleans()):
            cell["metadata"].setdefault("skillnb", {})["run"] = {"status": "passed", "seconds": 0.5}
    dirty["metadata"] |= {"papermill": {"parameters": {}}, "widgets": {"a": 1}, "language_info": {"name": "python"}}
    dirty["metadata"]["skillnb"]["run"] = {"outcome": "passed"}
    added = [
        {"id": "r1", "metadata": {"tags": ["injected-parameters"]}, "source": "username = 'x'"},
        {"id": "r2", "metadata": {"tags": ["papermill-error-cell-tag"]}, "source": "!"},
        {"id": "r3", "metadata": {"skillnb": {"role": "repair", "step": "zz"}}, "source": "while"},
        {"id": "r4", "metadata": {"skillnb": {"injected": True, "role": "what"}}, "source": "("},
    ]
    for cell in added:
        spot = data.draw(st.integers(0, len(dirty["cells"])))
        dirty["cells"].insert(spot, {"cell_type": "code", "execution_count": None, "outputs": [], **cell})
    return dirty

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.notebook.render import render
from skillnb.rules.lint import lint
from tests.rules.edits import GOOD, Edit, again, cell, found, header, line, note, own, setting, source
from tests.strategies import json_values, workflows


def test_the_example_is_clean() -> None:
    assert lint(GOOD, "x.ipynb") == ()


@pytest.mark.parametrize(
    "change",
    [
        line("log-in-code", "# page.click() asyncio.run() input()\ns = 'time.sleep(1); input()'"),
        line("log-in-code", "%time x = 1\nfiles = !ls\n!ls"),
        line(
            "log-in-code",
            "async with page.expect_popup() as info:\n    await page.get_by_text('x').click()\n"
            "popup = await info.value\nawait popup.close()",
        ),
        line("log-in-code", "await asyncio.gather(page.reload(), page.wait_for_url('**/x'))"),
        line("log-in-code", "task = asyncio.create_task(page.reload())\nawait task"),
        line("log-in-code", "waiting = page.wait_for_url('**/x')\nawait page.reload()\nawait waiting"),
        line("log-in-code", "for row in await page.get_by_role('row').all():\n    await row.click()"),
        line("log-in-code", "page.on('dialog', lambda dialog: dialog.accept())"),
        line("log-in-code", "names = ['b', 'a']\nnames.clear()\nnames.count('a')"),
        line("log-in-code", "page.set_default_timeout(5000)"),
        line("log-in-code", "await call('oscar/login', user=params.username)"),
        line("log-in-code", "await page.goto('http://127.0.0.1:8000/admin/')"),
        line("log-in-post", "await gate.url('**/admin/?next=*')\nawait gate.url('**/orders/*')"),
        line("log-in-post", "await gate.url('**/orders/**')"),
        line("log-in-post", "await gate.url(re.compile(r'/order/\\d+$'))\nawait gate.url(re.compile(r'/order/\\d'))"),
        line("log-in-post", "assert await page.get_by_role('row').count() == 3"),
        source("log-in-code", "%%page\nreturn document.title"),
        source("log-in-code", "%%bash\nif x"),
        note("x = 1\nx"),
        note("%%ruby\nputs 1"),
        again("log-in-post", "log-in-post-2"),
        header("start_url", "/admin/login/"),
        header("start_url", ""),
        lambda nb: own(nb).pop("parameters"),
        lambda nb: own(nb).pop("provenance"),
        lambda nb: [nb["cells"][0].update(source=["# A\n", "b"])],
        lambda nb: nb["cells"].insert(6, {"cell_type": "markdown", "id": "n", "metadata": {}, "source": "Note {x}."}),
    ],
)  # fmt: skip
def test_is_content_with(change: Edit) -> None:
    assert found(change) == []


def test_errors_come_first_and_read_as_sentences() -> None:
    nb = copy.deepcopy(GOOD)
    line("log-in-code", "time.sleep(1)\npage.reload()")(nb)
    assert [str(finding) for finding in lint(nb, "x.ipynb")] == [
        "x.ipynb: cell log-in-code, line 3: error: page.reload() is not awaited, so it does nothing; "
        "write `await page.reload()` [not-awaited]",
        "x.ipynb: cell log-in-code, line 2: warning: `time.sleep` stops the page's events too; "
        "wait for something: `await gate...` [time-sleep]",
    ]


def test_a_misspelt_word_brings_the_right_one() -> None:
    nb = copy.deepcopy(GOOD)
    line("log-in-pre", "await gate.visibel(role='x')")(nb)
    setting("efect", "once")(nb)
    remedies = {finding.code: finding.remedy for finding in lint(nb, "x.ipynb")}
    assert remedies == {"unknown-gate": "did you mean 'visible'?", "unknown-key": "did you mean 'effect'?"}


@given(workflows())
@settings(max_examples=60, deadline=None)
def test_a_workflow_that_was_rendered_has_no_error(workflow: Any) -> None:
    assert [str(finding) for finding in lint(render(workflow), "x.ipynb") if finding.level == "error"] == []


@given(json_values(), st.data())
@settings(max_examples=150, deadline=None)
def test_never_raises_whatever_stands_in_the_file(value: Any, data: st.DataObject) -> None:
    """Any part of a good notebook may be replaced by any JSON value."""
    nb = copy.deepcopy(GOOD)
    at: Any = nb
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(at[key], dict | list) or not at[key] or data.draw(st.integers(0, 3)) == 0:
            break
        at = at[key]
    at[key] = value
    assert isinstance(lint(nb, "x.ipynb"), tuple)


@given(st.dictionaries(st.sampled_from(["cells", "metadata", "nbformat"]), json_values()))
def test_never_raises_on_any_object(nb: dict[str, Any]) -> None:
    assert lint(nb, "x.ipynb")


@given(st.sampled_from([cell["id"] for cell in GOOD["cells"]]), st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_never_raises_on_any_source(identifier: str, source: str) -> None:
    nb = copy.deepcopy(GOOD)
    cell(nb, identifier)["source"] = source
    assert isinstance(lint(nb, "x.ipynb"), tuple)

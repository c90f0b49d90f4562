"""Runs on disk to findings and counts: which runs are read, what is left out, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillnb.codec import canonical
from skillnb.errors import BadTraceLine, StoreError, UsageError
from skillnb.gatetests import LAST, check, mutate
from skillnb.notebook import ipynb
from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.notebook.render import render
from skillnb.rules.gatescores import counted
from skillnb.rules.mutationkinds import Aim
from skillnb.store.blobs import BlobFolder
from skillnb.store.traces import TraceFile
from skillnb.terms.observation import Recorded, ResponseSeen
from skillnb.terms.outcome import Outcome
from skillnb.terms.outcome import Path as Way
from skillnb.terms.record import Evidence
from skillnb.terms.trace import RunStarted, StepFinished
from skillnb.terms.workflow import Parameter, ParameterType
from skillnb.workspace import Workspace

FORM = '- textbox "Name" [ref=e1]: zoe\n- textbox "Password" [ref=e2]: "[secret:password]"\n- button "Save" [ref=e3]'
SAVED = '- heading "Welcome zoe" [ref=e1]'
POST = ResponseSeen(method="POST", url="http://h/users/", status=302, resource="document")


@pytest.fixture
def notebook(workspace: Workspace) -> Path:
    """A workflow of two steps, the second with a post gate that held before it."""
    parameters = (
        Parameter(name="user", type=ParameterType.STRING, default='"zoe"', required=False, help="who"),
        Parameter(name="password", type=ParameterType.SECRET, default='"env:PW"', required=False, help="of zoe"),
    )
    fill = StepDraft(
        name="fill",
        intent="Fill in",
        procedure=('Type {user} into "Name".', 'Type {password} into "Password".'),
        pre='await gate.url("**/new")',
        code='await page.get_by_label("Name").fill(params.user)',
        post='await gate.value(label="Name", equals=params.user)\n'
        'await gate.value(label="Password", equals=params.password)',
    )
    save = StepDraft(
        name="save",
        intent="Save",
        procedure=('Press "Save".',),
        pre='await gate.visible(role="button", name="Save")',
        code='await page.get_by_role("button", name="Save").click()',
        post='await gate.url("**/users/**")',
    )
    header = Header(name="shop/join", site="shop", task_type="join", start_url="http://h/users/new")
    path = workspace.root / "join.ipynb"
    ipynb.write(path, render(compose(header, "# Join\n\nA new user.", parameters, (fill, save))))
    return path


def record(workspace: Workspace, run: str, *, workflow: str = "shop/join", way: Way = Way.CODE) -> Path:
    folder = workspace.logs / "shop" / "2026-01-01"
    blobs = BlobFolder(workspace.logs / "blobs")

    def kept(url: str, snapshot: str, *responses: ResponseSeen) -> Evidence:
        seen = Recorded(url=url, snapshot=snapshot, values=(), responses=responses, files=(), settled=False)
        return Evidence(url=url, snapshot=blobs.put(canonical(seen).encode(), ".json"))

    trace = TraceFile(folder / f"{run}.jsonl", run, lambda: "2026-01-01T00:00:00.000000Z", lambda value: value)
    trace.write(
        RunStarted(
            workflow=workflow,
            version=0,
            version_id="sha256:0",
            calls=(),
            parameters=canonical({"user": "zoe", "password": "[secret]"}),
            base_url="",
            task_type="join",
            site="shop",
            options=(),
            machine="",
            path="",
            resumes="",
        )
    )
    for step, evidence in (
        ("fill/called", Evidence(url="http://h/users/new")),
        ("fill", kept("http://h/users/new", FORM)),
        ("save", kept("http://h/users/7", SAVED, POST)),
    ):
        trace.write(
            StepFinished(
                step=step,
                workflow=workflow,
                outcome=Outcome.PASSED,
                path=way,
                failure=None,
                reason="",
                seconds=0.1,
                tokens=0,
                evidence=evidence,
            )
        )
    trace.close()
    return folder / f"{run}.jsonl"


def test_a_set_that_held_before_its_step_is_an_error(workspace: Workspace, notebook: Path) -> None:
    record(workspace, "20260101T000000000Z-000001")
    found = check(workspace, str(notebook)).findings
    assert [(each.level, each.code, each.where) for each in found] == [
        ("error", "holds-before", f"{notebook}: cell save-post, line 1")
    ]


def test_without_a_run_only_the_source_is_looked_at(workspace: Workspace, notebook: Path) -> None:
    checked = check(workspace, str(notebook))
    assert (checked.findings, checked.records.runs) == ((), ())
    with pytest.raises(UsageError, match="run it first: `skillnb run shop/join`"):
        mutate(workspace, str(notebook))


def test_what_is_masked_in_the_record_is_asked_by_its_mark(workspace: Workspace, notebook: Path) -> None:
    record(workspace, "20260101T000000000Z-000001")
    fill, save = mutate(workspace, str(notebook)).steps
    assert (fill.unasked, save.unasked) == ((), ())
    assert [counted(score.tallies, [Aim.CLAIM]) for score in fill.gates] == [(0, 7), (0, 7)]
    assert counted(fill.together.tallies, [Aim.CLAIM, Aim.STEP]) == (0, 16)
    assert counted(save.together.tallies, [Aim.CLAIM]) == (0, 2)
    assert counted(save.together.tallies, [Aim.STEP]) == (2, 2)


def test_of_many_runs_the_latest_of_this_workflow_are_read(workspace: Workspace, notebook: Path) -> None:
    names = [f"20260101T00000000{number}Z-000001" for number in range(LAST + 2)]
    for name in names:
        record(workspace, name)
    record(workspace, "20270101T000000000Z-000001", workflow="shop/other")
    record(workspace, "20270101T000000001Z-000001", way=Way.SKIPPED)
    assert check(workspace, str(notebook)).records.runs == tuple(reversed(names))[:LAST]


def test_a_run_is_named_by_its_id_or_its_trace(workspace: Workspace, notebook: Path) -> None:
    first = record(workspace, "20260101T000000000Z-000001")
    record(workspace, "20260101T000000001Z-000001")
    for name in (first.stem, str(first)):
        assert check(workspace, str(notebook), [name]).records.runs == (first.stem,)
    other = record(workspace, "20270101T000000000Z-000001", workflow="shop/other")
    with pytest.raises(StoreError, match="found of shop/other, expected shop/join"):
        check(workspace, str(notebook), [str(other)])
    with pytest.raises(UsageError, match="no such run"):
        check(workspace, str(notebook), ["nothing"])


def test_a_trace_that_can_not_be_read_is_left_out_and_told_unless_it_is_named(
    workspace: Workspace, notebook: Path
) -> None:
    trace = record(workspace, "20260101T000000000Z-000001")
    trace.write_bytes(trace.read_bytes().replace(b'"seq":1', b'"seq":7'))
    records = check(workspace, str(notebook)).records
    assert (records.runs, records.passages) == ((), ())
    assert records.left_out == (f"{trace}:2: unreadable trace line: sequence 7 where 1 was expected",)
    with pytest.raises(BadTraceLine):
        check(workspace, str(notebook), [str(trace)])


def test_a_step_that_was_done_already_proves_nothing_of_its_gates(workspace: Workspace, notebook: Path) -> None:
    record(workspace, "20260101T000000000Z-000001", way=Way.SKIPPED)
    assert check(workspace, str(notebook)).records.passages == ()

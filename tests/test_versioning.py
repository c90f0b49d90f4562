"""Versions as people change them: through the workspace, on real files."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from skillnb.errors import CorruptVersion, HeadMoved, InvalidWorkflow, NotAllowed, UsageError, VersionExists
from skillnb.listing import burden, history, listed, shown
from skillnb.notebook import ipynb
from skillnb.notebook.example import example
from skillnb.notebook.render import render
from skillnb.store.traces import TraceFile
from skillnb.terms.history import Entry, State, What
from skillnb.terms.outcome import Outcome
from skillnb.terms.outcome import Path as Way
from skillnb.terms.record import Evidence
from skillnb.terms.trace import RunFinished, RunStarted, StepFinished
from skillnb.terms.workflow import Role, Workflow
from skillnb.upkeep import verify
from skillnb.versioning import changed, draft_of, save, shelved, started_draft
from skillnb.workspace import Workspace

NAME = "kit/it"
EXAMPLE = example(NAME, None)
_RUNS: Iterator[int] = count(1)


@pytest.fixture
def stored(workspace: Workspace) -> Workspace:
    workspace.new(NAME, None, "ada", "2026-03-01T00:00:00Z")
    return workspace


def text(word: str) -> Workflow:
    """The example, saying something else in its code."""
    cells = tuple(
        replace(cell, source=f"{cell.source}\n# {word}") if cell.role is Role.CODE else cell for cell in EXAMPLE.cells
    )
    return replace(EXAMPLE, cells=cells)


def written(workspace: Workspace, workflow: Workflow, name: str = "mine.ipynb") -> Path:
    path = workspace.root / name
    ipynb.write(path, render(workflow))
    return path


def edit(workspace: Workspace, word: str) -> int:
    newest = max(workspace.shelf.versions(NAME))
    return save(workspace, NAME, written(workspace, text(word)), "ada", word, base=newest).version


def ran(workspace: Workspace, version: int, outcome: Outcome = Outcome.PASSED, at: str = "2026-03-02T00:00:00Z") -> str:
    loaded = workspace.load(f"{NAME}@{version}")
    run = f"2026{next(_RUNS):04d}"
    trace = TraceFile(workspace.logs / "kit" / "2026-03-02" / f"{run}.jsonl", run, lambda: at, lambda event: event)
    trace.write(
        RunStarted(
            workflow=NAME,
            version=version,
            version_id=loaded.version.id,
            calls=(),
            parameters="{}",
            base_url="",
            task_type="",
            site="kit",
            options=(),
            machine="",
            path=loaded.version.path,
            resumes="",
        )
    )
    trace.write(
        StepFinished(
            step="log-in",
            workflow=NAME,
            outcome=outcome,
            path=Way.PROCEDURE,
            failure=None,
            reason="",
            seconds=1.0,
            tokens=7,
            evidence=Evidence(),
        )
    )
    trace.write(RunFinished(outcome=outcome, exit_status=0, reason="", seconds=1.0, start_seconds=0.0))
    trace.close()
    return run


def move(workspace: Workspace, event: What, name: str = NAME, why: str = "because", to: int | None = None) -> Entry:
    return changed(workspace, name, event, "ada", why, to)


def state(workspace: Workspace) -> tuple[State, int | None]:
    return shelved(workspace, NAME).now[:2]


def test_an_edit_is_the_next_version_and_the_one_before_stays(stored: Workspace) -> None:
    before = stored.shelf.path(NAME, 1).read_bytes()
    made = save(stored, NAME, written(stored, text("x")), "eve", "it says x", base=1)
    assert (made.version, made.origin, made.cosmetic) == (2, 1, False)
    assert stored.shelf.path(NAME, 1).read_bytes() == before
    last = stored.shelf.history(NAME)[-1]
    assert (last.event, last.version, last.who, last.why, last.origin) == (What.EDITED, 2, "eve", "it says x", 1)
    assert stored.load(NAME).version.id == last.id == stored.load(f"{NAME}@2").version.id


def test_a_cosmetic_edit_makes_no_version_and_is_told_in_the_history(stored: Workspace) -> None:
    nb = render(EXAMPLE)
    nb["cells"][3]["metadata"]["mine"] = 1
    nb["metadata"]["authors"] = [{"name": "eve"}]
    path = stored.root / "mine.ipynb"
    ipynb.write(path, nb)
    run = ran(stored, 1)
    made = save(stored, NAME, path, "eve", "", base=1)
    assert (made.version, made.cosmetic, stored.shelf.versions(NAME)) == (1, True, (1,))
    assert stored.shelf.history(NAME)[-1].event is What.COSMETIC
    assert move(stored, What.RELEASED, why="").evidence == (run,)


def test_who_edits_an_older_version_is_refused_and_both_are_named(stored: Workspace) -> None:
    mine = written(stored, text("mine"))
    save(stored, NAME, written(stored, text("theirs"), "theirs.ipynb"), "eve", "theirs", base=1)
    with pytest.raises(HeadMoved, match=r"version 2 \(edited by eve: theirs\), expected version 1, .*mine\.ipynb"):
        save(stored, NAME, mine, "ada", "mine", base=1)
    with pytest.raises(UsageError, match="--base 2"):
        save(stored, NAME, mine, "ada", "mine")
    assert stored.shelf.versions(NAME) == (1, 2)
    assert save(stored, NAME, mine, "ada", "mine", base=2).version == 3


def test_what_is_no_workflow_or_another_or_has_no_reason_is_refused(stored: Workspace) -> None:
    broken = stored.root / "broken.ipynb"
    broken.write_text("{", "utf-8")
    other = written(stored, replace(text("x"), name="kit/other"))
    for file, error in ((broken, InvalidWorkflow), (other, UsageError)):
        with pytest.raises(error):
            save(stored, NAME, file, "ada", "x", base=1)
    with pytest.raises(UsageError, match="--why"):
        save(stored, NAME, written(stored, text("x")), "ada", " ", base=1)
    with pytest.raises(VersionExists):
        stored.new(NAME, None, "ada", "")
    assert len(stored.shelf.history(NAME)) == 1


def test_a_draft_knows_where_it_came_from_and_stays_open_after_it_is_saved(stored: Workspace) -> None:
    draft = started_draft(stored, NAME)
    assert draft.read_bytes() == stored.shelf.path(NAME, 1).read_bytes()
    for number, word in ((2, "once"), (3, "twice")):
        ipynb.write(draft, render(text(word)))
        before = draft.read_bytes()
        assert save(stored, NAME, draft, "ada", word).version == number
        assert draft.read_bytes() == before
    assert started_draft(stored, NAME).read_bytes() == before
    edit(stored, "meanwhile")
    ipynb.write(draft, render(text("third")))
    with pytest.raises(HeadMoved, match="version 4"):
        save(stored, NAME, draft, "ada", "third")
    assert draft_of(stored, NAME).exists()


def test_a_stored_version_typed_into_is_named_and_becomes_a_version_of_its_own(stored: Workspace) -> None:
    """As JupyterLab does it: by another file in its place."""
    path = stored.shelf.path(NAME, 1)
    before = path.read_bytes()
    ipynb.write(path, render(text("typed")))
    for name in (NAME, f"{NAME}@1"):
        with pytest.raises(CorruptVersion, match=r"0001\.ipynb: a stored version was changed"):
            stored.load(name)
    made = save(stored, NAME, path, "ada", "what was typed")
    assert (made.version, path.read_bytes()) == (2, before)
    assert Path(made.put_back).is_file()
    assert stored.load(NAME).version.number == 2
    assert "typed" in stored.shelf.path(NAME, 2).read_text("utf-8")


def test_a_release_rests_on_passing_runs_of_that_very_version_or_on_a_word(stored: Workspace) -> None:
    ran(stored, 1, Outcome.FAILED)
    ran(stored, 1, Outcome.UNVERIFIED)
    with pytest.raises(NotAllowed, match=r"no run in .* has passed with version 1 as it is"):
        move(stored, What.RELEASED, why="")
    run = ran(stored, 1)
    entry = move(stored, What.RELEASED, why="")
    assert (entry.evidence, entry.why) == ((run,), "passed in 1 recorded runs")
    assert 'gate.visible(role="button", name="Log out")' in entry.gates
    edit(stored, "x")
    with pytest.raises(NotAllowed, match="version 2"):
        move(stored, What.RELEASED, why="")
    assert state(stored) == (State.RELEASED, 1)
    entry = move(stored, What.RELEASED, why="seen by hand")
    assert (entry.evidence, entry.why) == ((), "without a passing run, on the word of ada: seen by hand")
    assert state(stored) == (State.RELEASED, 2)


def test_what_no_gate_can_prove_is_never_released(stored: Workspace) -> None:
    cells = tuple(cell for cell in EXAMPLE.cells if cell.id != "log-in-post")
    save(stored, NAME, written(stored, replace(EXAMPLE, cells=cells)), "ada", "no gate", base=1)
    with pytest.raises(NotAllowed, match="version 2 has steps without post gates"):
        move(stored, What.RELEASED, why="I say so")
    assert shown(stored, NAME).ungated == ("log-in",)


def test_rolling_back_and_undoing_that_serves_the_very_same_again(stored: Workspace) -> None:
    move(stored, What.RELEASED)
    edit(stored, "x")
    move(stored, What.RELEASED)
    before = stored.load(NAME)
    size = stored.shelf.path(NAME, 2).read_bytes()
    assert move(stored, What.ROLLED_BACK).version == 1
    assert stored.load(NAME).version.number == 1
    assert move(stored, What.UNDONE, why="").why == "takes back: rolled back 1"
    again = stored.load(NAME)
    assert (again.version, again.nb) == (before.version, before.nb)
    assert stored.shelf.path(NAME, 2).read_bytes() == size


def test_a_roll_back_to_what_was_edited_on_disk_or_never_released_is_refused(stored: Workspace) -> None:
    with pytest.raises(NotAllowed, match="it is provisional"):
        move(stored, What.ROLLED_BACK, to=1)
    move(stored, What.RELEASED)
    edit(stored, "x")
    edit(stored, "y")
    move(stored, What.RELEASED)
    with pytest.raises(NotAllowed, match="version 2 was not released before version 3"):
        move(stored, What.ROLLED_BACK, to=2)
    with pytest.raises(UsageError, match="--why"):
        move(stored, What.ROLLED_BACK, why="")
    ipynb.write(stored.shelf.path(NAME, 1), render(text("typed")))
    lines = stored.shelf.history(NAME)
    with pytest.raises(CorruptVersion):
        move(stored, What.ROLLED_BACK)
    assert stored.shelf.history(NAME) == lines


def test_a_retired_workflow_is_not_run_and_comes_back_through_probation(stored: Workspace) -> None:
    ran(stored, 1)
    move(stored, What.RELEASED, why="")
    move(stored, What.RETIRED, why="the site is gone")
    with pytest.raises(NotAllowed, match=r"ada has retired it \(the site is gone\); `skillnb restore` it"):
        stored.load(NAME)
    assert stored.load(f"{NAME}@1").version.number == 1
    with pytest.raises(NotAllowed, match="it is retired"):
        move(stored, What.RELEASED, why="x")
    move(stored, What.RESTORED, why="it is back")
    assert state(stored) == (State.PROBATION, 1)
    with pytest.raises(NotAllowed, match="no run"):
        move(stored, What.RELEASED, why="")
    run = ran(stored, 1, at="2999-01-01T00:00:00Z")
    assert move(stored, What.RELEASED, why="").evidence == (run,)
    assert state(stored) == (State.RELEASED, 1)


def test_the_list_tells_ways_and_burden_and_gives_no_verdict(stored: Workspace) -> None:
    ran(stored, 1)
    ran(stored, 1, Outcome.FAILED)
    ran(stored, 1, Outcome.ABORTED)
    row = listed(stored)[0]
    assert (row.name, row.state, row.version) == (NAME, "provisional", 1)
    assert [(run.outcome, run.paths) for run in row.runs] == [
        ("aborted", ("procedure",)),
        ("failed", ("procedure",)),
        ("passed", ("procedure",)),
    ]
    assert burden(row.runs) == (3, 21, 0)
    assert row.verdict == "not enough evidence: 1 of 2 runs passed"


def test_a_workflow_that_cannot_be_read_hides_no_other(stored: Workspace) -> None:
    stored.new("kit/other", None, "ada", "2026-03-01T00:00:00Z")
    stored.shelf.history_path("kit/other").write_bytes(b"nonsense\n")
    rows = {row.name: row for row in listed(stored)}
    assert (rows[NAME].state, rows["kit/other"].state) == ("provisional", "unreadable")
    assert "history.jsonl:1" in rows["kit/other"].trouble


def test_a_torn_line_is_told_with_the_command_that_mends_it(stored: Workspace) -> None:
    with stored.shelf.history_path(NAME).open("ab") as file:
        file.write(json.dumps({"event": "released"}).encode())
    told = history(stored, NAME)
    assert len(told.entries) == 1
    assert "history.jsonl:2: the line broke off; `skillnb verify kit/it --repair`" in told.torn
    assert stored.load(NAME).version.number == 1


def test_a_name_that_is_none_is_refused_with_the_nearest_right_one(stored: Workspace) -> None:
    with pytest.raises(UsageError, match="for example 'kit/it'"):
        move(stored, What.RELEASED, name="Kit/It")
    with pytest.raises(UsageError, match="did you mean kit/it"):
        move(stored, What.RELEASED, name="kit/its")


AUTOSAVE = """
import sys, time
from pathlib import Path
from skillnb.notebook import ipynb
from skillnb.notebook.render import render
from tests.test_versioning import text
for number in range(int(sys.argv[2])):
    ipynb.write(Path(sys.argv[1]), render(text(f"typed {number:03d}")))
"""


def test_a_draft_that_is_saved_by_an_editor_all_the_while_is_never_half_of_one(stored: Workspace) -> None:
    draft = started_draft(stored, NAME)
    last = 60
    with subprocess.Popen([sys.executable, "-c", AUTOSAVE, str(draft), str(last)]) as editor:
        while editor.poll() is None:
            save(stored, NAME, draft, "ada", "as it is now")
    save(stored, NAME, draft, "ada", "as it was left")
    assert editor.returncode == 0
    saved = [
        re.findall(r"typed (\d+)", stored.shelf.path(NAME, number).read_text("utf-8"))
        for number in stored.shelf.versions(NAME)[1:]
    ]
    assert saved == sorted(saved)
    assert [set(numbers) for numbers in saved] == [{numbers[0]} for numbers in saved]
    assert saved[-1][0] == f"{last - 1:03d}"
    assert verify(stored, (NAME,), False)[0].problems == ()

"""verify finds what was changed, repair loses nothing, gc takes what nobody names; after any kill all is in order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from skillnb.errors import WorkflowNotFound
from skillnb.notebook import ipynb
from skillnb.notebook.render import render
from skillnb.upkeep import collect, verify
from skillnb.workspace import Workspace
from tests.test_versioning import NAME, edit, text


@pytest.fixture
def stored(workspace: Workspace) -> Workspace:
    workspace.new(NAME, None, "ada", "2026-03-01T00:00:00Z")
    edit(workspace, "two")
    return workspace


def troubles(workspace: Workspace, repair: bool = False) -> tuple[str, ...]:
    return verify(workspace, (NAME,), repair)[0].problems


def test_what_is_in_order_has_no_problem(stored: Workspace) -> None:
    assert verify(stored, (), False) == ((NAME, 2, (), ()),)
    with pytest.raises(WorkflowNotFound):
        verify(stored, ("kit/nothing",), False)


def test_a_version_edited_by_hand_is_named_and_put_back_on_request(stored: Workspace) -> None:
    path = stored.shelf.path(NAME, 1)
    before = path.read_bytes()
    ipynb.write(path, render(text("typed")))
    assert len(troubles(stored)) == 1
    assert "version 1: " in troubles(stored)[0]
    assert "0001.ipynb was changed by hand" in troubles(stored)[0]
    mended = verify(stored, (NAME,), True)[0]
    assert (mended.problems, path.read_bytes()) == ((), before)
    aside = next(path.parent.glob("0001.edited-*.ipynb"))
    assert "typed" in aside.read_text("utf-8")
    assert str(aside) in mended.notes[0]


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff", None])
def test_a_damaged_or_deleted_version_is_mended_from_what_was_kept(stored: Workspace, damage: bytes | None) -> None:
    path = stored.shelf.path(NAME, 2)
    before = path.read_bytes()
    path.unlink()
    if damage is not None:
        path.write_bytes(damage)
        assert len(troubles(stored)) == 1
    assert troubles(stored, repair=True) == ()
    assert path.read_bytes() == before


def test_a_run_of_the_stored_file_is_a_note_and_no_problem(stored: Workspace) -> None:
    path = stored.shelf.path(NAME, 2)
    nb = json.loads(path.read_bytes())
    nb["cells"][2]["execution_count"] = 7
    path.chmod(0o644)
    path.write_text(json.dumps(nb), "utf-8")
    checked = verify(stored, (NAME,), False)[0]
    assert checked.problems == ()
    assert "version 2: outputs or layout differ" in checked.notes[0]


def test_kept_bytes_that_are_not_theirs_are_a_problem_that_nothing_can_mend(stored: Workspace) -> None:
    kept = Path(stored.shelf.kept(NAME).path(stored.shelf.history(NAME)[1].file))
    kept.write_bytes(b"else")
    assert "kept bytes" in troubles(stored, repair=True)[0] or "stored version" in troubles(stored, repair=True)[0]


def test_a_torn_line_is_a_problem_until_it_is_set_aside(stored: Workspace) -> None:
    file = stored.shelf.history_path(NAME)
    with file.open("ab") as stream:
        stream.write(b'{"event"')
    assert "history.jsonl:3: the line broke off" in troubles(stored)[0]
    assert troubles(stored, repair=True) == ()
    assert next(file.parent.glob("history.torn-*")).read_bytes() == b'{"event"'
    assert edit(stored, "three") == 3


def test_a_file_that_no_history_names_is_a_note_and_not_served(stored: Workspace) -> None:
    ipynb.write(stored.shelf.path(NAME, 9), render(text("smuggled")))
    checked = verify(stored, (NAME,), False)[0]
    assert (checked.problems, len(checked.notes)) == ((), 1)
    assert "version 9 is not named" in checked.notes[0]
    assert stored.load(NAME).version.number == 2
    assert edit(stored, "ten") == 10


def test_gc_removes_nothing_that_is_named(stored: Workspace) -> None:
    stored.shelf.kept(NAME).put(b"nobody's", ".ipynb")
    assert len(collect(stored, remove=False)) == 1
    assert len(collect(stored, remove=True)) == 1
    assert collect(stored, remove=True) == ()
    assert verify(stored, (), False)[0].problems == ()


def test_after_kill_9_at_any_moment_all_is_in_order_and_no_change_is_lost() -> None:
    """Saves, releases, roll-backs, undos and gc. A longer series: ``python -m bench.crashes``."""
    command = [sys.executable, "-m", "bench.crashes", "--points", "25", "--seed", "7"]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    told = json.loads(done.stdout or "{}")
    assert (done.returncode, told.get("failed"), told.get("lost")) == (0, 0, 0), done.stdout + done.stderr
    assert told["points"] == 25
    assert told["lines"] > 25

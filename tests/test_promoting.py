"""A repair that has stood its trial becomes a version of its own, once, and is released where the one before was."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillnb.errors import CorruptVersion
from skillnb.notebook import ipynb
from skillnb.notebook.render import render
from skillnb.promoting import take
from skillnb.rules.stepdiff import step_diff
from skillnb.store.protocol import Version
from skillnb.store.sidecars import changed_memory, read_memory
from skillnb.terms.fingerprint import Fingerprint
from skillnb.terms.history import State, What
from skillnb.terms.memory import Call, Known, Memory, Patch, PatchState
from skillnb.versioning import changed, save, shelved
from skillnb.workspace import Workspace
from tests.test_versioning import NAME, text, written

NEW = 'page.get_by_role("textbox", name="User")'
CALL, OTHER = (
    Call(step="fill-in-the-form", cell="fill-in-the-form-code", number=0),
    Call(step="log-in", cell="log-in-code", number=0),
)


def patch(call: Call = CALL, state: PatchState = PatchState.PROMOTED, new: str = NEW) -> Patch:
    old = 'page.get_by_label("Username")'
    return Patch(
        call=call,
        method="fill",
        old=old,
        new=new,
        selector="s",
        gates=("g",),
        run="r0",
        passes=("r1", "r2"),
        state=state,
    )


@pytest.fixture
def first(workspace: Workspace) -> Version:
    workspace.new(NAME, None, "ada", "2026-03-01T00:00:00Z")
    version = workspace.load(f"{NAME}@1").version
    remember(version, patch(), patch(OTHER, PatchState.QUARANTINED))
    return version


def remember(version: Version, *patches: Patch) -> None:
    print_of = Fingerprint(role="textbox", name="User", tag="input")
    known = (Known(call=CALL, selector="s", fingerprint=print_of, run="r2"),)
    changed_memory(version, lambda _: Memory(workflow=NAME, known=known, patches=patches))


def test_a_promoted_patch_is_written_as_the_next_version(workspace: Workspace, first: Version) -> None:
    assert take(workspace.shelf, first) == 2
    before, after = workspace.load(f"{NAME}@1"), workspace.load(f"{NAME}@2")
    found = step_diff(before.workflow, after.workflow)
    assert [(item.step, [part.part for part in item.parts]) for item in found] == [("fill-in-the-form", ["code"])]
    assert found[0].parts[0].lines[:2] == (
        '-await page.get_by_label("Username").fill(params.username)',
        f"+await {NEW}.fill(params.username)",
    )
    entry = workspace.shelf.history(NAME)[-1]
    assert (entry.event, entry.version, entry.origin, entry.who) == (What.REPAIRED, 2, 1, "repair")
    assert entry.evidence == ("r0", "r1", "r2")
    old, new = (read_memory(item.version).memory for item in (before, after))
    assert [(item.call, item.taken) for item in old.patches] == [(CALL, 2), (OTHER, 0)]
    assert (new.known, [item.call for item in new.patches]) == (old.known, [OTHER])
    assert workspace.load(NAME).version.number == 2
    assert take(workspace.shelf, first) == 0
    assert workspace.shelf.versions(NAME) == (1, 2)


def test_it_is_released_where_the_one_before_was(workspace: Workspace, first: Version) -> None:
    changed(workspace, NAME, What.RELEASED, "ada", "seen")
    take(workspace.shelf, first)
    assert shelved(workspace, NAME).now[:2] == (State.RELEASED, 2)
    released = workspace.shelf.history(NAME)[-1]
    assert (released.event, released.who, released.evidence) == (What.RELEASED, "repair", ("r0", "r1", "r2"))
    changed(workspace, NAME, What.ROLLED_BACK, "ada", "as it was")
    assert workspace.load(NAME).version == first


def test_one_that_was_stopped_halfway_is_not_written_twice(workspace: Workspace, first: Version) -> None:
    changed(workspace, NAME, What.RELEASED, "ada", "seen")
    take(workspace.shelf, first)
    changed(workspace, NAME, What.ROLLED_BACK, "ada", "as if it had not been released")
    remember(first, patch())
    assert take(workspace.shelf, first) == 2
    assert workspace.shelf.versions(NAME) == (1, 2)


@pytest.mark.parametrize("event", [What.RETIRED, What.RESTORED])
def test_of_what_is_retired_or_on_probation_nothing_is_written(
    workspace: Workspace, first: Version, event: What
) -> None:
    changed(workspace, NAME, What.RELEASED, "ada", "seen")
    changed(workspace, NAME, What.RETIRED, "ada", "w")
    if event is What.RESTORED:
        changed(workspace, NAME, What.RESTORED, "ada", "w")
    assert take(workspace.shelf, first) == 0
    assert workspace.shelf.versions(NAME) == (1,)


def test_nor_of_an_older_version_nor_of_patches_on_trial(workspace: Workspace, first: Version) -> None:
    save(workspace, NAME, written(workspace, text("x")), "ada", "x", base=1)
    assert take(workspace.shelf, first) == 0
    second = workspace.load(NAME).version
    remember(second, patch(state=PatchState.QUARANTINED))
    assert take(workspace.shelf, second) == 0


def test_what_was_edited_on_disk_is_taken_for_nothing(workspace: Workspace, first: Version) -> None:
    ipynb.write(Path(first.path), render(text("typed")))
    with pytest.raises(CorruptVersion):
        take(workspace.shelf, first)
    assert workspace.shelf.versions(NAME) == (1,)

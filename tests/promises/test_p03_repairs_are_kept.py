"""Promise 3: a repair is proven before it is kept, on trial after that, and dropped when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillnb.notebook.compose import StepDraft
from skillnb.planning import RunOptions
from skillnb.running import run
from skillnb.store.shelf import Shelf
from skillnb.terms.cascade import Move
from skillnb.terms.history import What
from skillnb.terms.record import RunResult
from skillnb.terms.workflow import ParameterType, Workflow
from skillnb.testing.site import Site
from tests.promises.conftest import Stage
from tests.promises.workflows import parameter, path_of, saved, step, workflow

FIRST_TOOL = 'page.locator(".tools button:nth-child(1)")'


def keeping(locator: str = FIRST_TOOL) -> StepDraft:
    return step(
        "keep",
        code=f'await page.get_by_role("textbox", name="Note").fill("milk")\nawait {locator}.click()',
        post='await gate.text(role="status", contains="Note kept")\nawait gate.visible(role="listitem", text="milk")',
    )


def notes(shop: Site, locator: str = FIRST_TOOL) -> Workflow:
    return workflow(f"{shop.url}/notes", keeping(locator))


def again(project: Path, **options: bool) -> RunResult:
    return run("kit/it", {}, project=project, options=RunOptions(**options))


def kept(project: Path, kind: str) -> list[dict[str, object]]:
    data = json.loads(path_of(project).with_suffix(f".{kind}.json").read_text("utf-8"))
    found: list[dict[str, object]] = data["known" if kind == "fingerprints" else kind]
    return found


def told(result: RunResult) -> list[str]:
    return [f"{item.outcome} by {item.path}" + (" patched" if item.patched else "") for item in result.steps]


def history(project: Path) -> list[What]:
    return [entry.event for entry in Shelf(project / "workflows").history("kit/it")]


def test_the_second_run_needs_no_repair_and_k_passes_promote_it(
    project: Path, shop: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILLNB_PATCH_PASSES", "2")
    saved(project, notes(shop))
    source = path_of(project).read_bytes()
    assert told(again(project)) == ["passed by code"]
    shop.mutate("swap", "notes", target="keep", to="copy")
    first = again(project)
    assert told(first) == ["passed by repaired"], first.reason
    assert [item["new"] for item in kept(project, "patches")] == ['page.get_by_role("button", name="Keep note")']
    assert told(again(project, repair=False)) == ["failed by code"]
    second = again(project)
    assert told(second) == ["passed by code patched"], second.reason
    shown = Path(second.notebook).read_text("utf-8")
    assert f"proven in run {first.run_id}; quarantined, 0 passing runs since" in shown
    assert told(again(project)) == ["passed by code patched"]
    assert [(item["state"], item["taken"]) for item in kept(project, "patches")] == [("promoted", 2)]
    assert history(project) == [What.REPAIRED, What.PROMOTED, What.REPAIRED]
    assert path_of(project).read_bytes() == source
    made = Shelf(project / "workflows").history("kit/it")[-1]
    assert (made.version, made.origin, made.who, made.evidence[0]) == (2, 1, "repair", first.run_id)
    assert made.why == f'{FIRST_TOOL} -> page.get_by_role("button", name="Keep note")'
    last = again(project)
    assert (last.version, told(last)) == (2, ["passed by code"]), last.reason
    assert last.notes == ()


def test_a_patch_that_fails_reverts_itself_and_the_original_is_tried(project: Path, shop: Site) -> None:
    saved(project, notes(shop))
    again(project)
    shop.mutate("swap", "notes", target="keep", to="copy")
    assert told(again(project)) == ["passed by repaired"]
    shop.clear()
    shop.mutate("duplicate", "notes", target="keep")  # which of the two the patch means is not to be told
    third = again(project)
    assert told(third) == ["passed by repaired patched"], third.reason
    assert f"-> {FIRST_TOOL}" in Path(third.notebook).read_text("utf-8").replace('\\"', '"')
    assert history(project) == [What.REPAIRED, What.REVERTED]
    assert kept(project, "patches") == []
    assert told(again(project)) == ["passed by code"]


def test_a_patch_that_fails_and_leaves_nothing_to_do_is_dropped_by_a_failed_run(project: Path, shop: Site) -> None:
    saved(project, notes(shop))
    again(project)
    shop.mutate("swap", "notes", target="keep", to="copy")
    again(project)
    shop.mutate("remove", "notes", target="keep")
    before = shop.rows("notes")
    failed = again(project)
    assert told(failed) == ["failed by code patched"]
    assert shop.rows("notes") == before
    assert (history(project)[-1], kept(project, "patches")) == (What.REVERTED, [])


def test_a_run_that_fails_later_keeps_no_repair(project: Path, shop: Site) -> None:
    lost = step("look", code="pass", post='await gate.visible(role="heading", name="Nobody")')
    saved(project, workflow(f"{shop.url}/notes", keeping(), lost))
    shop.mutate("retype", "notes", target="Note")
    result = again(project)
    assert told(result)[0] == "passed by repaired", result.reason
    assert [str(item.outcome) for item in result.steps] == ["passed", "failed"]
    assert list(path_of(project).parent.glob("*.json")) == []


def test_what_a_called_workflow_has_seen_and_mended_is_kept_beside_that(project: Path, shop: Site) -> None:
    outer = step("all", code='await call("kit/inner")', post='await gate.text(role="status", contains="Note kept")')
    inner = workflow(f"{shop.url}/notes", keeping(), name="kit/inner")
    saved(project, workflow(f"{shop.url}/notes", outer), inner)
    again(project)
    beside = path_of(project, "kit/inner")
    assert "Keep note" in beside.with_suffix(".fingerprints.json").read_text("utf-8")
    shop.mutate("swap", "notes", target="keep", to="copy")
    assert told(again(project)) == ["passed by repaired", "passed by code"]
    assert told(again(project)) == ["passed by code patched", "passed by code"]
    assert [entry.event for entry in Shelf(project / "workflows").history("kit/inner")] == [What.REPAIRED]
    assert history(project) == []


@pytest.mark.parametrize("text", ["{", '{"format":9,"known":[],"version_id":""}', "[1]"])
def test_damaged_memories_are_a_note_and_no_failure(project: Path, shop: Site, text: str) -> None:
    saved(project, notes(shop))
    damaged = path_of(project).with_suffix(".fingerprints.json")
    damaged.write_text(text, "utf-8")
    result = again(project)
    assert told(result) == ["passed by code"]
    assert len(result.notes) == 1
    assert str(damaged) in result.notes[0]
    assert again(project).notes == ()


def test_a_secret_is_in_no_memory(project: Path, shop: Site) -> None:
    """The page greets the person by the secret name, beside what is clicked."""
    enter = step(
        "enter",
        code='await page.get_by_label("Username").fill(params.user)\n'
        'await page.get_by_label("Password").fill("wonder-land-7")\n'
        'await page.get_by_role("button", name="Log in").click()\n'
        'await page.get_by_role("link", name="Account of").click()',
        post='await gate.visible(role="heading", name="Account")',
    )
    user = parameter("user", ParameterType.SECRET)
    saved(project, workflow(f"{shop.url}/login", enter, parameters=(user,)))
    run("kit/it", {"user": "alice"}, project=project)
    for path in project.rglob("versions/*.json"):
        assert "alice" not in path.read_text("utf-8")


def test_a_repair_that_names_a_value_of_its_run_is_not_kept(project: Path, shop: Site) -> None:
    opened = step(
        "open",
        code='await page.get_by_role("link", name=params.product, exact=True).click()',
        post='await gate.visible(role="heading", name=params.product)',
    )
    saved(project, workflow(f"{shop.url}/products", opened, parameters=(parameter("product"),)))
    result = run("kit/it", {"product": "desk  LAMP"}, project=project)
    assert [str(item.path) for item in result.steps][:1] in (["repaired"], ["code"]), result.reason
    assert not path_of(project).with_suffix(".patches.json").exists()


NEVER = {
    "an absence gate": ("pass", 'await gate.absent(role="heading", name="Notes")'),
    "an assertion": (
        'assert await page.get_by_role("button").count() == 99',
        'await gate.text(role="status", contains="x")',
    ),
    "a missing page": ('await page.goto("/nowhere-at-all")', 'await gate.visible(role="heading", name="Orders")'),
    "an action that worked": (
        'await page.get_by_role("textbox", name="Note").fill("milk")',
        'await gate.text(role="status", contains="Note kept")',
    ),
}


@pytest.mark.parametrize("case", NEVER)
def test_what_is_no_failure_of_a_locator_is_never_repaired(stage: Stage, case: str) -> None:
    code, post = NEVER[case]
    played = stage.play("/notes", workflow("/notes", step("keep", code=code, post=post)))
    assert str(played.last.outcome) == "failed", played.last.reason
    assert Move.REPAIR not in played.moves
    assert (stage.gathered.mended, stage.changes()) == ((), [])

"""Promise 3: a repair is proven before it is kept, on trial after that, and dropped when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillnb.planning import RunOptions
from skillnb.running import run
from skillnb.store.shelf import Shelf
from skillnb.terms.history import What
from skillnb.terms.record import RunResult
from skillnb.terms.workflow import Workflow
from skillnb.testing.site import Site
from tests.promises.workflows import path_of, saved, step, workflow


def contact(shop: Site, locator: str = 'page.get_by_role("button", name="Submit")') -> Workflow:
    write = step(
        "write",
        code=f'await page.get_by_label("Message").fill("hello")\nawait page.get_by_role("main").{locator}.click()',
        post='await gate.text(role="status", contains="Message sent")',
    )
    return workflow(f"{shop.url}/contact", write)


def notes(shop: Site, locator: str = 'page.locator(".tools button:nth-child(1)")') -> Workflow:
    keep = step(
        "keep",
        code=f'await page.get_by_role("textbox", name="Note").fill("milk")\nawait {locator}.click()',
        post='await gate.text(role="status", contains="Note kept")\nawait gate.visible(role="listitem", text="milk")',
    )
    return workflow(f"{shop.url}/notes", keep)


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


def test_the_second_run_needs_no_repair_and_a_failing_patch_reverts_itself(
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
    assert [item["state"] for item in kept(project, "patches")] == ["promoted"]
    assert history(project) == [What.REPAIRED, What.PROMOTED]
    shop.mutate("rename", "notes", target="keep", to="Retain")
    assert told(again(project)) == ["passed by repaired patched"]
    assert history(project)[2:] == [What.REVERTED, What.REPAIRED]
    assert path_of(project).read_bytes() == source

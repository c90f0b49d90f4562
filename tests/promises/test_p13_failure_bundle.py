"""Promise 13: whatever fails, one file names step, gate, page, pictures, candidates and the class of the failure."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from skillnb.terms.outcome import FailureClass
from skillnb.terms.record import RunResult
from skillnb.testing.site import Site
from tests.promises.workflows import ran, step, workflow

LOG_IN = """
await page.goto("{url}/login")
await page.get_by_label("Username").fill("alice")
await page.get_by_label("Password").fill("wonder-land-7")
await page.get_by_role("button", name="Log in").click()
await page.wait_for_url("**/orders*")
"""


def bundle_of(result: RunResult) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(Path(result.failure_bundle).read_text("utf-8"))
    assert made["run_id"] == result.run_id
    assert Path(made["notebook"]).is_file()
    assert Path(made["trace"]).is_file()
    return made


def check_evidence(bundle: dict[str, Any], step_name: str, failure: FailureClass, url: str) -> None:
    assert bundle["step"]["step"] == step_name
    assert bundle["failure"] == failure
    assert bundle["url"] == url
    assert Path(bundle["screenshot"]).read_bytes()[:3] == b"\xff\xd8\xff"
    recorded = json.loads(Path(bundle["snapshot"]).read_text("utf-8"))
    assert recorded["url"] == url
    assert "Corner Store" in recorded["snapshot"]


@pytest.fixture(autouse=True)
def _pictures(monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    monkeypatch.setenv("SKILLNB_SCREENSHOTS", "failures")


def test_locator(project: Path, shop: Site) -> None:
    save = step(
        "contact",
        'Press "Submit".',
        code=f'await page.goto("{shop.url}/contact")\nawait page.get_by_role("button", name="Submit").click()',
        post='await gate.text(role="status", contains="Message sent")',
    )
    bundle = bundle_of(ran(project, workflow(f"{shop.url}/", save)))
    check_evidence(bundle, "contact", FailureClass.LOCATOR, f"{shop.url}/contact")
    refused = [(item["by"], item["refused"]["role"], item["refused"]["name"]) for item in bundle["candidates"]]
    assert refused.count(("repaired", "button", "Submit")) == 2
    assert refused.count(("procedure", "button", "Submit")) == 2
    assert all(item["refused"]["reason"] for item in bundle["candidates"])
    assert {item["wanted"] for item in bundle["candidates"] if item["by"] == "procedure"} == {'Press "Submit".'}


def test_gate(project: Path, shop: Site) -> None:
    look = step("look", code="pass", post='await gate.visible(role="heading", name="Nobody")')
    bundle = bundle_of(ran(project, workflow(f"{shop.url}/", look)))
    check_evidence(bundle, "look", FailureClass.GATE, f"{shop.url}/")
    assert bundle["gate"]["gate"]["expression"] == 'gate.visible(role="heading", name="Nobody")'
    assert bundle["gate"]["expected"]
    assert bundle["gate"]["actual"]


def test_timeout(project: Path, shop: Site) -> None:
    sleep = step("sleep", code="import asyncio; await asyncio.sleep(60)", post='await gate.url("**/none")', timeout=1)
    check_evidence(
        bundle_of(ran(project, workflow(f"{shop.url}/", sleep))), "sleep", FailureClass.TIMEOUT, f"{shop.url}/"
    )


@pytest.mark.parametrize("how", ["expired", "never in"])
def test_auth(project: Path, shop: Site, how: str) -> None:
    enter = step("enter", code=LOG_IN.format(url=shop.url).strip(), post='await gate.url("**/orders*")')
    opened = step(
        "open",
        code='await page.get_by_role("link", name="Order 1001").click()',
        post='await gate.visible(role="heading", name="Order 1001")',
    )
    if how == "expired":
        shop.mutate("expired", "orders.order")
        result = ran(project, workflow(f"{shop.url}/", enter, opened))
        landed = f"{shop.url}/login?next=%2Forders%2F1001"
    else:
        result = ran(project, workflow(f"{shop.url}/orders", opened))
        landed = f"{shop.url}/login?next=%2Forders"
    check_evidence(bundle_of(result), "open", FailureClass.AUTH, landed)


def test_dialog(project: Path, shop: Site) -> None:
    go = f'\nawait page.goto("{shop.url}/orders/1003")\nawait page.get_by_role("button", name="Cancel order").click()'
    cancel = step(
        "cancel",
        code=(LOG_IN.format(url=shop.url) + go).strip(),
        post='await gate.text(role="status", contains="Order cancelled")',
    )
    bundle = bundle_of(ran(project, workflow(f"{shop.url}/", cancel)))
    check_evidence(bundle, "cancel", FailureClass.DIALOG, f"{shop.url}/orders/1003")
    assert bundle["dialogs"] == [{"kind": "confirm", "message": "Cancel order 1003?", "answer": "dismissed"}]


@pytest.mark.parametrize(
    ("code", "failure"),
    [('open("/nowhere/list.csv")', FailureClass.DATA), ("1 / 0", FailureClass.CODE)],
    ids=["data", "code"],
)
def test_data_and_code(project: Path, shop: Site, code: str, failure: FailureClass) -> None:
    bad = step("bad", code=code, post='await gate.url("**/none")')
    check_evidence(bundle_of(ran(project, workflow(f"{shop.url}/", bad))), "bad", failure, f"{shop.url}/")


def test_network(project: Path, shop: Site) -> None:
    """The page stays where it was; or there never was one, and the bundle says in which cell that showed."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{closed.getsockname()[1]}/"
    leave = step("leave", code=f'await page.goto("{nowhere}")', post='await gate.url("**/none")')
    bundle = bundle_of(ran(project, workflow(f"{shop.url}/", leave)))
    assert (bundle["failure"], bundle["outcome"]) == (FailureClass.NETWORK, "aborted")
    assert Path(bundle["screenshot"]).is_file()

    result = ran(project, workflow(nowhere, leave))
    bundle = bundle_of(result)
    assert (result.exit_status, bundle["place"], bundle["step"]) == (4, "before the first step", None)
    assert "cell open [network]" in bundle["reason"]
    assert Path(bundle["screenshot"]).is_file()


def test_infrastructure(project: Path, shop: Site) -> None:
    """A kernel that died: the browser is looked at from outside."""
    die = step("die", code="import os; os.kill(os.getpid(), 9)", post='await gate.url("**/none")')
    check_evidence(
        bundle_of(ran(project, workflow(f"{shop.url}/", die))), "die", FailureClass.INFRASTRUCTURE, f"{shop.url}/"
    )


def test_no_bundle_beside_a_run_that_passed(project: Path, shop: Site) -> None:
    look = step("look", code="pass", post='await gate.visible(role="link", name="See all products")')
    result = ran(project, workflow(f"{shop.url}/", look))
    assert (result.exit_status, result.failure_bundle) == (0, ""), result.reason
    assert not Path(result.trace).with_suffix(".failure.json").exists()

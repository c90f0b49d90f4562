"""Promise 10: a killed run goes on where it was, and the shop's counters prove that nothing was done twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.journey import Run, effects, save
from bench.kills import killed
from bench.processes import browser_of, end_all, wait_for_none
from skillnb.browser.chromium import PREFIX
from skillnb.notebook import ipynb
from skillnb.store.traces import read_trace
from skillnb.terms.trace import RunStarted
from skillnb.terms.workflow import Effect
from skillnb.testing.site import Site
from tests.promises.workflows import command, saved, step, workflow

Start = Callable[..., Run]


@pytest.fixture
def start(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Begin a run of ``kit/it``; whatever is left of it goes with the test."""
    monkeypatch.setenv("SKILLNB_GATE_SECONDS", "5")
    runs: list[Run] = []

    def begin(*arguments: str, name: str = "kit/it") -> Run:
        runs.append(Run(project, *arguments, name=name))
        return runs[-1]

    yield begin
    for run in runs:
        end_all(run.marker)
        run.process.communicate(timeout=10)
        shutil.rmtree(run.marker, ignore_errors=True)


def _told(run: Run) -> tuple[int, str, str]:
    told = run.end()
    return told["exit"], told.get("outcome", ""), told.get("reason", "") or told["stderr"]


@pytest.mark.parametrize(
    ("victim", "after"),
    [
        ("runner", "find-the-lamp"),
        ("runner", "place-the-order"),
        ("kernel", "add-to-cart"),
        ("kernel", "go-to-issues"),
        ("browser", "go-to-checkout"),
        ("browser", "report-an-issue"),
    ],
)
def test_a_journey_killed_on_its_way_comes_to_what_one_clean_run_comes_to(
    project: Path, shop: Site, victim: str, after: str
) -> None:
    """The whole table, thirty kills, is `python -m bench.kills`; its last result stands in docs/faults.md."""
    save(project, shop.url)
    kill = killed(shop, project, victim, after)
    assert kill.good, kill
    assert [(row["customer"], row["tracking"]) for row in shop.rows("orders")[-1:]] == [("Zoë Li", "TR-77")]


def _tracking(url: str, post: str = 'await gate.url("**/none")') -> Any:
    """Logged in already by its first step; the second saves a tracking number and must not do it twice."""
    enter = step(
        "enter",
        code=f"""
await page.goto("{url}/login")
await page.get_by_label("Username").fill("alice")
await page.get_by_label("Password").fill("wonder-land-7")
await page.get_by_role("button", name="Log in").click()
await page.goto("{url}/orders/1005/tracking")""".strip(),
        post='await gate.visible(role="button", name="Save tracking")',
    )
    save_it = step(
        "save",
        code="""
await page.get_by_label("Carrier").select_option(index=1)
await page.get_by_label("Tracking number").fill("TR-1")
await page.get_by_role("button", name="Save tracking").click()""".strip(),
        post=post,
        effect=Effect.ONCE,
    )
    return workflow(f"{url}/", enter, save_it)


def _killed_while_it_waits(start: Start, shop: Site, project: Path, post: str) -> Run:
    """The request is at the server, the answer is not there yet, and the runner is killed."""
    saved(project, _tracking(shop.url, post))
    slow = shop.mutate("slow", "orders.tracking", method="POST", seconds=3)
    run = start()
    deadline = time.monotonic() + 60
    while not shop.count("POST", "/orders/*/tracking"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(run.process.pid, signal.SIGKILL)
    run.process.wait()
    slow.undo()
    return run


def test_between_request_and_answer_a_gate_tells_that_it_took_effect(start: Start, shop: Site, project: Path) -> None:
    post = 'await gate.value(label="Tracking number", equals="TR-1")\nawait gate.text(role="status", contains="saved")'
    run = _killed_while_it_waits(start, shop, project, post)
    again = start("--resume", run.run_id, name="")
    assert _told(again)[:2] == (0, "passed")
    assert shop.count("POST", "/orders/*/tracking") == 1
    assert wait_for_none(run.marker, 3) == wait_for_none(again.marker, 3) == {}


def test_where_no_gate_can_tell_a_person_is_asked_and_believed(start: Start, shop: Site, project: Path) -> None:
    run = _killed_while_it_waits(start, shop, project, 'await gate.visible(role="heading", name="Saved for good")')
    again = start("--resume", run.run_id, name="")
    code, outcome, reason = _told(again)
    assert (code, outcome) == (3, "unverified")
    assert "check the site by hand" in reason
    assert shop.count("POST", "/orders/*/tracking") == 1

    done = start("--resume", again.run_id, "--done", "save", name="")
    assert _told(done)[:2] == (0, "passed")
    assert shop.count("POST", "/orders/*/tracking") == 1

    undone = start("--resume", again.run_id, "--undone", "save", name="")
    assert _told(undone)[1] == "unverified", (
        "the gate still can't hold, but the step was done again, as the person asked"
    )
    assert shop.count("POST", "/orders/*/tracking") == 2


def test_a_step_without_a_gate_is_not_repeated_either(start: Start, shop: Site, project: Path) -> None:
    run = _killed_while_it_waits(start, shop, project, "")
    code, outcome, reason = _told(start("--resume", run.run_id, name=""))
    assert (code, outcome) == (3, "unverified")
    assert "check the site by hand" in reason
    assert shop.count("POST", "/orders/*/tracking") == 1


@pytest.fixture
def halted(start: Start, shop: Site, project: Path) -> Run:
    """A run of two steps, killed while the second sleeps; a secret was given by hand, and a variable is set."""
    first = step(
        "first", code='found = "here"', post='await gate.visible(role="heading", name="Welcome to the Corner Store")'
    )
    second = step(
        "second", code="import asyncio; await asyncio.sleep(60)", post='await gate.url("**/none")', timeout=90
    )
    saved(project, workflow(f"{shop.url}/", first, second))
    run = start()
    assert run.wait_for_step("first")
    os.kill(run.process.pid, signal.SIGKILL)
    run.process.wait()
    return run


def test_another_notebook_or_an_unknown_or_torn_run(halted: Run, start: Start, shop: Site, project: Path) -> None:
    assert halted.trace is not None
    with halted.trace.open("ab") as file:
        file.write(b'{"at":"2026-')
    assert read_trace(halted.trace).torn
    short = step("second", code='await page.goto("' + shop.url + '/terms")', post='await gate.url("**/terms")')
    first = step(
        "first", code='found = "here"', post='await gate.visible(role="heading", name="Welcome to the Corner Store")'
    )
    saved(project, workflow(f"{shop.url}/", first, short))

    refused = start("--resume", halted.run_id, name="")
    assert _told(refused)[0] == 2
    assert start("--resume", halted.run_id, "--force", name="").end()["outcome"] == "passed"
    code, _, said = _told(start("--resume", "20200101T000000000Z-abcdef", name=""))
    assert (code, "there is no trace of it" in said) == (2, True)


def test_a_run_can_be_resumed_twice_and_a_passed_one_not_at_all(
    halted: Run, start: Start, shop: Site, project: Path
) -> None:
    again = start("--resume", halted.run_id, name="")
    assert again.wait_for('"kind":"StepStarted"', '"step":"second"')
    os.kill(again.process.pid, signal.SIGKILL)
    again.process.wait()
    third = start("--resume", again.run_id, "--done", "second", name="")
    assert _told(third)[:2] == (0, "passed")
    assert third.trace is not None
    began = next(line.event for line in read_trace(third.trace).lines if isinstance(line.event, RunStarted))
    assert began.resumes == again.run_id
    code, _, said = _told(start("--resume", third.run_id, name=""))
    assert (code, "it has passed" in said) == (2, True)
    for run in (halted, again, third):
        assert wait_for_none(run.marker, 3) == {}


def test_a_variable_that_is_gone_refuses(start: Start, shop: Site, project: Path) -> None:
    first = step(
        "first", code='found = "here"', post='await gate.visible(role="heading", name="Welcome to the Corner Store")'
    )
    second = step(
        "second", code="import asyncio; await asyncio.sleep(60); print(found)", post='await gate.url("**/none")'
    )
    saved(project, workflow(f"{shop.url}/", first, second))
    run = start()
    assert run.wait_for_step("first")
    os.kill(run.process.pid, signal.SIGKILL)
    run.process.wait()
    code, _, said = _told(start("--resume", run.run_id, name=""))
    assert (code, "found" in said) == (2, True)


def test_doctor_lists_and_ends_what_a_killed_run_has_left(halted: Run, project: Path) -> None:
    """Only browsers whose run is dead: one that still lives has an owner."""
    left = browser_of(halted.marker)
    environment = {**os.environ, "TMPDIR": halted.marker}
    checks = json.loads(command(project, "doctor", "--json", environment=environment).stdout)["checks"]
    found = next(check for check in checks if check["what"] == "browsers left by killed runs")
    assert (found["ok"], f"(process {left})" in found["found"]) == (False, True)

    ended = json.loads(command(project, "doctor", "--end-leftovers", "--json", environment=environment).stdout)["ended"]
    assert [f"process {left}" in item for item in ended] == [True]
    assert wait_for_none(halted.marker, 3) == {}
    assert list(Path(halted.marker).glob(f"{PREFIX}*")) == []


def test_the_copy_of_a_killed_run_is_readable(halted: Run) -> None:
    assert halted.trace is not None
    nb = ipynb.read(halted.trace.with_suffix(".ipynb"))
    assert [cell["id"] for cell in nb["cells"] if cell["id"].startswith("first")] == [
        "first-procedure",
        "first-code",
        "first-post",
        "first-fallback",
    ]


def test_effects_of_a_clean_run(start: Start, shop: Site, project: Path) -> None:
    save(project, shop.url)
    assert start("-p", "customer=Zoë Li", name="kit/journey").end()["outcome"] == "passed"
    assert set(effects(shop).values()) == {1}

"""Promise 11: every run ends inside its limits with the cause named, and what was stopped stays stopped."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.journey import Run
from bench.processes import end_all, owned, wait_for_none
from skillnb.notebook import ipynb
from skillnb.planning import RunOptions
from skillnb.store.traces import read_trace
from skillnb.terms.outcome import FailureClass, Outcome
from skillnb.terms.outcome import Path as Way
from skillnb.terms.trace import CellRan, StepFinished
from skillnb.terms.workflow import Effect
from skillnb.testing.site import Site
from tests.promises.workflows import ran, saved, step, workflow

LIMIT = 2.0
BOOK = 'await page.goto("{url}/live")'


def _seconds_of_cell(trace: str, cell: str) -> float:
    return next(
        line.event.seconds
        for line in read_trace(Path(trace)).lines
        if isinstance(line.event, CellRan) and line.event.cell == cell
    )


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(60)",
        "import asyncio; await asyncio.sleep(60)",
        "while True: pass",
        'await page.get_by_role("button", name="Nothing").wait_for(timeout=60_000)',
    ],
    ids=["blocking", "awaiting", "busy", "waiting for an element"],
)
def test_a_cell_ends_with_its_limit_and_the_page_can_still_be_used(project: Path, shop: Site, code: str) -> None:
    """That it can be used is shown by the procedure, which then does the step."""
    buy = step(
        "buy",
        'Press "Buy now".',
        code=code,
        post='await gate.text(role="status", contains="Bought")',
        timeout=LIMIT,
    )
    result = ran(project, workflow(f"{shop.url}/live", buy))
    assert (result.outcome, result.steps[-1].path) == (Outcome.PASSED, Way.PROCEDURE)
    assert LIMIT <= _seconds_of_cell(result.trace, "buy-code") <= LIMIT + 2
    assert shop.count("POST", "/live") == 1


def test_code_that_ignores_the_interrupt_loses_its_kernel(project: Path, shop: Site) -> None:
    code = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(60)"
    begun = time.monotonic()
    result = ran(project, workflow(shop.url, step("deaf", code=code, post='await gate.url("**")', timeout=1)))
    assert time.monotonic() - begun < 30
    assert (result.outcome, result.exit_status) == (Outcome.ABORTED, 4)
    assert result.steps[-1].failure is FailureClass.INFRASTRUCTURE
    assert "ignored the interrupt" in result.reason
    assert result.steps[-1].evidence.url == f"{shop.url}/"


def test_a_kernel_that_dies_ends_the_run(project: Path, shop: Site) -> None:
    code = "import os; os.kill(os.getpid(), 9)"
    result = ran(project, workflow(shop.url, step("die", code=code, post='await gate.url("**/none")')))
    assert (result.outcome, result.steps[-1].failure) == (Outcome.ABORTED, FailureClass.INFRASTRUCTURE)
    assert result.seconds < 20
    assert result.steps[-1].evidence.url == f"{shop.url}/"


@pytest.mark.parametrize(
    "code",
    [
        'await (await page.context.browser.new_browser_cdp_session()).send("Browser.close")',
        "await page.close()",
    ],
    ids=["browser", "page"],
)
def test_a_browser_or_page_that_is_closed_ends_the_run(project: Path, shop: Site, code: str) -> None:
    result = ran(
        project, workflow(shop.url, step("close", 'Press "Home".', code=code, post='await gate.url("**/none")'))
    )
    assert (result.outcome, result.steps[-1].failure) == (Outcome.ABORTED, FailureClass.INFRASTRUCTURE)
    assert result.seconds < 20


def test_a_button_that_is_enabled_too_late_is_not_clicked(project: Path, shop: Site) -> None:
    """The procedure waits beyond that moment, so that a click left behind in the browser would be seen."""
    book = step(
        "book",
        'Wait until "Nothing of the kind" is shown.',
        code="""
await page.goto(URL + "/login")
await page.get_by_label("Username").fill("alice")
await page.get_by_label("Password").fill("wonder-land-7")
await page.get_by_role("button", name="Log in").click()
await page.goto(URL + "/booking?seconds=4")
await page.get_by_role("button", name="Confirm booking").click(timeout=60_000)""".strip().replace(
            "URL", repr(shop.url)
        ),
        post='await gate.text(role="status", contains="Booking confirmed")',
        timeout=3,
        effect=Effect.IDEMPOTENT,
    )
    result = ran(project, workflow(shop.url, book))
    assert result.outcome is Outcome.FAILED
    assert _seconds_of_cell(result.trace, "book-code") <= 3 + 2
    assert result.seconds > 8, "the page was watched beyond the moment that the button can be pressed"
    assert shop.count("POST", "/booking") == 0


def test_dialogs_and_pages_that_never_rest_hold_nothing_up(project: Path, shop: Site) -> None:
    """An alert while loading, a question before leaving, polling for ever; the dialogs stand in the record."""
    news = step(
        "news",
        code=f'await page.goto("{shop.url}/alerts")',
        post='await gate.visible(role="button", name="I have read it")',
    )
    leave = step(
        "leave",
        code=f"""
await page.goto("{shop.url}/feedback")
await page.get_by_label("Feedback").fill("Half a word")
await page.goto("{shop.url}/live")""".strip(),
        post='await gate.text(contains="Gold: CHF")',
    )
    buy = step(
        "buy",
        code='await page.get_by_role("button", name="Buy now").click()',
        post='await gate.text(role="status", contains="Bought")',
    )
    result = ran(project, workflow(shop.url, news, leave, buy))
    assert result.outcome is Outcome.PASSED, result.reason
    ends = [line.event for line in read_trace(Path(result.trace)).lines if isinstance(line.event, StepFinished)]
    assert [(item.kind, item.answer) for item in ends[0].evidence.dialogs] == [("alert", "dismissed")]
    assert [(item.kind, item.answer) for item in ends[1].evidence.dialogs] == [("beforeunload", "accepted")]


def test_a_server_that_never_answers_fails_the_step(project: Path, shop: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLNB_NAVIGATION_SECONDS", "2")
    shop.mutate("slow", "products", seconds=600)
    look = step(
        "look",
        code=f'await page.goto("{shop.url}/products")',
        post='await gate.visible(role="heading", name="Products")',
    )
    result = ran(project, workflow(shop.url, look))
    assert (result.outcome, result.steps[-1].failure) == (Outcome.FAILED, FailureClass.TIMEOUT)
    assert result.seconds < 20


def test_the_limit_of_the_whole_run_names_the_place(project: Path, shop: Site) -> None:
    sleep = step("sleep", code="import asyncio; await asyncio.sleep(60)", post='await gate.url("**/none")', timeout=50)
    result = ran(project, workflow(shop.url, sleep), options=RunOptions(run_seconds=12))
    assert (result.outcome, result.steps[-1].failure) == (Outcome.FAILED, FailureClass.TIMEOUT)
    assert result.reason == "[timeout] the run's limit of 12 s was reached, in step sleep"
    assert result.steps[-1].evidence.url == f"{shop.url}/"
    assert result.seconds < 20


@pytest.fixture
def sleeper(project: Path, shop: Site) -> Iterator[Run]:
    """A run in a process of its own that sleeps in the midst of a cell."""
    code = f'await page.goto("{shop.url}/offers")\nimport asyncio; await asyncio.sleep(60)'
    saved(project, workflow(shop.url, step("sleep", code=code, post='await gate.url("**/none")', timeout=50)))
    run = Run(project, name="kit/it")
    deadline = time.monotonic() + 60
    while not shop.count("GET", "/offers"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    yield run
    end_all(run.marker)
    shutil.rmtree(run.marker, ignore_errors=True)


@pytest.mark.parametrize("signs", [[signal.SIGTERM], [signal.SIGINT], [signal.SIGTERM, signal.SIGTERM]])
def test_a_signal_ends_the_run_in_order(sleeper: Run, signs: list[signal.Signals]) -> None:
    begun = time.monotonic()
    for sign in signs:
        sleeper.process.send_signal(sign)
        time.sleep(0.2)
    told = sleeper.end()
    assert time.monotonic() - begun < 6
    assert (told["exit"], told["outcome"], told["reason"]) == (4, "aborted", "interrupted in step sleep")
    nb = ipynb.read(Path(told["notebook"]))
    cell = next(cell for cell in nb["cells"] if cell["id"] == "sleep-code")
    assert cell["metadata"]["skillnb"]["run"]["status"] == "failed"
    assert cell["metadata"]["skillnb"]["run"]["reason"] == "interrupted while it ran"
    assert wait_for_none(sleeper.marker, 3) == {}
    assert list(Path(sleeper.marker).iterdir()) == []


def test_papermill_ends_in_order_too(project: Path, shop: Site, tmp_path: Path) -> None:
    code = f'await page.goto("{shop.url}/offers")\nimport asyncio; await asyncio.sleep(60)'
    source = saved(project, workflow(shop.url, step("sleep", code=code, post='await gate.url("**/none")', timeout=50)))
    marker = tmp_path / "t"
    marker.mkdir()
    with subprocess.Popen(
        [sys.executable, "-m", "papermill", "--engine", "skillnb", "--no-progress-bar", str(source), "out.ipynb"],
        cwd=project,
        env={**os.environ, "TMPDIR": str(marker)},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 60
        while not shop.count("GET", "/offers"):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        assert time.monotonic() - begun < 6
        assert process.returncode == 4
    nb = json.loads((project / "out.ipynb").read_text("utf-8"))
    cell = next(cell for cell in nb["cells"] if cell["id"] == "sleep-code")
    assert cell["metadata"]["papermill"]["status"] == "failed"
    assert wait_for_none(str(marker), 3) == {}
    assert owned(str(marker)) == {}

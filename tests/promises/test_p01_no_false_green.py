"""Promise 1: passed, failed, unverified or aborted, from post gates alone; the exit status says the same."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from skillnb.notebook.compose import StepDraft
from skillnb.planning import RunOptions
from skillnb.store.traces import read_trace
from skillnb.terms.outcome import Outcome
from skillnb.terms.outcome import Path as Way
from skillnb.terms.record import RunResult
from skillnb.terms.trace import BrowserStarted, StepStarted
from skillnb.testing.site import Site
from tests.promises.conftest import Stage
from tests.promises.workflows import command, ran, saved, step, workflow

OFFERS = "/offers?banner=never"
REDEEM = 'await page.get_by_label("Voucher").fill("{0}")\nawait page.get_by_role("button", name="Redeem").click()'
REDEEMED = 'await gate.text(role="status", contains="Voucher {0} redeemed")'
NEVER = 'await gate.text(role="status", contains="Something else", timeout=1)'


def redeem(voucher: str, post: str = REDEEMED, name: str = "redeem", code: str = REDEEM) -> StepDraft:
    return step(name, code=code.format(voucher), post=post.format(voucher))


def told(result: RunResult) -> tuple[str, int, list[str]]:
    return str(result.outcome), result.exit_status, [f"{item.outcome} by {item.path}" for item in result.steps]


# the outcomes, through the command and through papermill

OUTCOMES = {
    "passed": ([redeem("A"), redeem("B", name="more")], 0, 2, ["passed", "passed"]),
    "failed": ([redeem("A"), redeem("B", NEVER, "more"), redeem("C", name="never")], 1, 2, ["passed", "failed"]),
    "unverified": ([redeem("A", ""), redeem("B", name="more")], 3, 2, ["unverified", "passed"]),
    "aborted": (
        [
            redeem("A"),
            step("lost", code="import os\nos.kill(os.getpid(), 9)", post=REDEEMED.format("A") + "\n" + NEVER),
        ],
        4,
        1,
        ["passed", "aborted"],
    ),
}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_the_command_tells_it_by_word_and_status(project: Path, shop: Site, outcome: str) -> None:
    steps, status, sent, ways = OUTCOMES[outcome]
    saved(project, workflow(shop.url + OFFERS, *steps))
    answer = command(project, "run", "kit/it", "--json", environment=os.environ)
    result = json.loads(answer.stdout)
    assert (answer.returncode, result["outcome"], result["exit_status"]) == (status, outcome, status), answer.stderr
    assert [item["outcome"] for item in result["steps"]] == ways
    assert shop.count("POST", "/offers") == sent


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_papermill_tells_the_same(project: Path, shop: Site, outcome: str) -> None:
    steps, status, sent, ways = OUTCOMES[outcome]
    source = saved(project, workflow(shop.url + OFFERS, *steps))
    answer = subprocess.run(
        [sys.executable, "-m", "papermill", "--engine", "skillnb", "--no-progress-bar", str(source), "out.ipynb"],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert answer.returncode == status, answer.stderr
    nb = json.loads((project / "out.ipynb").read_text("utf-8"))
    assert nb["metadata"]["skillnb"]["run"]["outcome"] == outcome
    cells = {cell["id"]: cell for cell in nb["cells"] if cell["cell_type"] == "code"}
    statuses = {name: cell["metadata"]["skillnb"]["run"]["status"] for name, cell in cells.items()}
    bad = {"failed": ["more-post", "more-fallback"], "aborted": ["lost-code"]}.get(outcome, [])
    assert [name for name, value in statuses.items() if value == "failed"] == bad
    marked = [name for name, cell in cells.items() if cell["metadata"]["papermill"]["exception"]]
    assert (marked, bool(nb["metadata"]["papermill"]["exception"])) == (bad, status != 0)
    assert (shop.count("POST", "/offers"), ways) == (sent, ways)


# what is never a pass


@pytest.mark.parametrize(
    ("code", "post", "outcome", "error"),
    [
        ('raise ValueError("no")', REDEEMED, "failed", "StepFailed"),
        ("import sys\nsys.exit(0)", REDEEMED, "failed", "StepFailed"),
        (REDEEM, "raise RuntimeError('the gate broke')", "unverified", "EffectUncertain"),
        (REDEEM, "undefined_name", "unverified", "EffectUncertain"),
        (REDEEM, "assert False, 'no'", "failed", "StepFailed"),
        (REDEEM, "import sys\nsys.exit(0)", "unverified", "EffectUncertain"),
        (REDEEM, "if params.strict:\n    " + REDEEMED, "unverified", "EffectUncertain"),
        (REDEEM, "try:\n    " + NEVER + "\nexcept Exception:\n    pass", "failed", "StepFailed"),
    ],
)
def test_an_exception_is_never_a_pass(stage: Stage, code: str, post: str, outcome: str, error: str) -> None:
    made = workflow(OFFERS, redeem("A", post, code=code))
    played = stage.play(OFFERS, made, strict=False)
    assert (str(played.last.outcome), played.error) == (outcome, error), played.last.reason


def test_sys_exit_in_a_cell_ends_nothing_well(project: Path, shop: Site) -> None:
    """In a kernel: of the code, then of a post gate."""
    result = ran(project, workflow(shop.url + OFFERS, redeem("A", code="import sys\nsys.exit(0)")))
    assert told(result) == ("failed", 1, ["failed by code"])
    assert result.steps[0].failure == "code"
    result = ran(project, workflow(shop.url + OFFERS, redeem("A", "import sys\nsys.exit(0)")))
    assert told(result) == ("unverified", 3, ["unverified by code"])


def test_a_gate_that_nobody_awaits_is_refused_before_anything_starts(project: Path, shop: Site) -> None:
    path = saved(project, workflow(shop.url + OFFERS, redeem("A", REDEEMED)))
    path.write_text(path.read_text("utf-8").replace("await gate.text", "gate.text"), "utf-8")
    answer = command(project, "run", "kit/it", environment=os.environ)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "is not awaited, so it does nothing" in answer.stderr
    assert shop.counts() == {}


# faults of the surroundings


def test_a_killed_kernel_names_the_cell_within_seconds(project: Path, shop: Site) -> None:
    killed = step("lost", code="import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", post=REDEEMED.format("A"))
    begun = time.monotonic()
    result = ran(project, workflow(shop.url + OFFERS, killed, redeem("B")))
    assert told(result) == ("aborted", 4, ["aborted by code"])
    assert time.monotonic() - begun < 30
    assert "lost" in result.reason
    assert "the kernel was lost" in result.reason
    nb = json.loads(Path(result.notebook).read_text("utf-8"))
    cell = next(cell for cell in nb["cells"] if cell["id"] == "lost-code")
    assert cell["metadata"]["skillnb"]["run"]["reason"].startswith("the kernel was lost")
    assert shop.count("POST", "/offers") == 0


def test_a_browser_killed_from_outside(project: Path, shop: Site) -> None:
    wait = step("wait", code="await page.wait_for_timeout(20_000)", post=REDEEMED.format("A"))
    made = workflow(shop.url + OFFERS, wait, redeem("B"))
    results: list[RunResult] = []
    options = RunOptions(out=project / "out")
    running = threading.Thread(target=lambda: results.append(ran(project, made, options=options)))
    running.start()
    os.killpg(browser_of(project / "out"), signal.SIGKILL)
    running.join(40)
    assert told(results[0]) == ("aborted", 4, ["aborted by code"])
    assert (results[0].steps[0].failure, shop.count("POST", "/offers")) == ("infrastructure", 0)


def browser_of(out: Path) -> int:
    """Its process, once the step has begun to wait."""
    for _ in range(600):
        events = [line.event for path in out.glob("*Z-??????.jsonl") for line in read_trace(path).lines]
        started = next((event for event in events if isinstance(event, BrowserStarted)), None)
        if started is not None and any(isinstance(event, StepStarted) for event in events):
            time.sleep(1.5)
            return started.pid
        time.sleep(0.1)
    raise AssertionError("the run never came to its first step")


def closed_address() -> str:
    """Of a port where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def test_a_site_that_is_not_there_or_goes_away(project: Path, shop: Site) -> None:
    """At the start, and behind a link: no gate that would only hold on the site says otherwise."""
    closed = closed_address()
    result = ran(project, workflow(closed + OFFERS, redeem("A")))
    assert told(result) == ("aborted", 4, [])
    assert "[network]" in result.reason
    leave = f"await page.evaluate(\"location.href = '{closed}/'\")\nawait page.wait_for_timeout(500)"
    gone = step("leave", code=leave, post='await gate.absent(role="button", name="Redeem")')
    result = ran(project, workflow(shop.url + OFFERS, gone, redeem("B")))
    assert told(result) == ("aborted", 4, ["aborted by code"])
    assert result.steps[0].failure == "network"


# skipped steps


def test_a_step_done_already_is_skipped_and_listed(project: Path, shop: Site) -> None:
    here = step("here", code='await page.goto("/nowhere")', post='await gate.visible(role="button", name="Redeem")')
    result = ran(project, workflow(shop.url + OFFERS, here, redeem("A")))
    assert told(result) == ("passed", 0, ["passed by skipped", "passed by code"])
    assert result.steps[0].reason == "already done: the post gates held before the step"
    nb = json.loads(Path(result.notebook).read_text("utf-8"))
    assert "| here | passed | skipped |" in "".join(nb["cells"][0]["source"])
    assert shop.count("POST", "/offers") == 1


# called workflows


@pytest.mark.parametrize(
    ("post", "outcomes", "error"),
    [
        (REDEEMED, [Outcome.PASSED, Outcome.PASSED], ""),
        (NEVER, [Outcome.FAILED, Outcome.FAILED], "StepFailed"),
        ("raise RuntimeError('no')", [Outcome.UNVERIFIED, Outcome.UNVERIFIED], "EffectUncertain"),
    ],
)
def test_what_becomes_of_a_called_workflow_becomes_of_its_caller(
    stage: Stage, post: str, outcomes: list[Outcome], error: str
) -> None:
    post = post.format("A")
    callee = workflow(OFFERS, redeem("A", post), name="kit/callee")
    caller = workflow(OFFERS, step("call", code='await call("kit/callee")', post=post), name="kit/caller")
    played = stage.play(OFFERS, caller, callee)
    assert ([item.outcome for item in played.steps], played.error) == (outcomes, error), played.last.reason


def test_an_unverified_or_lost_called_workflow_in_a_run(project: Path, shop: Site) -> None:
    """In a kernel: no post gate in the callee; then a callee whose site goes away."""
    caller = workflow(
        shop.url + OFFERS, step("call", code='await call("kit/callee")', post=REDEEMED.format("A")), name="kit/caller"
    )
    result = ran(project, caller, workflow(shop.url + OFFERS, redeem("A", ""), name="kit/callee"))
    assert told(result) == ("unverified", 3, ["unverified by code", "unverified by code"])
    assert result.steps[-1].reason == "called step call/redeem: the step has no post gate"
    gone = step("leave", code=f'await page.goto("{closed_address()}/")', post=REDEEMED.format("A"))
    result = ran(project, caller, workflow(shop.url + OFFERS, gone, name="kit/callee"))
    assert told(result) == ("aborted", 4, ["aborted by code", "aborted by code"])


def test_healed_is_not_unseen(project: Path, shop: Site) -> None:
    shop.mutate("rename", "offers", target="Redeem", to="Redeem-it")
    healing = step(
        "redeem",
        'Type "A" into "Voucher".',
        'Press "Redeem-it".',
        code='await page.get_by_label("Coupon").fill("A")',
        post=REDEEMED.format("A"),
    )
    made = workflow(shop.url + OFFERS, healing)
    result = ran(project, made, options=RunOptions(fail_on_heal=True))
    assert told(result) == ("passed", 5, ["passed by procedure"])
    assert (result.steps[0].path, shop.count("POST", "/offers")) == (Way.PROCEDURE, 1)


PASSING_SIGHT = """
await page.set_content('''<h1>Start</h1><h2>Done</h2><button>Press</button><script>
  const done = document.querySelector("h2"), press = document.querySelector("button");
  setTimeout(() => { done.hidden = true }, 200);
  press.onclick = () => { document.title = "pressed"; done.hidden = false };
</script>''')"""


def test_what_a_page_shows_before_its_scripts_have_run_proves_no_step_done(stage: Stage) -> None:
    """A heading that is there for a moment would have the step skipped, and nothing would be pressed."""
    opened = step("open", code=PASSING_SIGHT, post='await gate.visible(role="heading", name="Start")')
    press = step(
        "press",
        code='await page.get_by_role("button", name="Press").click()',
        post='await gate.visible(role="heading", name="Done")',
    )
    played = stage.play("/products", workflow("/products", opened, press))
    assert played.ways == ["passed by code", "passed by code"]

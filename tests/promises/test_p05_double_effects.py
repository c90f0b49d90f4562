"""Promise 5: what must happen once happens once, whatever fails. Every save is a row, and every request is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillnb.errors import EffectUncertain
from skillnb.kernel.protocol import CurrentCell
from skillnb.terms.cascade import Move
from skillnb.terms.outcome import Outcome
from skillnb.terms.workflow import Effect, Workflow
from skillnb.testing.site import Site
from tests.promises.conftest import Stage
from tests.promises.workflows import ran, step, workflow

TRACKING = "/orders/1001/tracking"
POST = f"POST {TRACKING}"
FILL = """\
await page.get_by_label("Carrier").select_option(label="DHL")
await page.get_by_label("Tracking number").fill("T-1")
"""
PRESS = 'await page.get_by_role("button", name="Save tracking").click()\n'
WORDS = ('Choose "DHL" in "Carrier".', 'Type "T-1" into "Tracking number".', 'Press "Save tracking".')
SAVED = 'await gate.text(role="status", contains="Tracking saved")'
NEVER = 'await gate.text(role="status", contains="Something else")'


def saving(code: str, post: str = SAVED, effect: Effect = Effect.ONCE, name: str = "kit/it") -> Workflow:
    return workflow(TRACKING, step("save", *WORDS, code=code, post=post, effect=effect), name=name)


def rows(stage: Stage) -> int:
    return len(stage.shop.rows("trackings"))


def test_an_answer_after_the_time_limit_and_no_gate_that_can_tell(stage: Stage) -> None:
    stage.shop.mutate("slow", "orders.tracking", method="POST", seconds=5)
    wait = 'await page.wait_for_url("**/nowhere", timeout=300)'
    played = stage.play(TRACKING, saving(FILL + PRESS + wait, NEVER))
    assert (stage.changes(), rows(stage)) == ([POST], 1)
    assert (played.last.outcome, played.error) == (Outcome.UNVERIFIED, "EffectUncertain")
    assert played.last.reason.startswith("its request may have taken effect, so it is not repeated; check the site")
    assert not {Move.REPAIR, Move.PROCEDURE, Move.INTENT} & set(played.moves)


def test_an_answer_after_the_time_limit_that_a_gate_sees_later(stage: Stage) -> None:
    stage.gate_seconds = 6.0
    stage.shop.mutate("slow", "orders.tracking", method="POST", seconds=1.5)
    wait = 'await page.wait_for_url("**/nowhere", timeout=300)'
    played = stage.play(TRACKING, saving(FILL + PRESS + wait))
    assert (stage.changes(), rows(stage), played.ways) == ([POST], 1, ["passed by code"])


@pytest.mark.parametrize(
    "after",
    [
        'raise ValueError("after")',
        'await page.get_by_role("button", name="No such button").click()',
        'await page.get_by_role("button", name="Save tracking").click(timeout=1)',
    ],
)
def test_code_that_fails_after_the_request_has_left_is_not_handed_on(stage: Stage, after: str) -> None:
    played = stage.play(TRACKING, saving(FILL + PRESS + "await page.wait_for_load_state()\n" + after, NEVER))
    assert (stage.changes(), rows(stage)) == ([POST], 1)
    assert played.last.outcome is Outcome.UNVERIFIED
    assert not {Move.REPAIR, Move.PROCEDURE, Move.INTENT} & set(played.moves)


def test_a_server_that_fails_after_it_has_done_it(stage: Stage) -> None:
    stage.shop.mutate("error-500", "orders.tracking", method="POST", effect=True)
    played = stage.play(TRACKING, saving(FILL + PRESS))
    assert (stage.changes(), rows(stage), played.last.outcome) == ([POST], 1, Outcome.UNVERIFIED)


def test_a_request_past_the_page_counts_as_well(stage: Stage) -> None:
    sent = f'await page.request.post("{TRACKING}", form={{"carrier": "dhl", "tracking_number": "T-1"}})\n'
    played = stage.play(TRACKING, saving(sent + 'raise ValueError("after")', NEVER))
    assert (stage.changes(), rows(stage), played.last.outcome) == ([POST], 1, Outcome.UNVERIFIED)


@pytest.mark.parametrize(
    ("code", "way"),
    [
        (FILL + 'await page.get_by_role("button", name="Save  trackings").click()', "repaired"),
        (FILL + 'raise ValueError("before")', "procedure"),
    ],
)
def test_code_that_fails_before_anything_has_left_may_be_handed_on(stage: Stage, code: str, way: str) -> None:
    played = stage.play(TRACKING, saving(code))
    assert (stage.changes(), rows(stage), played.ways) == ([POST], 1, [f"passed by {way}"]), played.last.reason


def test_a_called_step_that_is_uncertain_bars_its_caller(stage: Stage) -> None:
    """The caller may be repeated as such, and its procedure would press the button once more."""
    inner = saving(FILL + PRESS + 'raise ValueError("after")', NEVER, name="kit/inner")
    outer = saving('await call("kit/inner")', NEVER, Effect.IDEMPOTENT, name="kit/caller")
    played = stage.play(TRACKING, outer, inner)
    assert (stage.changes(), rows(stage), played.error) == ([POST], 1, "EffectUncertain")
    assert [item.outcome for item in played.steps] == [Outcome.UNVERIFIED, Outcome.UNVERIFIED]


def test_a_called_once_step_that_took_effect_bars_its_caller_too(stage: Stage) -> None:
    inner = saving(FILL + PRESS, name="kit/inner")
    outer = saving('await call("kit/inner")\nraise ValueError("after")', NEVER, Effect.IDEMPOTENT, name="kit/caller")
    played = stage.play(TRACKING, outer, inner)
    assert (stage.changes(), rows(stage), played.error) == ([POST], 1, "EffectUncertain")
    assert [item.outcome for item in played.steps] == [Outcome.PASSED, Outcome.UNVERIFIED]


def test_a_called_workflow_with_a_once_step_is_not_skipped_for_its_last_page(stage: Stage) -> None:
    """The last step's gate holds already where the caller stands: that does not show that the rest was done."""
    back = step("back", code='await page.goto("/orders")', post='await gate.visible(role="heading", name="Orders")')
    open_ = step(
        "open",
        code=f'await page.goto("{TRACKING}")',
        post='await gate.visible(role="button", name="Save tracking")',
    )
    save = step("save", *WORDS, code=FILL + PRESS, post=SAVED, effect=Effect.ONCE)
    played = stage.play("/orders", workflow("/orders", open_, save, back))
    assert (stage.changes(), rows(stage), played.error) == ([POST], 1, "")
    assert played.ways == ["passed by code"] * 3


def test_a_person_pressing_fallback_after_the_request_has_left_is_refused(stage: Stage) -> None:
    made = saving(FILL + PRESS, NEVER)

    async def by_hand() -> str:
        page = await stage.opened(TRACKING)
        session = stage.session(page, made, main=made.name)
        shell = stage.shells[-1]
        try:
            cell = made.cell("save-code")
            session.cell_begins(CurrentCell(cell.id, cell.source))
            await shell.evaluate(cell.source, shell.namespace)
            await page.wait_for_load_state()
            cell = made.cell("save-fallback")
            session.cell_begins(CurrentCell(cell.id, cell.source))
            with pytest.raises(EffectUncertain) as refused:
                await shell.evaluate(cell.source, shell.namespace)
            return str(refused.value)
        finally:
            await page.context.close()

    said = stage.run(by_hand())
    assert (stage.changes(), rows(stage)) == ([POST], 1)
    assert said.startswith("step save: its request may have been sent")


def test_a_person_pressing_fallback_before_anything_has_left_is_served(stage: Stage) -> None:
    made = saving(FILL)

    async def by_hand() -> None:
        page = await stage.opened(TRACKING)
        session = stage.session(page, made, main=made.name)
        shell = stage.shells[-1]
        try:
            for identifier in ("save-code", "save-fallback"):
                cell = made.cell(identifier)
                session.cell_begins(CurrentCell(cell.id, cell.source))
                await shell.evaluate(cell.source, shell.namespace)
        finally:
            await page.context.close()

    stage.run(by_hand())
    assert (stage.changes(), rows(stage)) == ([POST], 1)


def test_a_step_that_may_be_repeated_is(stage: Stage) -> None:
    """The other side: an idempotent step goes on to its procedure, and the counter shows both requests."""
    played = stage.play(TRACKING, saving(FILL + PRESS + 'raise ValueError("after")', NEVER, Effect.IDEMPOTENT))
    assert (stage.changes(), played.last.outcome) == ([POST, POST], Outcome.FAILED)


LOG_IN = 'await page.request.post("{0}/login", form={{"username": "alice", "password": "wonder-land-7"}})\n'


def test_in_a_run_a_late_answer_ends_it_as_unverified(project: Path, shop: Site) -> None:
    """With a kernel and a journal: the request is in it before it has left, and nothing comes after the step."""
    shop.mutate("slow", "orders.tracking", method="POST", seconds=6)
    open_ = step(
        "open",
        code=LOG_IN.format(shop.url) + f'await page.goto("{shop.url}{TRACKING}")',
        post='await gate.visible(role="button", name="Save tracking")',
    )
    late = FILL + PRESS + 'await page.wait_for_url("**/nowhere", timeout=300)'
    save = step("save", *WORDS, code=late, post=SAVED, effect=Effect.ONCE)
    after = step("after", code='await page.goto("/offers")', post='await gate.visible(role="heading", name="Offers")')
    result = ran(project, workflow(f"{shop.url}/contact", open_, save, after))
    assert (result.outcome, result.exit_status) == (Outcome.UNVERIFIED, 3)
    assert [(item.step, item.outcome) for item in result.steps] == [
        ("open", Outcome.PASSED),
        ("save", Outcome.UNVERIFIED),
    ]
    assert "so it is not repeated; check the site by hand" in result.reason
    assert (shop.count("POST", TRACKING), len(shop.rows("trackings"))) == (1, 1)
    journal = Path(result.trace).with_suffix(".dispatched.jsonl").read_text("utf-8").splitlines()
    assert [TRACKING in line for line in journal] == [True]

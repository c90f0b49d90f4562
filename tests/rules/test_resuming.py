"""Where an interrupted run can go on."""

from __future__ import annotations

from dataclasses import replace

from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.rules.resuming import Restart, checkpoint_address, interrupted, lost_names, not_there, restart
from skillnb.terms.outcome import FailureClass, Outcome, Path
from skillnb.terms.record import Evidence
from skillnb.terms.trace import BrowserStarted, Event, RunFinished, RunStarted, StepFinished, TraceLine
from skillnb.terms.workflow import Effect, StepSettings, Workflow

GATE = 'await gate.visible(role="heading", name="Orders")'


def workflow(*steps: tuple[str, Effect, str, str]) -> Workflow:
    """Steps as (name, effect, checkpoint, code)."""
    drafts = tuple(
        StepDraft(
            name=name,
            intent=f"Do {name}",
            procedure=('Press "Save".',),
            code=code,
            post=GATE,
            settings=StepSettings(effect=effect, checkpoint=checkpoint),
        )
        for name, effect, checkpoint, code in steps
    )
    header = Header(name="shop/orders", site="shop", start_url="http://127.0.0.1/")
    return compose(header, "# Orders", (), drafts)


PLAIN = 'await page.get_by_role("button", name="Save").click()'
FOUR = workflow(
    ("log-in", Effect.IDEMPOTENT, "", PLAIN),
    ("create", Effect.ONCE, "", PLAIN),
    ("open", Effect.READ, "/orders/{order}", PLAIN),
    ("pay", Effect.ONCE, "", PLAIN),
)


def lines(*events: Event) -> list[TraceLine]:
    return [
        TraceLine(format=1, run="r1", seq=number, at="2026-01-01T00:00:00Z", kind=type(event).__name__, event=event)
        for number, event in enumerate(events)
    ]


STARTED = RunStarted(
    workflow="shop/orders",
    version=1,
    version_id="sha256:0",
    calls=(),
    parameters="{}",
    base_url="",
    task_type="",
    site="shop",
    options=(),
    machine="",
    path="",
    resumes="",
)
BROWSER = BrowserStarted(endpoint="http://127.0.0.1:9", pid=7, profile="/tmp/p")


def finished(step: str, outcome: Outcome = Outcome.PASSED, failure: FailureClass | None = None) -> StepFinished:
    return StepFinished(
        step=step,
        workflow="shop/orders",
        outcome=outcome,
        path=Path.CODE,
        failure=failure,
        reason="",
        seconds=0.1,
        tokens=0,
        evidence=Evidence(),
    )


def test_done_is_the_unbroken_beginning_of_confirmed_steps() -> None:
    found = interrupted(lines(STARTED, BROWSER, finished("log-in"), finished("open")), FOUR)
    assert found is not None
    assert found.done == ("log-in",)
    assert found.browser == BROWSER
    assert found.outcome is None


def test_a_step_without_gates_that_ran_clean_is_done_and_one_that_could_not_be_proven_is_not() -> None:
    ungated = finished("log-in", Outcome.UNVERIFIED)
    doubtful = finished("create", Outcome.UNVERIFIED, FailureClass.GATE)
    end = RunFinished(outcome=Outcome.UNVERIFIED, exit_status=3, reason="", seconds=1.0, start_seconds=0.5)
    found = interrupted(lines(STARTED, ungated, doubtful, end), FOUR)
    assert found is not None
    assert found.done == ("log-in",)
    assert found.outcome is Outcome.UNVERIFIED


def test_a_trace_without_a_beginning_is_none() -> None:
    assert interrupted(lines(finished("log-in")), FOUR) is None


def test_without_a_confirmed_once_step_everything_may_be_repeated() -> None:
    assert restart(FOUR, 0) == Restart(lead=0, address="", following=0)
    assert restart(FOUR, 1) == Restart(lead=0, address="", following=0)


def test_after_a_once_step_a_checkpoint_is_needed() -> None:
    assert restart(FOUR, 3) == Restart(lead=1, address="/orders/{order}", following=3)
    refused = restart(FOUR, 2)
    assert isinstance(refused, str)
    assert "step create may not be repeated" in refused


def test_a_checkpoint_before_the_last_once_step_is_no_way_back() -> None:
    five = replace(FOUR, steps=(*FOUR.steps, replace(FOUR.steps[0], name="log-out")))
    assert isinstance(restart(five, 4), str)


def test_with_every_step_done_there_is_nowhere_to_come_back_to() -> None:
    assert restart(FOUR, 4) == Restart(lead=0, address="", following=4)


def test_a_checkpoint_that_led_elsewhere_is_told() -> None:
    assert not_there("http://shop/orders", "http://shop/orders/?page=1#top") == ""
    told = not_there("http://shop/orders", "http://shop/login?next=%2Forders")
    assert told == "the site led to http://shop/login?next=%2Forders"


def test_checkpoint_addresses_take_parameters_quoted() -> None:
    assert checkpoint_address("/orders/{order}/edit", {"order": "a/b c"}) == "/orders/a%2Fb%20c/edit"


def test_variables_of_done_steps_that_later_cells_use_are_lost() -> None:
    made = workflow(
        ("read", Effect.READ, "", "import re\nnumber = await page.title()"),
        ("use", Effect.READ, "", "print(re.sub('x', 'y', number))"),
        ("own", Effect.READ, "", "number = 1\nprint(number)"),
    )
    assert lost_names(made, 1) == ("number", "re")
    assert lost_names(made, 2) == ()
    assert lost_names(made, 0) == ()

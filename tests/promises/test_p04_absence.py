"""Promise 4: absence gates are never repaired, and they look at a page that has come to rest."""

from __future__ import annotations

import pytest

from skillnb.terms.cascade import Move
from skillnb.terms.outcome import Outcome
from tests.promises.conftest import Stage
from tests.promises.workflows import step, workflow

TRACKING = "/orders/1001/tracking"
NO_ALERT = 'await gate.absent(role="alert")'
SAVE = 'await page.get_by_role("button", name="Save tracking").click()'


def test_an_error_that_is_shown_fails_the_step_and_nothing_is_repaired(stage: Stage) -> None:
    played = stage.play(TRACKING, workflow(TRACKING, step("save", code=SAVE, post=NO_ALERT)))
    assert (played.last.outcome, played.last.failure, played.error) == (Outcome.FAILED, "gate", "StepFailed")
    assert Move.REPAIR not in played.moves
    assert (stage.changes(), played.last.gates[-1].actual) == ([f"POST {TRACKING}"], "1 alert")


@pytest.mark.parametrize("seconds", [0.1, 0.3])
def test_a_banner_that_comes_late_is_seen(stage: Stage, seconds: float) -> None:
    stage.shop.mutate("delay", "offers", target="banner", seconds=seconds)
    gate = (
        'await gate.visible(role="heading", name="Today\'s offers")\nawait gate.absent(role="button", name="Decline")'
    )
    went = step("go", code='await page.goto("/offers?banner=always")', post=gate)
    played = stage.play("/contact", workflow("/contact", went))
    assert (played.last.outcome, played.last.gates[-1].actual) == (Outcome.FAILED, '1 button "Decline"')


@pytest.mark.parametrize("seconds", [0.8, 2.5])
def test_an_answer_under_way_is_waited_for(stage: Stage, seconds: float) -> None:
    """On the page before the answer there is no error: that proves nothing."""
    stage.gate_seconds = stage.action_seconds = seconds + 3.0
    stage.shop.mutate("slow", "orders.tracking", method="POST", seconds=seconds)
    played = stage.play(TRACKING, workflow(TRACKING, step("save", code=SAVE, post=NO_ALERT)))
    assert (played.last.outcome, played.last.gates[-1].actual) == (Outcome.FAILED, "1 alert")


def test_a_page_that_asks_for_ever_comes_to_rest_all_the_same(stage: Stage) -> None:
    stage.gate_seconds = 6.0
    gate = f'await gate.visible(role="heading", name="Live prices")\n{NO_ALERT}'
    played = stage.play("/contact", workflow("/contact", step("go", code='await page.goto("/live")', post=gate)))
    assert played.ways == ["passed by code"], played.last.reason
    assert stage.shop.count("GET", "/live/price") > 3


UNREACHED = """\
try:
    await page.goto("http://127.0.0.1:9/")
except Exception:
    pass"""


@pytest.mark.parametrize(
    ("code", "why", "outcome", "error"),
    [
        ('await page.goto("about:blank")', "the page shows nothing at all", Outcome.UNVERIFIED, "EffectUncertain"),
        (UNREACHED, "the browser shows an error page of its own", Outcome.ABORTED, "CallAborted"),
    ],
    ids=["blank", "unreached"],
)
def test_a_page_that_shows_nothing_of_the_site_proves_no_absence(
    stage: Stage, code: str, why: str, outcome: Outcome, error: str
) -> None:
    played = stage.play("/contact", workflow("/contact", step("go", code=code, post=NO_ALERT)))
    assert (played.last.outcome, played.error, played.last.gates[-1].actual) == (outcome, error, why)


def test_absence_alone_never_skips_a_step(stage: Stage) -> None:
    """Before the step nothing is to be seen either."""
    code = 'await page.get_by_label("Message").fill("hello")\nawait page.locator("#form-contact button").click()'
    for number, post in enumerate(
        (
            NO_ALERT,
            'await gate.count(role="alert", equals=0)',
            'assert "Wrong" not in await page.content()',
        ),
        start=1,
    ):
        played = stage.play("/contact", workflow("/contact", step("send", code=code, post=post)))
        assert (played.ways, len(stage.shop.rows("contacts"))) == (["passed by code"], number), post

"""Promise 18: a banner on half the loads is skipped by its gate; a page more for one row does not break the rest."""

from __future__ import annotations

from skillnb.terms.outcome import Outcome, Path
from tests.promises.conftest import Stage
from tests.promises.workflows import parameter, step, workflow

COOKIES = step(
    "accept-cookies",
    'Press "Accept cookies".',
    pre='await gate.visible(role="button", name="Accept cookies", timeout=1)',
    code='await page.get_by_role("button", name="Accept cookies").click()',
    post='await gate.visible(role="heading", name="Today\'s offers")\n'
    'await gate.absent(role="button", name="Accept cookies")',
    optional=True,
)
REDEEM = step(
    "redeem",
    'Type "SPRING" into "Voucher".',
    'Press "Redeem".',
    code='await page.get_by_label("Voucher").fill("SPRING")\nawait page.get_by_role("button", name="Redeem").click()',
    post='await gate.text(role="status", contains="Voucher SPRING redeemed")',
)


def test_a_banner_on_half_the_loads(stage: Stage) -> None:
    made = workflow("/offers", COOKIES, REDEEM)
    with_banner, without = (stage.play("/offers?visit", made) for _ in range(2))
    # the banner is there at odd loads, and accepting it and redeeming load the page once more each
    shown = [stage.shop.count("POST", "/cookies"), stage.shop.count("POST", "/offers")]
    assert [with_banner.steps[0].path, without.steps[0].path] == [Path.CODE, Path.SKIPPED]
    assert [played.steps[1].outcome for played in (with_banner, without)] == [Outcome.PASSED] * 2
    assert (shown, with_banner.error, without.error) == ([1, 2], "", "")
    assert without.steps[0].reason.startswith("optional, and not called for here: pre gate gate.visible(")


def test_a_page_more_for_one_row(stage: Stage) -> None:
    stage.shop.mutate("extra-page", "orders.tracking", target="1002")
    notice = step(
        "read-notice",
        'Press "Continue".',
        pre='await gate.visible(role="button", name="Continue", timeout=1)',
        code='await page.get_by_role("button", name="Continue").click()',
        post='await gate.visible(role="button", name="Save tracking")',
        optional=True,
    )
    save = step(
        "save",
        pre='await gate.visible(role="heading", name=f"Tracking of order {params.order}")',
        code='await page.get_by_label("Carrier").select_option(label="UPS")\n'
        'await page.get_by_label("Tracking number").fill(f"N-{params.order}")\n'
        'await page.get_by_role("button", name="Save tracking").click()',
        post='await gate.text(role="status", contains="Tracking saved")',
    )
    made = workflow("/orders", notice, save, parameters=(parameter("order"),))
    played = [stage.play(f"/orders/{order}/tracking", made, order=order) for order in ("1001", "1002", "1003")]
    assert [row.steps[-1].outcome for row in played] == [Outcome.PASSED] * 3
    assert [row["number"] for row in stage.shop.rows("trackings")] == ["N-1001", "N-1002", "N-1003"]
    assert [row.steps[0].path for row in played] == [Path.SKIPPED, Path.CODE, Path.SKIPPED]
    assert stage.shop.count("POST", "/notice") == 1


def test_a_gate_that_can_not_tell_skips_nothing(stage: Stage) -> None:
    asked = step("maybe", pre="raise RuntimeError('no idea')", code="pass", post=REDEEM.post, optional=True)
    played = stage.play("/offers?banner=never", workflow("/offers", asked, REDEEM))
    assert [(item.step, item.outcome) for item in played.steps] == [("all/maybe", Outcome.UNVERIFIED)] or [
        item.outcome for item in played.steps
    ] == [Outcome.UNVERIFIED]
    assert (played.error, stage.changes()) == ("EffectUncertain", [])

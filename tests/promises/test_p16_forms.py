"""Promise 16: forms as they are. By code and by plain sentences; the shop's rows say what was committed."""

from __future__ import annotations

import pytest

from skillnb.terms.outcome import Path
from tests.promises.conftest import Stage
from tests.promises.workflows import step, workflow

NEW = "/issues/new"
BY_CODE = """\
await page.get_by_label("Title").fill("Lamp flickers")
await page.get_by_role("checkbox", name="Bug").check()
await page.get_by_role("combobox", name="Assignee").fill("Bob")
await page.get_by_role("option", name="Bob Baker").click()
await page.locator(".dropdown-value").click()
await page.locator(".dropdown-list").get_by_text("High", exact=True).click()
await page.get_by_label("Due date").fill("2026-03-09")
await page.get_by_label("Day").press_sequentially("28022027")
await page.get_by_role("button", name="Create issue").click()
"""
BY_WORDS = (
    'Type "Lamp flickers" into "Title".',
    'Tick "Bug".',
    'Choose "Bob Baker" in "Assignee".',
    'Press Tab in "Assignee".',  # the snapshot tells a plain box that reacts to a click only while it has the focus
    'Press "Choose a priority".',
    'Press "High".',
    'Type "2026-03-09" into "Due date".',
    'Type "28" into "Day".',
    'Type "02" into "Month".',
    'Type "2027" into "Year".',
    'Press "Create issue".',
)
CREATED = 'await gate.text(role="status", contains="Issue created")'


@pytest.mark.parametrize("way", ["code", "procedure"])
def test_combobox_list_of_boxes_date_and_date_in_three_boxes(stage: Stage, way: str) -> None:
    made = step("create", code=BY_CODE, post=CREATED) if way == "code" else step("create", *BY_WORDS, post=CREATED)
    played = stage.play(NEW, workflow(NEW, made))
    assert played.ways == [f"passed by {way}"], played.last.reason
    row = stage.shop.rows("issues")[34:]
    assert [(each["title"], each["labels"], each["assignee"], each["priority"]) for each in row] == [
        ("Lamp flickers", "bug", "Bob Baker", "high")
    ]
    assert [(each["due"], each["remind"]) for each in row] == [("2026-03-09", "2027-02-28")]


@pytest.mark.parametrize("way", ["code", "procedure"])
def test_a_native_select_by_its_label(stage: Stage, way: str) -> None:
    code = (
        'await page.get_by_label("Carrier").select_option(label="Swiss Post")\n'
        'await page.get_by_label("Tracking number").fill("99 00 1")\n'
        'await page.get_by_role("button", name="Save tracking").click()'
    )
    words = ('Choose "Swiss Post" in "Carrier".', 'Type "99 00 1" into "Tracking number".', 'Press "Save tracking".')
    post = (
        'await gate.text(role="status", contains="Tracking saved")\n'
        'await gate.value(label="Carrier", equals="Swiss Post")'
    )
    path = "/orders/1001/tracking"
    made = step("save", code=code, post=post) if way == "code" else step("save", *words, post=post)
    played = stage.play(path, workflow(path, made))
    assert played.ways == [f"passed by {way}"], played.last.reason
    assert [(row["carrier"], row["number"]) for row in stage.shop.rows("trackings")] == [("post", "99 00 1")]


@pytest.mark.parametrize("way", ["code", "procedure"])
def test_a_checkbox_whose_label_holds_a_link(stage: Stage, way: str) -> None:
    """A click on the middle of the label would follow the link."""
    code = (
        'await page.get_by_label("I agree to the Terms of service").check()\n'
        'await page.get_by_label("Send me the newsletter").uncheck()\n'
        'await page.get_by_role("button", name="Save profile").click()'
    )
    words = ('Tick "I agree to the Terms of service".', 'Untick "Send me the newsletter".', 'Press "Save profile".')
    post = (
        'await gate.text(role="status", contains="Profile saved")\n'
        'await gate.value(label="I agree to the Terms of service", checked=True)\n'
        'await gate.value(label="Send me the newsletter", checked=False)'
    )
    made = step("agree", code=code, post=post) if way == "code" else step("agree", *words, post=post)
    played = stage.play("/profile", workflow("/profile", made))
    assert (played.ways, stage.shop.count("GET", "/terms")) == ([f"passed by {way}"], 0), played.last.reason
    alice = next(row for row in stage.shop.rows("profiles") if row["user"] == "alice")
    assert (alice["terms"], alice["newsletter"]) == ("yes", "")


@pytest.mark.parametrize("way", ["code", "procedure"])
def test_masked_fields_and_one_that_is_replaced_while_it_is_typed_into(stage: Stage, way: str) -> None:
    code = (
        'await page.get_by_label("Card number").fill("4111111111111111")\n'
        'await page.get_by_label("Expiry").fill("1228")\n'
        'await page.get_by_label("Postal code").fill("zh 8001")\n'
        'await page.get_by_role("button", name="Save card").click()'
    )
    words = (
        'Type "4111111111111111" into "Card number".',
        'Type "1228" into "Expiry".',
        'Type "zh 8001" into "Postal code".',
        'Press "Save card".',
    )
    post = 'await gate.text(role="status", contains="Card saved")'
    made = step("save", code=code, post=post) if way == "code" else step("save", *words, post=post)
    played = stage.play("/payment", workflow("/payment", made))
    assert played.ways == [f"passed by {way}"], played.last.reason
    assert [(row["number"], row["expiry"], row["postal_code"]) for row in stage.shop.rows("cards")] == [
        ("4111 1111 1111 1111", "12/28", "ZH 8001")
    ]


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ('Type "41111111111111112222" into "Card number".', "4111 1111 1111 1111"),
        ('Type "12x8" into "Expiry".', "12/8"),
    ],
)
def test_a_field_that_keeps_something_else_than_was_typed_is_a_failure(stage: Stage, sentence: str, holds: str) -> None:
    """Nothing is pressed after it."""
    made = step("save", sentence, 'Press "Save card".', post='await gate.text(role="status", contains="Card saved")')
    played = stage.play("/payment", workflow("/payment", made))
    assert (str(played.last.outcome), played.last.path) == ("failed", Path.PROCEDURE)
    assert f"ValueNotCommitted: the field holds {holds!r} after typing" in played.last.reason
    assert (stage.changes(), stage.shop.rows("cards")) == ([], [])


@pytest.mark.parametrize(
    "sentence",
    [
        'Choose "Nobody Known" in "Assignee".',
        'Choose "Urgent" in "Due date".',
    ],
)
def test_what_can_not_be_chosen_is_not(stage: Stage, sentence: str) -> None:
    made = step("create", 'Type "Lamp" into "Title".', sentence, 'Press "Create issue".', post=CREATED)
    played = stage.play(NEW, workflow(NEW, made))
    assert (played.error, stage.changes(), len(stage.shop.rows("issues"))) == ("StepFailed", [], 34)


def test_a_gate_reads_what_the_field_holds_and_not_what_was_typed(stage: Stage) -> None:
    """A combobox lets go of what was only typed."""
    made = step(
        "assign",
        code='await page.get_by_label("Assignee").fill("Bob")\nawait page.get_by_label("Title").click()',
        post='await gate.value(label="Assignee", equals="Bob")',
    )
    played = stage.play(NEW, workflow(NEW, made))
    assert (str(played.last.outcome), played.last.gates[-1].actual) == ("failed", 'value ""')

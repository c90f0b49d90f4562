"""Promise 2: a locator acts only on exactly one visible, enabled, role-compatible element; else nothing is done."""

from __future__ import annotations

from typing import Any

import pytest

from skillnb.terms.workflow import Workflow
from tests.promises.conftest import Stage
from tests.promises.workflows import step, workflow

TRACKING = "/orders/1001/tracking"
SAVED = [{"id": 1, "order_id": 1001, "carrier": "dhl", "number": "T-1"}]


def tracking(button: str = 'page.get_by_role("button", name="Save tracking")') -> Workflow:
    return workflow(
        TRACKING,
        step(
            "save-tracking",
            'Choose "DHL" in "Carrier".',
            'Type "T-1" into "Tracking number".',
            'Press the button "Save tracking".',
            code='await page.get_by_label("Carrier").select_option(label="DHL")\n'
            'await page.get_by_label("Tracking number").fill("T-1")\n'
            f"await {button}.click()",
            post='await gate.text(role="status", contains="Tracking saved")',
        ),
    )


def mutated(stage: Stage, changes: list[tuple[str, dict[str, Any]]], page: str) -> None:
    for kind, given in changes:
        stage.shop.mutate(kind, page, **given)


BUTTON = {"target": "Save tracking"}
FIELD = {"target": "Tracking number"}
RIGHT: dict[str, tuple[list[tuple[str, dict[str, Any]]], str]] = {
    "nothing changed": ([], "code"),
    "a hidden twin of the button before it": ([("duplicate", {**BUTTON, "hidden": True})], "code"),
    "an advertisement above": ([("wrap", {**BUTTON, "to": "ad"})], "code"),
    "the button elsewhere": ([("move", BUTTON)], "code"),
    "the label a span and the id another": ([("retype", FIELD)], "repaired"),
    "the form in a shadow root": ([("shadow-wrap", BUTTON)], "code"),
    "a button that comes late": ([("delay", {**BUTTON, "seconds": 0.4})], "code"),
    "a form in a frame": ([("iframe-wrap", BUTTON)], "procedure"),
    "a button renamed in its spelling": ([("rename", {**BUTTON, "to": "Save-tracking"})], "repaired"),
}
NONE: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "a second button of that name": [("duplicate", BUTTON)],
    "a disabled button": [("disable", BUTTON)],
    "a hidden button": [("hide", BUTTON)],
    "no button": [("remove", BUTTON)],
    "two fields of that label": [("duplicate", FIELD)],
}


@pytest.mark.parametrize("case", RIGHT)
def test_the_right_element_is_found(stage: Stage, case: str) -> None:
    changes, way = RIGHT[case]
    mutated(stage, changes, "orders.tracking")
    played = stage.play(TRACKING, tracking())
    assert (stage.changes(), stage.shop.rows("trackings")) == ([f"POST {TRACKING}"], SAVED)
    assert (played.ways, played.error) == ([f"passed by {way}"], ""), played.last.reason


@pytest.mark.parametrize("case", NONE)
def test_where_the_right_element_is_not_to_be_told_nothing_is_done(stage: Stage, case: str) -> None:
    mutated(stage, NONE[case], "orders.tracking")
    played = stage.play(TRACKING, tracking())
    assert (stage.changes(), stage.shop.rows("trackings")) == ([], [])
    assert (str(played.last.outcome), played.error) == ("failed", "StepFailed"), played.last.reason


LONGER: list[tuple[str, dict[str, Any]]] = [
    ("duplicate", BUTTON),
    ("rename", {**BUTTON, "to": "Save trackingAll"}),
    ("rename", {**BUTTON, "to": "Dispatch"}),
]


def test_the_button_was_renamed_and_a_longer_name_stands_beside_it(stage: Stage) -> None:
    mutated(stage, LONGER, "orders.tracking")
    played = stage.play(TRACKING, tracking('page.get_by_role("button", name="Save tracking", exact=True)'))
    assert (stage.changes(), stage.shop.rows("trackings")) == ([], [])
    assert (str(played.last.outcome), played.error) == ("failed", "StepFailed"), played.last.reason


def test_a_name_that_is_only_part_of_the_buttons_is_no_match(stage: Stage) -> None:
    """Without ``exact`` plain Playwright would press the longer name."""
    mutated(stage, LONGER, "orders.tracking")
    played = stage.play(TRACKING, tracking())
    assert (stage.changes(), stage.shop.rows("trackings")) == ([], [])
    assert (str(played.last.outcome), played.error) == ("failed", "StepFailed"), played.last.reason


def test_a_menu_for_small_screens_is_in_the_page_and_not_shown(stage: Stage) -> None:
    go = step(
        "go",
        code='await page.get_by_role("link", name="Garden", exact=True).click()',
        post='await gate.value(label="Category", equals="Garden")',
    )
    played = stage.play("/menus", workflow("/menus", go))
    assert (played.ways, played.path) == (["passed by code"], "/products?category=garden")


def test_header_and_form_both_have_a_button_submit(stage: Stage) -> None:
    """Which of them is meant is not said: neither. In its place in the page: that one."""
    post = 'await gate.text(role="status", contains="Message sent")'
    fill = 'await page.get_by_label("Message").fill("hello")\n'
    twin = step(
        "send", 'Press "Submit".', code=f'{fill}await page.get_by_role("button", name="Submit").click()', post=post
    )
    placed = step(
        "send", code=f'{fill}await page.get_by_role("main").get_by_role("button", name="Submit").click()', post=post
    )
    played = stage.play("/contact", workflow("/contact", twin))
    assert (played.error, stage.changes(), stage.shop.count("GET", "/products")) == ("StepFailed", [], 0)
    played = stage.play("/contact", workflow("/contact", placed))
    assert (played.ways, stage.changes()) == (["passed by code"], ["POST /contact"])
    assert stage.shop.rows("contacts")[-1]["message"] == "hello"


def test_a_link_of_the_header_does_not_stand_in_for_a_button_of_the_form(stage: Stage) -> None:
    """The form's button was called like a link of the header, and is called otherwise now."""
    lost = tracking('page.get_by_role("button", name="Orders")')
    played = stage.play(TRACKING, lost)
    assert (stage.changes(), stage.shop.rows("trackings")) == ([f"POST {TRACKING}"], SAVED)  # by the procedure
    assert (played.ways, stage.shop.count("GET", "/orders")) == (["passed by procedure"], 1)  # the 1 is the log-in's


def addresses(first: str, last: str) -> Workflow:
    return workflow(
        "/addresses",
        step(
            "add",
            code=f'await {first}.fill("Ann")\nawait {last}.fill("Bell")\n'
            'await page.get_by_label("Street").fill("Elm 1")\nawait page.get_by_label("City").fill("Bern")\n'
            'await page.get_by_role("button", name="Add address").click()',
            post='await gate.text(role="status", contains="Address added")\n'
            'await gate.visible(role="row", name="Ann Bell Elm 1 Bern Edit Delete")',
        ),
    )


@pytest.mark.parametrize(
    ("first", "way"), [('get_by_label("First name")', "repaired"), ('locator("#first_name")', None)]
)
def test_two_fields_side_by_side_of_which_one_changed_its_id(stage: Stage, first: str, way: str | None) -> None:
    stage.shop.mutate("retype", "addresses", target="First name")
    made = addresses(f"page.{first}", 'page.get_by_label("Last name")')
    played = stage.play("/addresses", made)
    added = stage.shop.rows("addresses")[4:]
    if way:
        assert played.ways == [f"passed by {way}"], played.last.reason
        assert [(row["first_name"], row["last_name"]) for row in added] == [("Ann", "Bell")]
    else:
        assert (str(played.last.outcome), added, stage.changes()) == ("failed", [], [])


def test_one_form_in_two_frames(stage: Stage) -> None:
    inside = "page.locator('iframe[title=\"Delivery address\"]').content_frame"
    fill = "\n".join(
        f'await {{0}}.get_by_label("{label}").fill("{value}")'
        for label, value in (("Street", "Elm 1"), ("City", "Bern"))
    )
    save = '\nawait {0}.get_by_role("button", name="Save address").click()'
    post = 'await gate.text(role="status", contains="Kept: Elm 1, Bern")'
    words = ('Type "Elm 1" into "Street".', 'Type "Bern" into "City".', 'Press "Save address".')
    unsaid = stage.play(
        "/frames", workflow("/frames", step("keep", *words, code=(fill + save).format("page"), post=post))
    )
    assert (unsaid.error, stage.changes(), stage.shop.rows("frames")) == ("StepFailed", [], [])
    stage.shop.mutate("swap", "frames", target="delivery", to="billing")
    said = stage.play("/frames", workflow("/frames", step("keep", code=(fill + save).format(inside), post=post)))
    assert said.ways == ["passed by code"], said.last.reason
    assert [row["kind"] for row in stage.shop.rows("frames")] == ["delivery"]


def test_edit_and_delete_have_changed_places(stage: Stage) -> None:
    """By role and name in its row it is the right one."""
    stage.shop.mutate("swap", "addresses", target="row-edit-2", to="row-delete-2")
    row = 'page.get_by_role("row", name="Jonas Keller").get_by_role("button", name="Edit")'
    edit = step("edit", code=f"await {row}.click()", post='await gate.value(label="First name", equals="Jonas")')
    played = stage.play("/addresses", workflow("/addresses", edit))
    assert (played.ways, stage.changes(), len(stage.shop.rows("addresses"))) == (["passed by code"], [], 4)


def test_a_css_selector_that_now_leads_to_another_button_is_never_a_pass(stage: Stage) -> None:
    """In a first run a css selector is only its text: plain Playwright presses what it leads to, and the gate tells.

    That nothing is pressed at all needs the element's fingerprint from an earlier run.
    """
    stage.shop.mutate("swap", "notes", target="keep", to="copy")
    keep = step(
        "keep",
        code='await page.get_by_role("textbox", name="Note").fill("milk")\n'
        'await page.locator(".tools button:nth-child(1)").click()',
        post='await gate.text(role="status", contains="Note kept")\nawait gate.visible(role="listitem", text="milk")',
    )
    played = stage.play("/notes", workflow("/notes", keep))
    assert (str(played.last.outcome), played.error, stage.shop.rows("notes")) == ("failed", "StepFailed", [])


@pytest.mark.parametrize("change", ["swap", "remove"])
def test_buttons_of_icons_in_one_box(stage: Stage, change: str) -> None:
    stage.shop.mutate(change, "notes", target="keep", **({"to": "clear"} if change == "swap" else {}))
    keep = step(
        "keep",
        'Type "milk" into "Note".',
        'Press "Keep note".',
        code='await page.get_by_label("Note").fill("milk")\nawait page.get_by_role("button", name="Keep note").click()',
        post='await gate.text(role="status", contains="Note kept")',
    )
    played = stage.play("/notes", workflow("/notes", keep))
    found = change == "swap"
    assert str(played.last.outcome) == ("passed" if found else "failed"), played.last.reason
    assert stage.changes() == (["POST /notes"] if found else [])
    assert [row["text"] for row in stage.shop.rows("notes")] == (["milk"] if found else [])


def test_a_list_that_is_ordered_otherwise_each_time(stage: Stage) -> None:
    named = step(
        "open",
        code='await page.get_by_role("link", name="Desk lamp").click()',
        post='await gate.visible(role="heading", name="Desk lamp")',
    )
    counted = step(
        "open",
        code='await page.get_by_role("main").get_by_role("link").nth(3).click()',
        post='await gate.visible(role="heading", name="Desk lamp")',
    )
    by_name = [stage.play("/products", workflow("/products", named)) for _ in range(2)]
    assert [(played.ways, played.path) for played in by_name] == [(["passed by code"], "/products/4")] * 2
    by_number = stage.play("/products", workflow("/products", counted))
    assert (by_number.error, by_number.path != "/products/4") == ("StepFailed", True)

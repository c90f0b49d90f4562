"""Each mutation as a browser sees it: what a workflow knew is gone or elsewhere, and the shop still works."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Error, FrameLocator, Locator, Page, expect

from skillnb.testing.site import Site
from skillnb.testing.site.mutations import KINDS

TRACKING = "/orders/1001/tracking"
SAVE = "Save tracking"


def save_in(part: Page | Locator | FrameLocator, save: str = SAVE, number: str = "Tracking number") -> None:
    part.get_by_label("Carrier").select_option("DHL")
    part.get_by_label(number).fill("1")
    part.get_by_role("button", name=save).click()


def saved(page: Page, shop: Site, times: int = 1) -> None:
    expect(page.get_by_role("status")).to_have_text("Tracking saved")
    assert shop.count("POST", "/orders/*/tracking") == times
    assert len(shop.rows("trackings")) == times


def test_rename_a_button_and_a_label(page: Page, shop: Site) -> None:
    one = shop.mutate("rename", page="orders", target=SAVE, to="Store tracking")
    other = shop.mutate("rename", page="orders", target="Tracking number", to="Parcel code")
    page.goto(TRACKING)
    assert page.get_by_role("button", name=SAVE).count() == page.get_by_label("Tracking number").count() == 0
    save_in(page, "Store tracking", "Parcel code")
    saved(page, shop)
    assert (one.happened, other.happened) == (2, 2)


def test_rename_a_button_named_by_its_label_and_a_checkbox(page: Page, shop: Site) -> None:
    shop.mutate("rename", page="notes", target="Keep note", to="Store note")
    shop.mutate("rename", page="profile", target="newsletter", to="Write to me")
    page.goto("/notes")
    expect(page.get_by_role("button", name="Store note")).to_have_text("✚")
    page.goto("/profile")
    expect(page.get_by_role("checkbox", name="Write to me")).to_be_checked()


def test_move_out_of_the_form_and_still_work(page: Page, shop: Site) -> None:
    page.goto(TRACKING)
    assert page.locator("form#form-tracking button").count() == 1
    shop.mutate("move", page="orders", target=SAVE)
    shop.mutate("move", page="orders", target="Tracking number", to="main")
    page.goto(TRACKING)
    assert page.locator("form#form-tracking button, form#form-tracking input").count() == 0
    save_in(page)
    saved(page, shop)


def test_wrap_with_an_advertisement_above(page: Page, shop: Site) -> None:
    page.goto(TRACKING)
    old = "body > main:nth-child(2) > form > button"
    assert page.locator(old).count() == 1
    shop.mutate("wrap", page="orders", target=SAVE, to="ad")
    page.goto(TRACKING)
    assert page.locator(old).count() == 0
    expect(page.get_by_role("link", name="Spring sale")).to_be_visible()
    save_in(page)
    saved(page, shop)


@pytest.mark.parametrize(("hidden", "visible"), [(False, [True, True]), (True, [False, True])])
def test_duplicate(page: Page, shop: Site, hidden: bool, visible: list[bool]) -> None:
    shop.mutate("duplicate", page="orders", target=SAVE, hidden=hidden)
    shop.mutate("duplicate", page="orders", target="Carrier", hidden=hidden)
    page.goto(TRACKING)
    for twins in (page.locator("button", has_text=SAVE), page.locator("select")):
        assert [each.is_visible() for each in twins.all()] == visible
    names = page.get_by_label("Carrier").evaluate_all("all => all.map(each => each.id)")
    assert names == (["carrier-2", "carrier"] if hidden else ["carrier", "carrier-2"])


def test_hide_and_remove(page: Page, shop: Site) -> None:
    shop.mutate("hide", page="orders", target="Carrier")
    shop.mutate("remove", page="orders", target="Tracking number")
    page.goto(TRACKING)
    expect(page.get_by_label("Carrier")).to_be_hidden()
    expect(page.get_by_label("Carrier")).to_have_count(1)
    expect(page.get_by_label("Tracking number")).to_have_count(0)


def test_delay(page: Page, shop: Site) -> None:
    shop.mutate("delay", page="orders", target=SAVE, seconds=0.7)
    page.goto(TRACKING)
    assert page.get_by_role("button", name=SAVE).count() == 0
    save_in(page)
    expect(page.get_by_role("status")).to_have_text("Tracking saved")


def test_swap_edit_and_delete_of_a_row(page: Page, shop: Site) -> None:
    """The old selector leads to the other control."""
    page.goto("/addresses")
    old = "tbody tr:nth-child(1) td:nth-child(4) > :nth-child(1) button"
    expect(page.locator(old)).to_have_text("Edit")
    shop.mutate("swap", page="addresses", target="row-edit-1", to="row-delete-1")
    page.goto("/addresses")
    expect(page.locator(old)).to_have_text("Delete")
    page.get_by_role("row", name="Ines Moreau").get_by_role("button", name="Edit").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Address of Ines Moreau")


def test_swap_two_text_boxes_with_their_ids(page: Page, shop: Site) -> None:
    shop.mutate("swap", page="addresses", target="First name", to="Last name")
    page.goto("/addresses/1/edit")
    expect(page.locator("#first_name")).to_have_value("Moreau")
    expect(page.get_by_label("Last name")).to_have_id("first_name")
    expect(page.locator("form#form-address label")).to_have_text(["Last name", "First name", "Street", "City"])
    page.get_by_label("First name").fill("Inés")
    page.get_by_role("button", name="Save address").click()
    expect(page.get_by_role("status")).to_have_text("Address saved")
    row = shop.rows("addresses")[0]
    assert (row["first_name"], row["last_name"]) == ("Inés", "Moreau")


def test_swapped_buttons_of_two_forms_each_send_their_own(page: Page, shop: Site) -> None:
    shop.mutate("swap", page="reviews", target="Post review", to="Delete all")
    page.goto("/reviews")
    expect(page.locator("#form-review button")).to_have_text("Delete all")
    page.get_by_label("Your review").fill("Good")
    page.get_by_role("button", name="Post review").click()
    expect(page.get_by_role("status")).to_have_text("Review posted")
    assert ("Good", shop.count("POST", "/reviews/delete-all")) == (shop.rows("reviews")[-1]["text"], 0)


def test_swap_two_icons(page: Page, shop: Site) -> None:
    shop.mutate("swap", page="notes", target="Keep note", to="Delete notes")
    page.goto("/notes")
    expect(page.locator(".tools button")).to_have_text(["✖", "⧉", "✚"])


def test_iframe_wrap_with_a_mutation_before_and_one_after(page: Page, shop: Site) -> None:
    before = shop.mutate("rename", page="orders", target=SAVE, to="Store")
    shop.mutate("iframe-wrap", page="orders", target="Store", to="Tracking form")
    after = shop.mutate("rename", page="orders", target="Tracking number", to="Code")
    page.goto(TRACKING)
    assert page.get_by_role("button", name="Store").count() == 0
    save_in(page.frame_locator('iframe[title="Tracking form"]'), "Store", "Code")
    saved(page, shop)
    assert (before.happened, after.happened) == (2, 2), "two pages were shown, each with its part"
    assert shop.count("GET", TRACKING) == 2, "the part is asked for under an address of its own"


def test_iframe_wrap_keeps_the_scripts_of_the_form(page: Page, shop: Site) -> None:
    shop.mutate("iframe-wrap", page="payment", target="Save card")
    page.goto("/payment")
    form = page.frame_locator("iframe")
    form.get_by_label("Card number").press_sequentially("4111111111111111")
    expect(form.get_by_label("Card number")).to_have_value("4111 1111 1111 1111")


def test_shadow_wrap(page: Page, shop: Site) -> None:
    shop.mutate("shadow-wrap", page="orders", target="Carrier")
    page.goto(TRACKING)
    assert page.evaluate("document.querySelector('select')") is None
    save_in(page)
    saved(page, shop)


@pytest.mark.parametrize("to", ["", "script"])
def test_popup_by_link_or_script(page: Page, shop: Site, to: str) -> None:
    shop.mutate("popup", page="orders.order", target="Add tracking", to=to)
    page.goto("/orders/1001")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Add tracking").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("Tracking of order 1001")
    expect(page).to_have_url(f"{shop.url}/orders/1001")


def test_popup_of_a_form(page: Page, shop: Site) -> None:
    shop.mutate("popup", page="orders.tracking", target=SAVE)
    page.goto(TRACKING)
    with page.expect_popup() as opened:
        save_in(page)
    saved(opened.value, shop)


@pytest.mark.parametrize(("accept", "times"), [(True, 1), (False, 0)])
def test_dialog(page: Page, shop: Site, accept: bool, times: int) -> None:
    asked: list[str] = []

    def reply(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.accept() if accept else dialog.dismiss()

    page.on("dialog", reply)
    shop.mutate("dialog", page="orders", target=SAVE, to="Really? It's final")
    page.goto(TRACKING)
    save_in(page)
    page.goto("/orders")
    assert (asked, shop.count("POST", TRACKING)) == (["Really? It's final"], times)


def test_alert_and_banner(page: Page, shop: Site) -> None:
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.accept())[1])
    shop.mutate("alert", page="orders.order", to="Stock-taking tonight")
    shop.mutate("banner", page="orders.order")
    page.goto("/orders/1001")
    expect(page.get_by_role("region", name="Cookies")).to_be_visible()
    assert said == ["Stock-taking tonight"]


def test_error_500_before_and_after_the_effect(page: Page, shop: Site) -> None:
    for effect, rows in ((False, 0), (True, 1)):
        broken = shop.mutate("error-500", page="orders.tracking", method="POST", effect=effect, times=1)
        page.goto(TRACKING)
        save_in(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Something went wrong")
        assert (broken.happened, len(shop.rows("trackings"))) == (1, rows)
    page.goto(TRACKING)
    save_in(page)
    saved_rows = len(shop.rows("trackings"))
    expect(page.get_by_role("status")).to_have_text("Tracking saved")
    assert saved_rows == 2


def test_slow(page: Page, shop: Site) -> None:
    shop.mutate("slow", page="orders.tracking", method="POST", seconds=0.6, times=1)
    page.goto(TRACKING)
    begin = time.monotonic()
    save_in(page)
    saved(page, shop)
    assert time.monotonic() - begin > 0.6


def test_a_slow_answer_that_the_browser_does_not_wait_for(page: Page, shop: Site) -> None:
    shop.mutate("slow", page="orders.tracking", method="POST", seconds=20)
    page.goto(TRACKING)
    page.get_by_label("Carrier").select_option("DHL")
    page.get_by_label("Tracking number").fill("1")
    with pytest.raises(Error, match="Timeout 400ms"), page.expect_navigation(timeout=400):
        page.get_by_role("button", name=SAVE).evaluate("button => button.click()")
    page.context.close()
    assert (shop.count("POST", TRACKING), len(shop.rows("trackings"))) == (1, 1)


def test_expired_once(page: Page, shop: Site) -> None:
    shop.mutate("expired", page="orders.tracking")
    page.goto(TRACKING)
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
    expect(page.get_by_role("status")).to_have_text("Please log in")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("wonder-land-7")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tracking of order 1001")


def test_expired_in_the_middle_of_a_form(page: Page, shop: Site) -> None:
    shop.mutate("expired", page="orders.tracking", method="POST")
    page.goto(TRACKING)
    save_in(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
    assert (shop.count("POST", TRACKING), shop.rows("trackings")) == (1, [])


def test_extra_page_for_one_order(page: Page, shop: Site) -> None:
    shop.mutate("extra-page", page="orders.tracking", target="1002")
    page.goto(TRACKING)
    expect(page.get_by_role("heading", level=1)).to_have_text("Tracking of order 1001")
    for _ in range(2):
        page.goto("/orders/1002")
        page.get_by_role("link", name="Add tracking").click()
        continue_if_asked(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Tracking of order 1002")
    assert shop.count("POST", "/notice") == 1


def continue_if_asked(page: Page) -> None:
    if page.get_by_role("heading", name="One more thing").count():
        page.get_by_role("button", name="Continue").click()


def test_retype_a_label_a_button_and_a_link(page: Page, shop: Site) -> None:
    shop.mutate("retype", page="orders", target="Tracking number")
    shop.mutate("retype", page="orders", target=SAVE)
    shop.mutate("retype", page="orders", target="Back to the order")
    page.goto(TRACKING)
    assert page.get_by_label("Tracking number").count() == 0
    assert page.locator("#tracking_number").count() == 0
    assert page.get_by_role("button", name=SAVE).count() == 0
    page.get_by_label("Carrier").select_option("DHL")
    page.locator("#x-tracking_number").fill("1")
    page.get_by_text(SAVE, exact=True).click()
    saved(page, shop)
    page.get_by_text("Back to the order").click()
    expect(page).to_have_url(f"{shop.url}/orders/1001")


def test_disable(page: Page, shop: Site) -> None:
    shop.mutate("disable", page="orders", target=SAVE)
    shop.mutate("disable", page="orders", target="Back to the order")
    page.goto(TRACKING)
    expect(page.get_by_role("button", name=SAVE)).to_be_disabled()
    page.get_by_role("link", name="Back to the order").click(force=True)
    expect(page).to_have_url(f"{shop.url}{TRACKING}")


def test_for_one_address_a_few_times_and_until_undone(page: Page, shop: Site) -> None:
    def shown(number: int) -> bool:
        page.goto(f"/orders/{number}")
        return page.get_by_role("button", name="Cancel order").is_visible()

    mutated = shop.mutate("remove", page="orders", target="Cancel order", path="/orders/1002", times=2)
    assert [shown(number) for number in (1001, 1002, 1002, 1002)] == [True, False, False, True]
    assert mutated.happened == 2
    other = shop.mutate("hide", target="Cancel order")
    assert shown(1001) is False
    other.undo()
    assert shown(1001) is True


def test_a_target_that_is_not_there_is_known_by_never_having_happened(page: Page, shop: Site) -> None:
    mutated = shop.mutate("remove", page="orders", target="Save everything")
    page.goto(TRACKING)
    expect(page.get_by_role("button", name=SAVE)).to_be_visible()
    assert mutated.happened == 0


def test_all_kinds_at_once_are_still_a_page(page: Page, shop: Site) -> None:
    names = {"rename": "Tracking number", "move": "carrier", "wrap": SAVE, "retype": "tracking_number"}
    for kind, target in names.items():
        shop.mutate(kind, page="orders", target=target, to={"rename": "Code", "wrap": "ad"}.get(kind, ""))
    shop.mutate("shadow-wrap", page="orders", target=SAVE)
    shop.mutate("iframe-wrap", page="orders", target=SAVE)
    page.goto(TRACKING)
    form = page.frame_locator("iframe")
    form.locator("#x-tracking_number").fill("7")
    expect(form.get_by_role("button", name=SAVE)).to_be_visible()


def test_every_kind_has_a_test_here() -> None:
    text = Path(__file__).read_text("utf-8")
    assert [kind for kind in KINDS if not re.search(rf'(mutate\(|names = .*)"{kind}"', text)] == []

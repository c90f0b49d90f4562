"""The pages in a real browser: the controls that are documented, and that each form does what it says."""

from __future__ import annotations

from textwrap import indent

import pytest
from playwright.sync_api import Dialog, Page, expect

from skillnb.testing.site import Site
from skillnb.testing.site.catalogue import PAGES
from skillnb.testing.site.visit import control


def test_the_documented_controls_are_there(page: Page) -> None:
    page.on("dialog", lambda dialog: dialog.dismiss())
    wrong = []
    for known in PAGES:
        page.goto(known.address)
        for each in map(control, known.controls):
            by_role = page.get_by_role(each.role, name=each.name, exact=True)  # type: ignore[arg-type]
            found = page.locator(f'iframe[title="{each.name}"]') if each.role == "iframe" else by_role
            if found.count() != each.times:
                wrong.append((known.name, each, found.count()))
    assert wrong == []


TRACKING = """
- heading "Tracking of order 1001" [level=1]
- text: Carrier
- combobox "Carrier":
  - option "Choose a carrier" [selected]
  - option "DHL"
  - option "UPS"
  - option "Swiss Post"
  - option "Pick-up"
- text: Tracking number
- textbox "Tracking number"
- button "Save tracking"
- paragraph:
  - link "Back to the order":
    - /url: /orders/1001
"""
LOGIN = """
- heading "Log in" [level=1]
- text: Username
- textbox "Username"
- text: Password
- textbox "Password"
- checkbox "Remember me"
- text: Remember me
- button "Log in"
"""
NEW_ISSUE = """
- heading "New issue" [level=1]
- text: Title
- textbox "Title"
- text: Description
- textbox "Description"
- group "Labels":
  - text: Labels
  - checkbox "Bug"
  - text: Bug
  - checkbox "Billing"
  - text: Billing
  - checkbox "Design"
  - text: Design
  - checkbox "Docs"
  - text: Docs
  - checkbox "Urgent"
  - text: Urgent
- text: Assignee
- combobox "Assignee"
- text: Priority Choose a priority Due date
- textbox "Due date"
- group "Remind me on":
  - text: Remind me on
  - textbox "Day"
  - textbox "Month"
  - textbox "Year"
- button "Create issue"
"""
HEADER = """
- text: Corner Store
- navigation "Main":
  - list:
    - listitem:
      - link "Home":
        - /url: /
    - listitem:
      - link "Products":
        - /url: /products
    - listitem:
      - link "Orders":
        - /url: /orders
    - listitem:
      - link "Issues":
        - /url: /issues
    - listitem:
      - link "Cart":
        - /url: /cart
- search "Site":
  - text: Search the shop
  - searchbox "Search the shop"
  - button "Submit"
- link "Account of alice":
  - /url: /profile
- button "Log out"
"""


@pytest.mark.parametrize(
    ("path", "part", "role", "snapshot"),
    [
        ("/orders/1001/tracking", "main", "main", TRACKING),
        ("/login", "main", "main", LOGIN),
        ("/issues/new", "main", "main", NEW_ISSUE),
        ("/orders", "body > header", "banner", HEADER),
    ],
)
def test_the_main_pages_as_they_are_heard(page: Page, path: str, part: str, role: str, snapshot: str) -> None:
    page.goto(path)
    expected = f"- {role}:\n" + indent(snapshot.strip(), "  ")
    assert page.locator(part).aria_snapshot().splitlines() == expected.splitlines()


def test_log_in_leads_to_what_was_asked_for_and_log_out_away(guest: Page, shop: Site) -> None:
    guest.goto("/issues/3")
    guest.get_by_label("Username").fill("bob")
    guest.get_by_label("Password").fill("wrong")
    guest.get_by_role("button", name="Log in").click()
    expect(guest.get_by_role("alert")).to_have_text("No account of that name and password: bob")
    guest.get_by_label("Password").fill("bobs-lantern-9")
    guest.get_by_role("button", name="Log in").click()
    expect(guest).to_have_url(f"{shop.url}/issues/3")
    guest.get_by_role("button", name="Log out").click()
    guest.goto("/issues/3")
    expect(guest.get_by_role("heading", level=1)).to_have_text("Log in")


def test_tracking_is_saved_and_shown(page: Page, shop: Site) -> None:
    page.goto("/orders")
    page.get_by_role("link", name="Order 1001").click()
    page.get_by_role("link", name="Add tracking").click()
    page.get_by_label("Carrier").select_option("UPS")
    page.get_by_label("Tracking number").fill("1Z 77")
    page.get_by_role("button", name="Save tracking").click()
    expect(page.get_by_role("status")).to_have_text("Tracking saved")
    expect(page.get_by_label("Carrier")).to_have_value("ups")
    assert shop.rows("trackings") == [{"id": 1, "order_id": 1001, "carrier": "ups", "number": "1Z 77"}]


@pytest.mark.parametrize(("answer", "status"), [(True, "cancelled"), (False, "new")])
def test_an_order_is_cancelled_when_the_dialog_is_accepted(page: Page, shop: Site, answer: bool, status: str) -> None:
    asked: list[str] = []

    def reply(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.accept() if answer else dialog.dismiss()

    page.on("dialog", reply)
    page.goto("/orders/1003")
    before = shop.rows("orders")[2]["status"]
    page.get_by_role("button", name="Cancel order").click()
    page.goto("/orders/1003")
    assert asked == ["Cancel order 1003?"]
    assert shop.rows("orders")[2]["status"] == (status if answer else before)


def test_buying(page: Page, shop: Site) -> None:
    page.goto("/products")
    page.get_by_label("Search products").fill("lamp")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Desk lamp").click()
    page.get_by_label("Quantity").fill("3")
    page.get_by_role("button", name="Add to cart").click()
    page.get_by_role("link", name="Checkout").click()
    for label in ("Full name", "Address", "Phone", "Card number"):
        page.get_by_label(label).fill(f"my {label}")
    page.get_by_role("button", name="Place order").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Order 1013")
    assert shop.rows("orders")[-1]["customer"] == "my Full name"


def test_an_issue_with_every_kind_of_field(page: Page, shop: Site) -> None:
    page.goto("/issues/new")
    page.get_by_label("Title").fill("Lid missing")
    page.get_by_label("Description").fill("two\nlines")
    page.get_by_label("Bug").check()
    page.get_by_label("Urgent").check()
    page.get_by_role("combobox", name="Assignee").press_sequentially("al")
    page.get_by_role("option", name="Alan Becker").click()
    page.get_by_text("Choose a priority").click()
    page.get_by_text("Critical", exact=True).click()
    page.get_by_label("Due date").fill("2026-04-05")
    page.get_by_label("Day").press_sequentially("06042026")
    page.get_by_role("button", name="Create issue").click()
    expect(page.get_by_role("status")).to_have_text("Issue created")
    assert shop.rows("issues")[-1] == {
        "id": 35,
        "title": "Lid missing",
        "description": "two\r\nlines",
        "status": "open",
        "labels": "bug,urgent",
        "assignee": "Alan Becker",
        "priority": "critical",
        "due": "2026-04-05",
        "remind": "2026-04-06",
        "author": "alice",
    }


def test_what_is_typed_into_the_combobox_and_not_chosen_does_not_count(page: Page, shop: Site) -> None:
    page.goto("/issues/new")
    page.get_by_label("Title").fill("No one")
    page.get_by_text("Choose a priority").click()
    page.get_by_text("Low", exact=True).click()
    page.get_by_role("combobox", name="Assignee").fill("Alan Becker")
    page.get_by_label("Title").focus()
    expect(page.get_by_role("combobox", name="Assignee")).to_have_value("")
    page.get_by_role("combobox", name="Assignee").fill("ca")
    expect(page.get_by_role("option")).to_have_text(["Carla Conti"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Create issue").click()
    expect(page.get_by_role("status")).to_have_text("Issue created")
    assert shop.rows("issues")[-1]["assignee"] == "Carla Conti"


def test_issues_are_filtered_paged_edited_closed_and_talked_about(page: Page, shop: Site) -> None:
    page.goto("/issues")
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("link", name="2", exact=True)).to_have_attribute("aria-current", "page")
    page.get_by_label("State").select_option("Closed")
    page.get_by_role("button", name="Apply filters").click()
    expect(page.locator("caption")).to_have_text("8 issues")
    page.goto("/issues/1/edit")
    page.get_by_label("Title").fill("Umlauts")
    page.get_by_role("button", name="Save changes").click()
    page.get_by_role("button", name="Close issue").click()
    page.get_by_label("Comment").fill("Done.")
    page.get_by_role("button", name="Add comment").click()
    expect(page.get_by_role("article")).to_have_count(3)
    assert [shop.rows("issues")[0][name] for name in ("title", "status")] == ["Umlauts", "closed"]


def test_the_label_with_a_link_is_ticked_by_its_box(page: Page, shop: Site) -> None:
    page.goto("/profile")
    page.get_by_role("button", name="Save profile").click()
    expect(page.get_by_role("alert")).to_have_text("You must agree to the terms")
    page.get_by_role("checkbox", name="I agree to the Terms of service").check()
    page.get_by_role("button", name="Save profile").click()
    expect(page.get_by_role("status")).to_have_text("Profile saved")
    page.get_by_role("link", name="Terms of service").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Terms of service")


def test_masks_and_a_box_that_is_replaced_at_each_key(page: Page, shop: Site) -> None:
    page.goto("/payment")
    page.get_by_label("Card number").press_sequentially("4111111111111111")
    page.get_by_label("Expiry").fill("1229")
    page.evaluate("window.first = document.getElementById('postal_code')")
    page.get_by_label("Postal code").press_sequentially("sw1a")
    assert page.evaluate("window.first.isConnected") is False
    page.get_by_role("button", name="Save card").click()
    expect(page.get_by_role("status")).to_have_text("Card saved")
    kept = {"id": 1, "user": "alice", "number": "4111 1111 1111 1111", "expiry": "12/29", "postal_code": "SW1A"}
    assert shop.rows("cards") == [kept]


def test_what_was_typed_is_repeated(page: Page) -> None:
    page.goto("/gift-card")
    for label in ("Message", "Card number", "Phone", "PIN"):
        page.get_by_label(label).fill(f"<{label}>")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("section p")).to_have_text(
        ["Message: <Message>", "Card number: <Card number>", "Phone: <Phone>", "PIN: <PIN>"]
    )


def test_edit_and_delete_belong_to_their_row(page: Page, shop: Site) -> None:
    page.goto("/addresses")
    page.get_by_role("row", name="Jonas Keller").get_by_role("button", name="Edit").click()
    page.get_by_label("Last name").fill("Kell")
    page.get_by_role("button", name="Save address").click()
    page.get_by_role("row", name="Priya Nair").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("status")).to_have_text("Address deleted")
    assert [row["last_name"] for row in shop.rows("addresses")] == ["Moreau", "Kell", "Silva"]


def test_submit_in_the_header_and_in_the_page_do_different_things(page: Page, shop: Site) -> None:
    page.goto("/contact")
    page.get_by_role("main").get_by_role("button", name="Submit").click()
    expect(page.get_by_role("status")).to_have_text("Message sent")
    page.get_by_role("banner").get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Products")
    assert shop.counts() == {
        "GET /contact": 2, "GET /products": 1, "POST /contact": 1, "POST /login": 1, "GET /orders": 1
    }  # fmt: skip

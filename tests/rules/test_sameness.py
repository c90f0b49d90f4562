from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.rules.sameness import another, is_same
from skillnb.terms.fingerprint import Fingerprint
from tests.rules.madepages import button, element, field, link, orders, shop


@pytest.mark.parametrize("at", range(16))
def test_every_element_is_itself_and_no_other(at: int) -> None:
    page = shop()
    assert is_same(page[at], page[at]).verdict == "same"
    for place, other in enumerate(page):
        assert place == at or is_same(page[at], other).verdict == "other"


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (button("Edit", 1), button("Delete", 1)),
        (button("Edit", 1, id="b1"), button("Delete", 1, id="b1")),
        (button("Submit", 1), button("Send", 1)),
        (button("Save", 1), replace(button("Save", 1), frame=("ads",))),
        (field("Search", 1), link("Search", 1, "/search/")),
        (field("First name", 1), field("Last name", 1)),
        (link("", 1, "/order/1/edit/"), link("", 1, "/basket/empty/")),
        (button("", 1, **{"class": "icon-edit"}), button("", 1, **{"class": "icon-bin"})),
        (element("input", 1, role="checkbox", name="Remember me"), button("Remember me", 1)),
    ],
    ids=lambda one: one.name or one.href or one.tag,
)
def test_another_element(was: Fingerprint, now: Fingerprint) -> None:
    assert is_same(was, now).verdict == "other"
    assert another(was, now) or was.frame != now.frame or was.role != now.role or not was.name


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (button("Cart (3)", 1), button("Cart (12)", 1)),
        (button("Cart", 1), button("Cart (1)", 1)),
        (button("Inbox 3", 1, id="inbox"), button("Inbox 14", 1, id="inbox")),
        (button("Save", 1, id="save"), button("Save", 30, id="x81")),
        (button("Save", 1), element("a", 1, role="link", name="Save")),
        (button("SAVE", 1), button("Save", 1)),
        (field("Street", 1), replace(field("Street", 1), text="12 High Street")),
        (element("p", 1, text="3 orders wait", id="told"), element("p", 1, text="None wait", id="told")),
        (link("Orders", 1, "/orders/?t=a1"), link("Orders", 1, "/orders/?t=b")),
        (element("label", 1, text="Remember me"), element("span", 1, text="Remember me")),
    ],
    ids=lambda one: one.name or one.text,
)
def test_the_same_element_with_what_changes_by_the_day(was: Fingerprint, now: Fingerprint) -> None:
    assert is_same(was, now).verdict == "same"


@pytest.mark.parametrize(
    ("was", "now", "why"),
    [
        (button("Order 1001", 1), button("Order 1002", 1), 'it is called "order 1002", and was called "order 1001"'),
        (button("Follow", 1, id="f"), button("Following", 1, id="f"), "with the same id"),
        (button("Submit", 1), button("Submit all", 1), 'it is called "submit all"'),
        (button("", 1), button("", 2), "no name, and no mark of its own"),
        (element("p", 1, text="3 orders wait"), element("p", 1, text="None wait"), "it is called"),
        (link("Edit", 1, "/orders/1/"), link("Edit", 1, "/orders/2/"), "it leads to /orders/2/, and led to /orders/1/"),
        (
            orders("Ann Ash")[0],
            orders("Bob Bell")[0],
            'it stands in "Bob Bell pending", and stood in "Ann Ash pending"',
        ),
    ],
    ids=lambda one: one if isinstance(one, str) else one.name,
)
def test_nothing_tells(was: Fingerprint, now: Fingerprint, why: str) -> None:
    told = is_same(was, now)
    assert told.verdict == "unsure"
    assert why.casefold() in told.why.casefold()


def test_a_longer_name_takes_no_place_without_a_mark_that_is_the_same() -> None:
    assert another(button("Submit", 1), button("SubmitAll", 1))
    assert another(link("Returns", 1, "/returns/"), link("Returns and orders", 1, "/orders/"))
    assert not another(button("Orders", 1, id="orders"), button("Returns and orders", 1, id="orders"))


def test_an_accessible_name_does_not_get_lost_and_a_text_may() -> None:
    assert another(button("Close", 1), button("", 1))
    assert another(button("", 1), button("Close", 1))
    assert not another(element("span", 1, text="Close"), element("span", 1))


@settings(deadline=None)
@given(st.text(max_size=30), st.sampled_from(("a", "button", "span", "input")), st.text(max_size=9))
def test_whatever_it_is_called_it_is_never_another_than_itself(name: str, tag: str, href: str) -> None:
    one = element(tag, 1, name=name, href=href)
    assert is_same(one, one).verdict != "other"
    assert not another(one, one)

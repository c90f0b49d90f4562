from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.rules.relocating import Abstained, Relocated, prepare, relocate
from skillnb.terms.fingerprint import Box, Fingerprint
from tests.rules.madepages import button, element, field, link, orders, shop


def answered(was: Fingerprint, page: list[Fingerprint]) -> Fingerprint | str:
    """The element, or why none was given."""
    found = relocate(was, prepare(page))
    return found.element if isinstance(found, Relocated) else found.reason


def under(page: list[Fingerprint], wrapper: str) -> list[Fingerprint]:
    """The page with one more element around all of it."""
    return [
        replace(one, path=one.path.replace("/body[1]/", f"/body[1]/{wrapper}[1]/"), box=lower(one.box)) for one in page
    ]


def lower(box: Box | None) -> Box | None:
    return replace(box, y=box.y + 90) if box else None


@pytest.mark.parametrize("at", range(16))
def test_every_element_of_an_unchanged_page_is_found(at: int) -> None:
    page = shop()
    found = relocate(page[at], prepare(page))
    assert isinstance(found, Relocated)
    assert (found.at, found.element) == (at, page[at])
    assert 0.8 < found.confidence < 1
    assert at not in [runner.at for runner in found.runners_up]


@pytest.mark.parametrize("at", range(16))
def test_an_advert_put_above_all_moves_nothing_out_of_reach(at: int) -> None:
    page = under(shop(), "div")
    assert answered(shop()[at], page) == page[at]


def test_a_button_is_found_by_its_name_when_its_id_and_place_are_new() -> None:
    was = button("Ship order", 30, id="ship-btn-17")
    now = button("Ship order", 3, id="k9x2")
    assert answered(was, [*shop(), now]) == now


def test_of_two_fields_side_by_side_the_one_whose_id_changed_is_found() -> None:
    first, last = field("First name", 30, id="first"), field("Last name", 31, id="last")
    now = [field("First name", 30, id="f-2841"), field("Last name", 31, id="last")]
    page = [*(one for one in shop() if one.role != "textbox"), *now]
    assert answered(first, page) == now[0]
    assert answered(last, page) == now[1]


def test_a_field_that_was_renamed_is_never_the_one_beside_it() -> None:
    street, town = field("Street line 1", 30, id="street"), field("Town", 31, id="town")
    page = [*shop()[:8], field("Address", 30, id="a1"), town]
    assert isinstance(answered(street, page), str)


def test_two_twins_are_told_as_tied() -> None:
    was = button("Add", 40)
    twins = [replace(was, path=f"/html[1]/body[1]/{part}[1]/button[1]", box=None) for part in ("div", "section")]
    found = relocate(replace(was, path="/html[1]/body[1]/p[1]/button[1]"), prepare([*shop(), *twins]))
    assert isinstance(found, Abstained)
    assert "several elements are about equally like it" in found.reason
    assert {twin.at for twin in found.tied[:2]} == {16, 17}


def test_submit_that_is_gone_is_not_submit_all_beside_it() -> None:
    was = button("Submit", 25)
    page = [*shop(), button("Send", 25), button("SubmitAll", 26)]
    told = answered(was, page)
    assert isinstance(told, str)
    assert 'it is called "' in told


def test_submit_is_found_beside_submit_all() -> None:
    was, beside = button("Submit", 25), button("SubmitAll", 26)
    now = replace(was, path="/html[1]/body[1]/form[1]/button[2]")
    assert answered(was, [*shop(), beside, now]) == now


def test_edit_is_followed_when_it_and_delete_change_places() -> None:
    edit, delete = orders("Ann Ash")
    swapped = [replace(delete, path=edit.path, box=edit.box), replace(edit, path=delete.path, box=delete.box)]
    assert answered(edit, [*shop(), *swapped]) == swapped[1]
    assert answered(delete, [*shop(), *swapped]) == swapped[0]


def test_the_row_decides_among_the_buttons_of_a_list_in_new_order() -> None:
    names = ("Ann Ash", "Bob Bell", "Cid Cole", "Dee Dunn")
    was, page = orders(*names), orders(*reversed(names))
    for one in was:
        found = answered(one, [*shop(), *page])
        assert isinstance(found, Fingerprint)
        assert (found.name, found.ancestors) == (one.name, one.ancestors)


def test_a_row_that_is_gone_is_not_the_one_that_moved_into_its_place() -> None:
    was = orders("Ann Ash", "Bob Bell", "Cid Cole")
    for one in was[:2]:
        assert 'stands in "Bob Bell pending"' in str(answered(one, [*shop(), *orders("Bob Bell", "Cid Cole")]))
        assert 'stands in "Cid Cole pending"' in str(answered(one, [*shop(), *orders("Cid Cole")]))


def test_icon_buttons_that_share_a_container_are_told_apart_by_their_row_or_not_at_all() -> None:
    icons = [replace(one, name="", text="", neighbours=()) for one in orders("Ann Ash", "Bob Bell")]
    assert answered(icons[0], [*shop(), *icons]) == icons[0]
    alike = [
        replace(one, ancestors=(), attributes=(), box=None, path=f"/html[1]/body[1]/div[1]/button[{at}]")
        for at, one in enumerate(icons, 1)
    ]
    told = answered(replace(alike[0], path="/html[1]/body[1]/nav[1]/button[9]"), [*shop(), *alike])
    assert isinstance(told, str)


def test_a_label_may_have_become_a_span() -> None:
    was = element("label", 15, text="Remember me on this device")
    now = replace(was, tag="span", path="/html[1]/body[1]/main[1]/div[15]/div[1]/span[1]")
    assert answered(was, [*shop(), now]) == now


def test_a_link_is_no_text_field() -> None:
    was = field("Search orders", 30)
    told = answered(was, [*shop()[:8], link("Search orders", 30, "/search/")])
    assert told == "none of the page's 9 elements can be used as a textbox is"


def test_another_frame_is_another_page() -> None:
    was = replace(shop()[13], frame=("checkout",))
    assert answered(was, shop()) == "none of the page's 16 elements in frame checkout can be used as a button is"


def test_an_element_and_what_it_holds_are_no_rivals() -> None:
    outer = button("Place the order", 30)
    inner = element("span", 30, text="Place the order", path=f"{outer.path}/span[1]", box=outer.box)
    found = relocate(outer, prepare([*shop(), inner, outer]))
    assert isinstance(found, Relocated)
    assert found.element == outer
    assert all(shop()[runner.at] != inner for runner in found.runners_up)


def test_an_empty_page_has_nothing() -> None:
    assert relocate(shop()[0], prepare([])) == Abstained("the page has no elements", 0.0, None, ())


def test_the_only_element_of_a_page_is_not_taken_for_want_of_others() -> None:
    assert isinstance(answered(button("Ship order", 30), [button("Log out", 2)]), str)


@settings(deadline=None)
@given(st.permutations(range(16)), st.integers(0, 15))
def test_the_order_of_the_candidates_does_not_matter(order: list[int], at: int) -> None:
    page = [shop()[place] for place in order]
    assert answered(shop()[at], page) == shop()[at]


@settings(deadline=None)
@given(st.permutations(range(6)))
def test_of_two_twins_none_is_given_in_any_order(order: list[int]) -> None:
    was = button("Add", 40)
    twins = [replace(was, path=f"/html[1]/body[1]/{part}[1]/button[1]", box=None) for part in ("div", "section")]
    page = [*twins, *shop()[:4]]
    wanted = replace(was, path="/html[1]/body[1]/p[1]/button[1]")
    assert isinstance(answered(wanted, [page[place] for place in order]), str)


strangers = st.builds(
    lambda tag, name, at: element(tag, at, name=name, role={"a": "link", "button": "button"}.get(tag, "")),
    st.sampled_from(("a", "button", "div", "span")),
    st.text("qxz", min_size=4, max_size=12),
    st.integers(50, 90),
)


@settings(deadline=None)
@given(st.lists(strangers, max_size=5), st.integers(0, 15))
def test_strangers_on_the_page_never_lead_to_a_wrong_answer(more: list[Fingerprint], at: int) -> None:
    was = shop()[at]
    moved = under(shop(), "section")
    found = answered(was, [*more, *moved])
    assert found == moved[at] or isinstance(found, str)


@settings(deadline=None)
@given(st.lists(strangers, max_size=5), st.integers(0, 15))
def test_what_is_gone_is_not_found_among_strangers(more: list[Fingerprint], at: int) -> None:
    page = shop()
    was = page.pop(at)
    assert isinstance(answered(was, [*page, *more]), str)


any_text = st.text(max_size=12)
fingerprints = st.builds(
    Fingerprint,
    tag=st.sampled_from(("a", "button", "input", "div", "select", "svg")),
    role=st.sampled_from(("", "link", "button", "textbox", "checkbox")),
    name=any_text,
    text=any_text,
    href=any_text,
    path=any_text,
    id_path=any_text,
    ancestors=st.lists(any_text, max_size=2).map(tuple),
    neighbours=st.lists(any_text, max_size=2).map(tuple),
    box=st.none()
    | st.builds(Box, x=st.floats(-9e4, 9e4), y=st.floats(-9e4, 9e4), width=st.just(0.0), height=st.just(9.0)),
)


@settings(deadline=None)
@given(fingerprints, st.lists(fingerprints, max_size=6))
def test_anything_can_be_asked_of_any_page(was: Fingerprint, page: list[Fingerprint]) -> None:
    found = relocate(was, prepare(page))
    assert 0 <= found.confidence <= 1
    if isinstance(found, Relocated):
        assert found.element == page[found.at]
        assert found.element.frame == was.frame

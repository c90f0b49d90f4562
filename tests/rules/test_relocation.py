from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.relocation import Wanted, relocate, wanted
from skillnb.terms.action import Abstain, Target
from skillnb.terms.observation import Observation
from tests.pages import page, recorded


def found(selector: str, method: str, seen: Observation) -> tuple[str, str, str] | str:
    """(ref, name, how), or the reason of the abstention."""
    lost = wanted(selector, method)
    target = lost if isinstance(lost, Abstain) else relocate(lost, seen)
    return (target.ref, target.name, target.how) if isinstance(target, Target) else target.reason


def role(kind: str, name: str) -> str:
    return f'internal:role={kind}[name="{name}"i]'


SHOP = page("""
    - generic [ref=e1]:
      - link "Submit" [ref=e2]
      - button "SubmitAll" [ref=e3]
      - button "Pages" [ref=e4]
      - textbox "Username*" [ref=e5]
      - textbox "Password" [disabled] [ref=e6]
      - button "Log in" [ref=e7]
      - button "Edit" [ref=e8]
      - link "Add a page" [ref=e9]
      - link "Search redirect" [ref=e10]
      - button "Remove items" [ref=e11]
      - generic [ref=e12] [cursor=pointer]: Show more
      - generic [ref=e13]:
        - text: Street
        - textbox [ref=e14]
      - button "Twin" [ref=e15]
      - button "Twin" [ref=e16]
      - button "Ghost" [disabled] [ref=e17]
      - button "Ghost" [ref=e18]
      - button "No box"
      - combobox "Carrier" [ref=e19]:
        - option "DHL"
      - navigation "Main" [ref=e21]:
        - link "Go" [ref=e22]
    """)


@pytest.mark.parametrize(
    ("selector", "method", "expected"),
    [
        (role("button", "Log in"), "click", ("e7", "Log in", "same role, same name")),
        (role("button", "Go"), "click", 'no element is named like button "Go"'),
        (role("link", "Go"), "click", ("e22", "Go", "same role, same name")),
        (role("link", "Pages"), "click", ("e4", "Pages", "compatible role, same name")),
        (role("textbox", "Username: *"), "fill", ("e5", "Username*", "same role, same name")),
        ('internal:label="Username: *"i', "fill", ("e5", "Username*", "compatible role, same name")),
        ('internal:label="Street"i', "fill", ("e14", "", "unnamed field beside the text")),
        (role("button", "Login"), "click", ("e7", "Log in", "similar name")),
        (role("link", "Add page"), "click", ("e9", "Add a page", "similar name")),
        (role("link", "Search redirects"), "click", ("e10", "Search redirect", "similar name")),
        (role("button", "Show more"), "click", ("e12", "Show more", "compatible role, same name")),
        ('internal:text="Show more"i', "click", ("e12", "Show more", "compatible role, same name")),
        (role("button", "Ghost"), "click", ("e18", "Ghost", "same role, same name")),
        ('internal:label="Carrier"s', "select_option", ("e19", "Carrier", "compatible role, same name")),
    ],
)
def test_the_element_is_found_again(selector: str, method: str, expected: tuple[str, str, str]) -> None:
    assert found(selector, method, SHOP) == expected


@pytest.mark.parametrize(
    ("selector", "method", "reason"),
    [
        (role("button", "Save"), "click", "no element is named like"),
        (role("button", "Delete"), "click", "no element is named like"),
        (role("button", "Remove item"), "click", "no element is named like"),
        (role("textbox", "Password"), "fill", "disabled"),
        (role("button", "Twin"), "click", "2 elements answer to"),
        (role("button", "No box"), "click", "not visible"),
        (role("combobox", "Carrier"), "fill", "nothing on the page|no element is named"),
        (role("link", "Pages"), "fill", "fill can't be done to a link"),
        (role("button", "Pages"), "select_option", "select_option can't be done to a button"),
        ("#id_username", "fill", "a css or xpath selector names no element in words"),
        ("xpath=//a", "click", "a css or xpath selector names no element in words"),
        ('internal:testid=[data-testid="t"s]', "click", "a test id names no element in words"),
        (role("button", "Pages") + " >> nth=0", "click", "a position among several"),
        ("internal:role=button[name=/^Pages$/i]", "click", "the name is a pattern"),
        ("internal:role=button", "click", "names no element in words"),
        (role("button", "Pages") + ' >> internal:or="internal:text=\\"y\\"i"', "click", "can't be put into words"),
        ("", "click", "can't be read|is empty"),
    ],
)
def test_nothing_is_settled_on(selector: str, method: str, reason: str) -> None:
    said = found(selector, method, SHOP)
    assert isinstance(said, str)
    assert any(part in said for part in reason.split("|")), said


def test_submit_renamed_beside_submit_all_is_not_taken_for_it() -> None:
    seen = page('- button "SubmitAll" [ref=e1]\n- button "Send order" [ref=e2]')
    assert found(role("button", "Submit"), "click", seen) == 'no element is named like button "Submit"'


def test_edit_swapped_for_delete_is_not_clicked() -> None:
    seen = page('- link "Delete" [ref=e1]')
    assert found(role("link", "Edit"), "click", seen) == 'no element is named like link "Edit"'


def test_two_names_that_come_near_settle_nothing() -> None:
    seen = page('- button "E-mail" [ref=e1]\n- button "Emails" [ref=e2]')
    assert found(role("button", "Email"), "click", seen) == 'several elements are named like button "Email"'


def test_refused_candidates_are_listed_with_reasons() -> None:
    lost = wanted(role("button", "Twin"), "click")
    assert isinstance(lost, Wanted)
    target = relocate(lost, SHOP)
    assert isinstance(target, Abstain)
    assert [(one.ref, one.reason) for one in target.refused] == [("e15", "one of several"), ("e16", "one of several")]


ROW = 'internal:role=row[name="{}"i] >> internal:role=checkbox'


@pytest.mark.parametrize("version", ["3.2", "5.2"])
def test_the_row_is_the_place(version: str) -> None:
    seen = recorded(f"django-admin-{version}-group-list")
    ref = {"3.2": "f9e108", "5.2": "f37e136"}[version]
    for selector in (
        ROW.format("Interns"),
        'internal:role=row >> internal:has-text="Interns"i >> internal:role=checkbox',
        'internal:role=row >> internal:has="internal:role=link[name=\\"Interns\\"i]" >> internal:role=checkbox',
    ):
        assert found(selector, "check", seen)[0] == ref
    assert found(ROW.format("Intern"), "check", seen) == '0 elements answer to the place row "Intern"'
    assert str(found(ROW.format("Add"), "check", seen)).endswith('elements answer to the place row "Add"')


@pytest.mark.parametrize(
    ("name", "method", "expected"),
    [
        ("Choose", "click", 'no element is named like link "Choose"'),
        ("Choose all", "click", 'no element is named like link "Choose all"'),
        ("Choose selected permissions", "click", "can't be used: disabled"),
    ],
)
def test_django_chooser_controls_are_never_mixed_up(name: str, method: str, expected: str) -> None:
    said = found(role("link", name), method, recorded("django-admin-5.2-group-add"))
    assert isinstance(said, str)
    assert said.endswith(expected)


FRAMES = page("""
    - generic [ref=e1]:
      - button "Pay" [ref=e2]
      - iframe [ref=e3]:
        - generic [ref=f1e1]:
          - button "Pay" [ref=f1e2]
    """)
TWO_FRAMES = page("""
    - iframe [ref=e3]:
      - button "Pay" [ref=f1e2]
    - iframe [ref=e4]:
      - button "Pay" [ref=f2e2]
    """)


def test_only_the_recorded_frame_counts() -> None:
    enter = "iframe >> internal:control=enter-frame >> "
    assert found(role("button", "Pay"), "click", FRAMES)[0] == "e2"
    assert found(enter + role("button", "Pay"), "click", FRAMES)[0] == "f1e2"
    assert found(enter + role("button", "Pay"), "click", TWO_FRAMES) == (
        "2 frames where the locator had one, and frames have no names here"
    )
    assert found(role("button", "Pay"), "click", TWO_FRAMES) == 'nothing on the page can be button "Pay"'


@given(
    st.sampled_from(["button", "link", "row", "checkbox", "textbox"]),
    st.text(max_size=6),
    st.sampled_from(["click", "fill", "check", "select_option", "press", "set_input_files", "x"]),
)
def test_relocating_is_total_and_never_takes_a_disabled_element(kind: str, name: str, method: str) -> None:
    target = relocate(Wanted(role=kind, name=name, method=method), SHOP)
    assert isinstance(target, Abstain) or target.ref not in ("", "e6", "e17")

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.grounding import ground
from skillnb.rules.guidance import understand
from skillnb.terms.action import Abstain, Grounded, Instruction
from skillnb.terms.observation import Observation
from tests.pages import page, recorded

VALUES: dict[str, object] = {"username": "bob", "group": "Interns", "none": None, "empty": "", "flag": True, "n": 7}


def grounded(sentence: str, seen: Observation) -> Grounded | Abstain:
    instruction = understand(sentence, frozenset(VALUES))
    assert isinstance(instruction, Instruction), instruction
    return ground(instruction, VALUES, seen)


def ref(sentence: str, seen: Observation) -> str:
    """The ref of the element, or the reason of the abstention."""
    found = grounded(sentence, seen)
    if isinstance(found, Abstain):
        return found.reason
    return found.target.ref if found.target else ""


PAGES = {
    version: {
        name: recorded(f"django-admin-{version}-{name}")
        for name in ("login", "group-list", "group-add", "flat-page-add", "group-delete", "user-add")
    }
    for version in ("3.2", "5.2")
}


@pytest.mark.parametrize(
    ("name", "sentence", "old", "new"),
    [
        ("login", 'Type {username} into "Username".', "e14", "f31e19"),
        ("login", 'Press "Log in" and wait for the page.', "e19", "f31e24"),
        ("login", 'Press "Login"', "e19", "f31e24"),
        ("group-list", 'Tick the checkbox in the row "Interns".', "f9e108", "f37e136"),
        ("group-list", "Tick the row {group}", "f9e108", "f37e136"),
        ("group-list", 'Choose "Delete selected groups" in "Action".', "f9e82", "f37e110"),
        ("group-list", 'Press Enter in "Search"', "f9e77", "f37e105"),
        ("group-list", 'Type {username} into "Search"', "f9e77", "f37e105"),
        ("group-list", 'Press "Search"', "f9e78", "f37e106"),
        ("group-list", 'Follow the link "Interns".', "f9e110", "f37e138"),
        ("group-list", 'Follow "Interns" in the row "Interns".', "f9e110", "f37e138"),
        ("group-list", 'Click "Add" in the row "Users"', "f9e32", "f37e45"),
        ("group-list", 'Click "Add" in "Users"', "f9e32", "f37e45"),
        ("group-list", 'Click "Add"', '5 elements answer to "Add"', '5 elements answer to "Add"'),
        ("group-list", 'Click "Add" in the row "Nobody"', '"Nobody" is not on the page', '"Nobody" is not on the page'),
        ("group-add", 'Press "Save"', "f10e137", "f38e174"),
        ("group-add", 'Press "Choose all" or "Choose all permissions"', "f10e124", "f38e155"),
        ("group-add", 'Type "x" into "Filter"', "f10e86", '2 elements answer to "Filter"'),
        (
            "group-add",
            'Type "x" into "Filter" in "Chosen permissions"',
            '"Chosen permissions" holds no "Filter"',
            "f38e168",
        ),
        ("group-add", 'Press "Choose" in "Available permissions"', "f10e127", 'no element is named like "Choose"'),
        (
            "group-add",
            'Press "Choose selected permissions"',
            'no element is named like "Choose selected permissions"',
            '"Choose selected permissions" is disabled',
        ),
        ("flat-page-add", 'Click "Show" in "Advanced options"', "f8e95", 'no element is named like "Show"'),
        ("flat-page-add", 'Click "Advanced options"', 'no element is named like "Advanced options"', "f36e129"),
        ("group-delete", 'Press "Yes, I\'m sure".', "f13e78", "f41e106"),
        ("user-add", 'Type {username} into "Password"', "f5e80", "f33e124"),
    ],
)
def test_one_sentence_on_two_versions_of_a_page(name: str, sentence: str, old: str, new: str) -> None:
    assert (ref(sentence, PAGES["3.2"][name]), ref(sentence, PAGES["5.2"][name])) == (old, new)


def test_an_option_is_not_looked_for_in_the_neighbouring_box() -> None:
    sentence = 'Double-click "{}" in "{}"'
    old, new = PAGES["3.2"]["group-add"], PAGES["5.2"]["group-add"]
    name = "auth | group | Can add group"
    assert ref(sentence.format(name, "Available permissions"), old) == "f10e92"
    assert ref(sentence.format(name, "Chosen permissions"), old) == f'"Chosen permissions" holds no "{name}"'
    name = "Authentication and Authorization | group | Can add group"
    assert ref(sentence.format(name, "Available permissions"), new) == "f38e123"
    assert ref(sentence.format(name, "Chosen permissions"), new) == f'"Chosen permissions" holds no "{name}"'


FORM = page("""
    - generic [ref=e1]:
      - link "Submit" [ref=e2]
      - button "Submit" [ref=e3]
      - button "SubmitAll" [ref=e4]
      - textbox "Name" [ref=e5]
      - textbox "Name" [ref=e6]
      - combobox "Carrier" [ref=e7]:
        - option "DHL Express"
        - option "UPS" [disabled]
        - option "Post" [selected]
        - option "post"
      - combobox "City" [ref=e8]
      - listbox "Groups" [ref=e9]
      - button "Remove item" [ref=e10]
      - button "Hidden"
      - text: Street
      - textbox [ref=e11]
      - checkbox "Terms" [disabled] [ref=e12]
      - group [ref=e13]:
        - generic "More info" [ref=e14]
      - generic [ref=e15] [cursor=pointer]:
        - generic [ref=e16]: Fold out
      - button "Attachment" [ref=e17]
      - heading "Billing" [level=2] [ref=e18]
      - textbox "Zip" [ref=e19]
      - heading "Shipping" [level=2] [ref=e20]
      - textbox "Zip" [ref=e21]
      - generic [ref=e22] [cursor=pointer]:
        - button "Inner" [ref=e23]
    """)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ('Press "Submit"', '2 elements answer to "Submit"'),
        ('Press the button "Submit"', "e3"),
        ('Follow the link "Submit"', "e2"),
        ('Type "x" into "Name"', '2 elements answer to "Name"'),
        ('Type "x" into "Street"', "e11"),
        ('Type "x" into "Zip"', '2 elements answer to "Zip"'),
        ('Type "x" into "Zip" in "Billing"', "e19"),
        ('Type "x" into "Zip" in "Shipping"', "e21"),
        ('Type "x" into "Carrier"', 'no element is named like "Carrier"'),
        ('Type "x" into "City"', "e8"),
        ('Choose "DHL express" in "Carrier"', "e7"),
        ('Choose "DHL" in "Carrier"', 'no option of "Carrier" is "DHL"'),
        ('Choose "UPS" in "Carrier"', '1 options of "Carrier" are "UPS" and enabled'),
        ('Choose "Post" in "Carrier"', '2 options of "Carrier" are "Post" and enabled'),
        ('Choose "Oslo" in "City"', "e8"),
        ('Choose "A" in "Groups"', '"Groups" has no options to choose from'),
        ('Press "Remove items"', 'no element is named like "Remove items"'),
        ('Press "Hidden"', '"Hidden" is not visible, or it lets clicks through'),
        ('Tick "Terms"', '"Terms" is disabled'),
        ('Press "More info"', "e14"),
        ('Press "Fold out"', "e16"),
        ('Press "Inner"', "e23"),
        ('Upload "/a" to "Attachment"', "e17"),
        ('Press "Attachments"', "e17"),
    ],
)
def test_right_element_or_none(sentence: str, expected: str) -> None:
    assert ref(sentence, FORM) == expected


def test_the_label_of_the_option_is_the_value() -> None:
    found = grounded('Choose "dhl  EXPRESS" in "Carrier"', FORM)
    assert isinstance(found, Grounded)
    assert found.value == "DHL Express"


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ('Type {none} into "City"', "parameter none has no value"),
        ('Type {empty} into "City"', "is empty"),
        ('Type {flag} into "City"', "is not a text"),
        ('Press "Order {none}"', "parameter none has no value"),
        ("Go to {username}", "is not an address"),
    ],
)
def test_a_missing_value_is_never_typed(sentence: str, reason: str) -> None:
    assert reason in ref(sentence, FORM)


def test_numbers_are_typed_as_text() -> None:
    found = grounded('Type {n} into "City"', FORM)
    assert isinstance(found, Grounded)
    assert found.value == "7"


def test_going_and_waiting_have_no_target() -> None:
    there = grounded("Go to /admin/", FORM)
    shown = grounded('Wait for "Billing"', FORM)
    assert isinstance(there, Grounded)
    assert isinstance(shown, Grounded)
    assert (there.target, there.value, shown.target, shown.value) == (None, "/admin/", None, "Billing")
    assert ref('Wait for "Bill"', FORM) == 'the page does not show "Bill"'


def test_candidates_refused_are_listed_with_reasons() -> None:
    found = grounded('Press "Submit"', FORM)
    assert isinstance(found, Abstain)
    assert [(one.ref, one.role, one.reason) for one in found.refused] == [
        ("e2", "link", "one of several"),
        ("e3", "button", "one of several"),
    ]


def test_a_card_is_not_left_for_its_neighbour() -> None:
    seen = page("""
        - list [ref=e1]:
          - listitem [ref=e2]:
            - heading "Tea" [level=3] [ref=e3]
            - paragraph [ref=e4]: sold out
          - listitem [ref=e5]:
            - heading "Milk" [level=3] [ref=e6]
            - button "Add to cart" [ref=e7]
        """)
    assert ref('Press "Add to cart" in "Milk"', seen) == "e7"
    assert ref('Press "Add to cart" in "Tea"', seen) == '"Tea" holds no "Add to cart"'


def test_two_places_of_one_name_settle_nothing() -> None:
    rows = [
        f'  - row [ref=e{n}]:\n    - cell "Ann" [ref=e{n}1]\n    - cell [ref=e{n}2]:\n      - checkbox [ref=e{n}3]'
        for n in (1, 2)
    ]
    seen = page("- table [ref=e9]:\n" + "\n".join(rows))
    assert ref('Tick the checkbox in the row "Ann"', seen) == "2 elements answer to checkbox"


def test_labels_that_follow_their_fields_are_not_taken_for_the_next_one() -> None:
    seen = page("""
        - generic [ref=e1]:
          - checkbox [ref=e2]
          - text: Apples
          - checkbox [ref=e3]
          - text: Pears
        - generic [ref=e4]:
          - textbox [ref=e5]
          - text: Street
          - textbox [ref=e6]
          - text: City
        """)
    assert ref('Tick "Apples"', seen) == 'no element is named like "Apples"'
    assert ref('Type "x" into "Street"', seen) == 'no element is named like "Street"'


def test_what_is_typed_into_a_field_names_no_place() -> None:
    seen = page("""
        - generic [ref=e1]:
          - textbox "Search" [ref=e2]: Interns
          - button "Delete" [ref=e3]
        """)
    assert ref('Press "Delete" in "Interns"', seen) == '"Interns" is not on the page'


@given(st.lists(st.sampled_from(["Save", "Save all", "Edit", "Saves"]), max_size=5), st.sampled_from(["Save", "Edit"]))
def test_more_than_one_exact_name_is_never_settled(names: list[str], wanted: str) -> None:
    seen = page("\n".join(f'- button "{name}" [ref=e{at}]' for at, name in enumerate(names)))
    found = grounded(f'Press "{wanted}"', seen)
    if names.count(wanted) > 1:
        assert isinstance(found, Abstain)
    if names.count(wanted) == 1:
        assert isinstance(found, Grounded)
        assert found.target
        assert found.target.ref == f"e{names.index(wanted)}"

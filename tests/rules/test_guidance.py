from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.guidance import understand
from skillnb.terms.action import Abstain, Instruction, Verb
from skillnb.terms.gate import Fixed, Param, Template

PARAMETERS = frozenset({"username", "carrier", "group", "file", "path"})


def fixed(text: str) -> Fixed:
    return Fixed(value=text)


def read(sentence: str) -> Instruction:
    made = understand(sentence, PARAMETERS)
    assert isinstance(made, Instruction), made
    return made


@pytest.mark.parametrize(
    ("sentence", "verb", "target", "scope", "value", "role"),
    [
        ('Go to "/admin/".', Verb.GOTO, None, None, "/admin/", ""),
        ("Go to /admin/.", Verb.GOTO, None, None, "/admin/", ""),
        ("Open https://x.example/a?b=1", Verb.GOTO, None, None, "https://x.example/a?b=1", ""),
        ('Press "Save".', Verb.CLICK, "Save", None, None, ""),
        ('press "Save" and wait for the confirmation', Verb.CLICK, "Save", None, None, ""),
        ('PRESS the button "Save", then wait.', Verb.CLICK, "Save", None, None, "button"),
        ('Press the "Save" button', Verb.CLICK, "Save", None, None, "button"),
        ('Click on "Save"', Verb.CLICK, "Save", None, None, ""),
        ('Follow the link "Users" in "Authentication"', Verb.CLICK, "Users", "Authentication", None, "link"),
        ('Choose the link "Edit" in the row "Interns".', Verb.CLICK, "Edit", "Interns", None, "link"),
        ('Open the tab "Dates"', Verb.CLICK, "Dates", None, None, "tab"),
        ('Double-click "Editors" in "Available groups".', Verb.DOUBLE_CLICK, "Editors", "Available groups", None, ""),
        ('Type "x y" into "Username".', Verb.FILL, "Username", None, "x y", ""),
        ('Enter "x" in the field "Username"', Verb.FILL, "Username", None, "x", ""),
        ('Fill "Username" with "x"', Verb.FILL, "Username", None, "x", ""),
        ('Set "Username" to "x"', Verb.FILL, "Username", None, "x", ""),
        ('Choose "Delete selected groups" in "Action"', Verb.SELECT, "Action", None, "Delete selected groups", ""),
        ('Select "DHL" from the list "Carrier" in "Shipping"', Verb.SELECT, "Carrier", "Shipping", "DHL", ""),
        ('Tick "Staff status".', Verb.CHECK, "Staff status", None, None, ""),
        ('Check the box "Staff status"', None, None, None, None, ""),
        ('Tick the checkbox "Staff status"', Verb.CHECK, "Staff status", None, None, "checkbox"),
        ('Tick the checkbox in the row "Interns"', Verb.CHECK, None, "Interns", None, "checkbox"),
        ('Tick the row "Interns"', Verb.CHECK, None, "Interns", None, ""),
        ('Untick "Staff status"', Verb.UNCHECK, "Staff status", None, None, ""),
        ('Press Enter in "Search"', Verb.PRESS_KEY, "Search", None, "Enter", ""),
        ('Upload "/tmp/a.pdf" to "Attachment"', Verb.UPLOAD, "Attachment", None, "/tmp/a.pdf", ""),
        ('Wait for "Saved"', Verb.WAIT, None, None, "Saved", ""),
        ('Wait until "Saved" appears.', Verb.WAIT, None, None, "Saved", ""),
    ],
)
def test_sentences(
    sentence: str, verb: Verb | None, target: str | None, scope: str | None, value: str | None, role: str
) -> None:
    made = understand(sentence, PARAMETERS)
    if verb is None:
        assert isinstance(made, Abstain)
        return
    assert made == Instruction(
        verb=verb,
        sentence=sentence,
        target=(fixed(target),) if target else (),
        scope=fixed(scope) if scope else None,
        scope_role="row" if "row" in sentence else "",
        value=fixed(value) if value else None,
        role=role,
    )


def test_parameters_stand_alone_or_inside_a_name() -> None:
    assert read('Type {username} into "Username".').value == Param(name="username")
    assert read('Tick "Staff status" in the row {group}').scope == Param(name="group")
    assert read('Press "Order {group}".').target == (Template(parts=(fixed("Order "), Param(name="group"))),)
    assert read("Go to {path}").value == Param(name="path")


def test_typographic_quotes_and_alternatives() -> None:
    assert read("Press “Yes, I’m sure”").target == (fixed("Yes, I’m sure"),)
    assert read("Press „Speichern“").target == (fixed("Speichern"),)
    assert read('Press "Choose all" or "Choose all groups"').target == (fixed("Choose all"), fixed("Choose all groups"))


def test_a_condition_makes_the_step_optional() -> None:
    made = read('If "Accept cookies" is shown, press it.')
    assert (made.verb, made.target, made.optional) == (Verb.CLICK, (fixed("Accept cookies"),), True)
    assert isinstance(understand('If "Cookies" is shown, press "Accept".', PARAMETERS), Abstain)


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ('Press "A" and press "B"', "one action per sentence"),
        ('Press "A", then type {username} into "B".', "one action per sentence"),
        ('Type {nobody} into "Username"', "{nobody} is not a parameter"),
        ('Press "Order {nobody}"', "{nobody} is not a parameter"),
        ("Note that this takes a while.", "a remark belongs"),
        ("The page shows the order.", "not understood"),
        ('Choose "x"', "say in which field"),
        ('Delete "x"', "not understood"),
        ('Open "Settings"', "not an address"),
        ('Press ""', "an empty name"),
        ('Press "Save', "a quote or brace is not closed"),
        ("Press {username", "a quote or brace is not closed"),
        ("Press Save", "not understood"),
        ("Press Enter", "not understood"),
        ('Check that "x" is shown', "not understood"),
        ('Press "A" in "B" in "C"', "not understood"),
        ('Type {username} into "A" and "B"', "not understood"),
        ('Press "Save" gently', "not understood"),
        ('Press "A" and wait for "B" and "C"', "one action per sentence"),
        ("", "not understood"),
    ],
)
def test_what_is_not_understood_whole_is_refused_with_the_sentence(sentence: str, reason: str) -> None:
    made = understand(sentence, PARAMETERS)
    assert isinstance(made, Abstain)
    assert reason in made.reason
    assert repr(sentence) in made.reason


@given(st.text(st.sampled_from('pres "“”{}usernamtyi \x02\x030/.,'), max_size=40))
def test_any_sentence_is_understood_or_refused(sentence: str) -> None:
    made = understand(sentence, PARAMETERS)
    assert isinstance(made, Abstain) or made.sentence == sentence


@given(st.text(st.characters(exclude_characters='"“”„«»{}', exclude_categories=("Cs", "Cc", "Cf", "Co")), min_size=1))
def test_whatever_stands_in_quotes_is_a_name(name: str) -> None:
    made = understand(f'Press "{name}" in the row "{name}".', PARAMETERS)
    if name.strip():
        assert isinstance(made, Instruction)
        assert (made.target, made.scope) == ((fixed(name),), fixed(name))
    else:
        assert isinstance(made, Abstain)

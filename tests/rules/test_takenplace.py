"""Another control in the place of the one that was, told by what the page shows; never by looks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skillnb.rules.byvalue import chosen_itself, values_in
from skillnb.rules.refinding import found_again
from skillnb.rules.takenplace import doubted, shows_values, taken
from skillnb.terms.fingerprint import Attribute, Fingerprint


def button(name: str, at: int = 1, row: str = "", beside: tuple[str, ...] = (), mark: str = "") -> Fingerprint:
    within = f"/tr[{at}]/td[1]/button[1]" if row else f"/div[1]/button[{at}]"
    return Fingerprint(
        tag="button",
        role="button",
        name=name,
        text=name,
        type="submit",
        attributes=(Attribute(name="id", value=mark),) if mark else (),
        path=f"/html[1]/body[1]{within}",
        ancestors=(f"{row} {name}",) if row else (),
        neighbours=beside,
    )


KEEP = button("Keep", beside=("Copy", "Clear"))
JONAS = button("Edit", 2, "Jonas Keller Hafenstrasse 12 Basel")


@pytest.mark.parametrize(
    ("was", "now", "page", "reason"),
    [
        (KEEP, KEEP, (KEEP,), ""),
        (KEEP, replace(KEEP, attributes=(Attribute(name="class", value="new"),)), (), ""),
        (KEEP, button("Copy"), (button("Copy"), button("Keep", 2)), "stands elsewhere"),
        (KEEP, button("Copy"), (button("Copy"), button("Clear", 2)), "stood beside that"),
        (KEEP, button("Retain"), (button("Retain"), button("Copy", 2)), ""),
        (button("Cart (3)"), button("Cart (4)"), (button("Cart (4)"), button("Home", 2)), ""),
        (KEEP, button("Delete"), (button("Delete"),), "is called"),
        (JONAS, button("Edit", 2, "Ann Bell Elm 1 Bern"), (replace(JONAS, path="/tr[3]/button[1]"),), "elsewhere"),
        (JONAS, button("Edit", 2, "Jonas Keller Hafenstrasse 12 Bern"), (), ""),
        (JONAS, button("Edit", 2, "Ann Bell Elm 1 Bern"), (button("Edit", 3, "Max Frei"),), ""),
    ],
)
def test_taken(was: Fingerprint, now: Fingerprint, page: tuple[Fingerprint, ...], reason: str) -> None:
    told = taken(was, now, page, ".tools button")
    assert reason in told
    assert bool(told) is bool(reason)
    assert doubted(was, now) or not told


@pytest.mark.parametrize(
    ("selector", "held"),
    [("li a >> nth=0", False), ("li:last-child a", False), ("li a >> nth=3", True), ("li:nth-child(4) a", True)],
)
def test_the_first_and_the_last_of_a_list_are_whichever_they_are_today(selector: str, held: bool) -> None:
    was, now = button("Lamp", 1, "9 Fr"), button("Trowel", 1, "12 Fr")
    assert bool(taken(was, now, (now, button("Lamp", 2, "9 Fr")), selector)) is held


@pytest.mark.parametrize(
    ("was", "page", "found"),
    [
        (KEEP, (button("Copy"), button("Keep", 2)), 1),
        (KEEP, (button("Keep"), button("Keep", 2)), None),
        (KEEP, (button("Copy"), button("Clear", 2)), None),
        (JONAS, (button("Edit", 1, "Ann Bell Elm 1"), button("Edit", 2, "Jonas Keller Hafenstrasse 12 Bern")), 1),
        (JONAS, (button("Edit", 1, "Ann Bell Elm 1"), button("Edit", 2, "Max Frei")), None),
        (KEEP, (), None),
    ],
)
def test_found_again(was: Fingerprint, page: tuple[Fingerprint, ...], found: int | None) -> None:
    place = found_again(was, page)
    assert place == found if found is not None else isinstance(place, str)


IN_ROW = 'internal:role=row >> internal:has-text="{who}"i >> internal:role=button >> nth=0'
ITSELF = 'internal:testid=[data-testid="ship-{method}"s]'


@pytest.mark.parametrize(
    ("selector", "itself"),
    [
        (IN_ROW, False),
        (ITSELF, True),
        ('internal:role=button >> internal:has-text="{who}"i >> nth=0', True),
        ('li:has-text("{who}") button', True),
        ("[secret:who] >> nth=0", True),
        ('internal:label="{who}"i >> internal:role=button', False),
    ],
)
def test_what_a_value_chooses(selector: str, itself: bool) -> None:
    assert values_in(selector)
    assert chosen_itself(selector) is itself


def test_braces_of_a_regular_expression_are_no_value() -> None:
    assert not values_in(r"internal:role=button[name=/a{3,} \d{2}/]")


def test_the_element_of_another_value_is_no_other_in_its_place() -> None:
    express = replace(button("Express", beside=("Standard",)), role="radio")
    standard = replace(button("Standard", 2, beside=("Express",)), role="radio")
    assert taken(express, standard, (express, standard), "#ship >> nth=0")
    assert not taken(express, standard, (express, standard), ITSELF)
    was = button("Delete", 2, "{who} Keller Hafenstrasse 12 Basel")
    now = button("Delete", 1, "{who} Moreau Lindenweg 4 Bern")
    other = button("Delete", 2, "Jonas Keller Hafenstrasse 12 Basel")
    assert not taken(was, now, (now, other), IN_ROW)
    assert [shows_values(each, IN_ROW) for each in (now, other)] == [True, False]


def test_within_the_row_of_another_value_a_control_is_held_to_what_it_was() -> None:
    def in_row(name: str, at: int) -> Fingerprint:
        made = button(name, 1, "{who} Moreau Lindenweg 4")
        return replace(made, path=f"{made.path}[{at}]", ancestors=("{who} Moreau Lindenweg 4 Edit Remove",))

    was = button("Edit", 2, "{who} Keller Hafenstrasse 12")
    swapped = (in_row("Remove", 1), in_row("Edit", 2))
    assert "in its row" in taken(was, swapped[0], swapped, IN_ROW)
    assert taken(was, in_row("Delete", 1), (in_row("Delete", 1),), IN_ROW)
    assert not taken(was, in_row("Change", 1), (in_row("Change", 1), in_row("Remove", 2)), IN_ROW)

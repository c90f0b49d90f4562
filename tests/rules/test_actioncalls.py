"""An action of a cell keeps its number however its locator, or what stands before it, is written."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.actioncalls import call_number, call_position, calls, relocated

CELL = """await page.get_by_label("Carrier").select_option(label="DHL")
row = page.get_by_role("row", name="a")
await row.get_by_role("button").click(); await page.locator("#ü").fill("x")
for each in await page.locator("li").all():
    await each.click()
await page.get_by_role("button", name="Save").click()
"""


def test_actions_are_counted_in_order_without_those_of_loops() -> None:
    places = calls(CELL)
    assert [place.end_line for place in places] == [1, 3, 3, 6]
    assert [call_number(CELL, place) for place in places] == [0, 1, 2, 3]
    assert [call_position(CELL, number) for number in range(4)] == list(places)
    assert (call_position(CELL, 4), call_position(CELL, -1), call_number(CELL, None)) == (None, None, None)


def test_a_replaced_locator_changes_no_number() -> None:
    changed = relocated(CELL, 1, 'page.get_by_role("row", name="b").locator("button").first')
    assert changed is not None
    assert 'await page.get_by_role("row", name="b").locator("button").first.click(); await page' in changed
    assert len(calls(changed)) == len(calls(CELL))
    assert relocated(changed, 1, 'row.get_by_role("button")') == CELL


@pytest.mark.parametrize("source", ["", "await (", "%%page\nreturn 1", "x = 1", "await page.click('a')"])
def test_where_there_is_no_locator_there_is_nothing_to_replace(source: str) -> None:
    assert relocated(source, 0, "page.locator('b')") is None


@given(
    st.lists(
        st.sampled_from(['page.locator("a")', 'page.get_by_role("row").filter(has_text="é").nth(2)', "row"]),
        min_size=1,
        max_size=6,
    ),
    st.data(),
)
def test_any_one_can_be_replaced_and_put_back(locators: list[str], data: st.DataObject) -> None:
    source = "".join(f"await {locator}.fill('1')\n" for locator in locators)
    number = data.draw(st.integers(0, len(locators) - 1))
    changed = relocated(source, number, 'page.get_by_label("Ω")')
    assert changed is not None
    assert ast.parse(changed)
    assert len(calls(changed)) == len(locators)
    assert relocated(changed, number, locators[number]) == source

"""Edits of a small tree, each with exactly what is left."""

from __future__ import annotations

import re

import pytest

from skillnb.rules import nodeedits
from skillnb.terms.observation import Node
from tests.pages import page, recorded

LIST = page(
    """
    - generic [ref=e1]:
      - heading "Groups" [level=1] [ref=e2]
      - table [ref=e3]:
        - row "Group" [ref=e4]:
          - columnheader "Group" [ref=e5]
        - row "Select Editors Editors" [ref=e6]:
          - cell "Select Editors" [ref=e7]:
            - checkbox "Select Editors" [ref=e8]
          - rowheader [ref=e9]:
            - link "Editors" [ref=e10]
        - row "Select Interns Interns" [ref=e11]:
          - cell "Select Interns" [ref=e12]:
            - checkbox "Select Interns" [ref=e13]
          - rowheader [ref=e14]:
            - link "Interns" [ref=e15]
      - textbox "Note" [ref=e16]: Editors
    """
).nodes


def shown(nodes: tuple[Node, ...]) -> list[str]:
    return [f"{'  ' * node.depth}{node.role} {node.name}".rstrip() for node in nodes]


def at(name: str, role: str) -> int:
    return next(node.index for node in LIST if (node.role, node.name) == (role, name))


def well_formed(nodes: tuple[Node, ...]) -> None:
    path: list[int] = []
    for place, node in enumerate(nodes):
        while path and nodes[path[-1]].depth >= node.depth:
            path.pop()
        assert (node.index, node.parent) == (place, path[-1] if path else -1)
        path.append(place)


def test_what_is_removed_takes_what_is_nothing_without_it_and_leaves_the_names_above() -> None:
    left = nodeedits.without(LIST, [at("Editors", "link")])
    assert shown(left)[5:8] == [
        "    row Select Editors",
        "      cell Select Editors",
        "        checkbox Select Editors",
    ]
    assert [node.name for node in left if node.name == "Editors"] == []
    assert len(left) == len(LIST) - 2
    well_formed(left)


def test_a_twin_stands_right_after_with_a_handle_of_its_own() -> None:
    made = nodeedits.twinned(LIST, at("Groups", "heading"), 2)
    assert shown(made)[1:4] == ["  heading Groups"] * 3
    assert [node.ref for node in made[1:4]] == ["e2", "e29", "e29"]
    well_formed(made)


def test_a_wrapper_is_one_level_more() -> None:
    made = nodeedits.wrapped(LIST, at("Editors", "link"))
    assert shown(made)[8:11] == ["      rowheader Editors", "        generic", "          link Editors"]
    well_formed(made)


@pytest.mark.parametrize(("first", "place"), [(True, 1), (False, len(LIST))])
def test_what_is_added_stands_in_the_outermost_container(first: bool, place: int) -> None:
    made = nodeedits.added(LIST, "alert", "", "No", first=first)
    assert (made[place].role, made[place].text, made[place].depth, made[place].parent) == ("alert", "No", 1, 0)
    well_formed(made)


def test_of_several_outermost_elements_it_is_one_more() -> None:
    two = page('- heading "A" [ref=e1]\n- heading "B" [ref=e2]').nodes
    assert shown(nodeedits.added(two, "alert", "", "No", first=True)) == ["alert", "heading A", "heading B"]
    assert shown(nodeedits.added((), "alert", "", "No", first=True)) == ["alert"]


def test_beside_means_after_all_that_is_in_it() -> None:
    made = nodeedits.added_beside(LIST, at("Select Editors", "cell"), "cell", "More", "")
    assert shown(made)[6:9] == ["      cell Select Editors", "        checkbox Select Editors", "      cell More"]
    well_formed(made)


def test_a_word_changes_in_the_element_and_in_the_names_above_but_not_elsewhere() -> None:
    made = nodeedits.reworded(LIST, [at("Editors", "link")], re.compile("Editors"), "Writers")
    changed = [(node.role, node.name) for node, old in zip(made, LIST, strict=True) if node != old]
    assert changed == [("row", "Select Writers Writers"), ("rowheader", "Writers"), ("link", "Writers")]


def test_everywhere_means_values_too() -> None:
    made = nodeedits.reworded_everywhere(LIST, re.compile(r"\bEditors\b"), "Writers")
    assert made[-1].text == "Writers"
    assert not any("Editors" in node.name + node.text for node in made)


def test_a_value_is_shown_as_the_snapshot_prints_it() -> None:
    made = nodeedits.valued(LIST, len(LIST) - 1, " two  words ")
    assert (made[-1].value, made[-1].text) == (" two  words ", "two words")


def test_entries_change_places_and_column_headers_do_not() -> None:
    made = nodeedits.reordered(LIST)
    assert [line.strip() for line in shown(made) if "row " in line] == [
        "row Group",
        "row Select Interns Interns",
        "row Select Editors Editors",
    ]
    assert sorted(node.ref for node in made) == sorted(node.ref for node in LIST)
    well_formed(made)


def test_handles_change_and_nothing_else() -> None:
    made = nodeedits.renumbered(LIST)
    assert [node.ref for node in made[:3]] == ["e1001", "e1002", "e1003"]
    assert shown(made) == shown(LIST)


def test_a_whole_recorded_page_in_reverse_order_twice_is_the_page() -> None:
    nodes = recorded("django-admin-5.2-group-list").nodes
    once = nodeedits.reordered(nodes)
    assert once != nodes
    assert nodeedits.reordered(once) == nodes

"""The benchmark of element decisions: what it reads, how it counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.grounding import Decision, answer, decisions, main, observation, report, with_distractors

OWN = Path(__file__).parents[2] / "bench" / "data" / "grounding-own.json"
ROW = ["easy", "Click Save", ['button "Save"', 'link "Home"'], 0, "click", None]
OBJECT = {"instruction": "Click Save", "elements": ['button "Save"', 'link "Home"'], "gold_index": 0}


@pytest.mark.parametrize("read", [[ROW], {"E": [ROW], "J": []}, [OBJECT], {"decisions": [OBJECT]}])
def test_rows_and_objects_bare_or_named(read: object) -> None:
    (made,) = decisions(json.dumps(read))
    assert (made.instruction, made.elements, made.gold) == ("Click Save", ('button "Save"', 'link "Home"'), 0)


def test_elements_become_nodes() -> None:
    seen = observation(['textbox "Username" value="alice"', 'checkbox "Red (checked)"', 'link "Cart (2)"', "button"])
    assert [(node.role, node.name, node.text, node.checked) for node in seen.nodes] == [
        ("textbox", "Username", "alice", ""),
        ("checkbox", "Red", "", "true"),
        ("link", "Cart (2)", "", ""),
        ("button", "", "", ""),
    ]


@pytest.mark.parametrize(
    ("gold", "elements", "kind"),
    [
        (0, ('button "Save"', 'link "Home"'), "right"),
        (1, ('button "Save"', 'link "Home"'), "wrong"),
        (None, ('button "Save"', 'link "Home"'), "wrong"),
        (1, ('link "Save"', 'button "Save"'), "abstained"),
        (None, ('link "Home"', 'button "Preview"'), "rightly_abstained"),
    ],
)
def test_what_counts_as_what(gold: int | None, elements: tuple[str, ...], kind: str) -> None:
    made = answer(Decision("", "Click Save", elements, gold, "click", None), None)
    assert made.kind == kind
    told = report([made], "none")
    assert told[kind] == 1
    assert sum(int(str(told[each])) for each in ("right", "wrong", "abstained", "rightly_abstained")) == told["n"]


def test_distractors_are_seeded_and_keep_the_right_element() -> None:
    items = decisions(OWN.read_text(encoding="utf-8"))
    made = with_distractors(items)
    assert made == with_distractors(items)
    kept = [item for item in items if item.gold is not None]
    assert len(made) == len(kept) >= 40
    for item, more in zip(kept, made, strict=True):
        assert len(more.elements) == len(item.elements) + 25
        assert item.gold is not None
        assert more.gold is not None
        assert more.elements[more.gold] == item.elements[item.gold]


def test_no_wrong_act_on_the_decisions_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--distractors"]):
        main([str(OWN), "--json", *more])
        told = json.loads(capsys.readouterr().out)
        assert told["wrong"] == 0
        assert told["right"] >= 15
        assert told["right"] <= told["forced_right"] <= told["n_with_a_right_element"]

"""``skillnb gates`` on the shipped workflows: with nothing recorded, and what its report looks like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skillnb.cli.gatereport import print_mutated
from skillnb.cli.main import app
from skillnb.gatetests import Mutated, Records
from skillnb.rules.gatescores import score_step
from skillnb.rules.gatesource import parse_gates
from skillnb.rules.passages import Passage
from skillnb.store.protocol import Version
from skillnb.workspace import Loaded
from tests.pages import page

WORKFLOW = Path(__file__).parents[2] / "workflows" / "django-admin" / "log-in" / "versions" / "0001.ipynb"
BEFORE = page('- button "Save" [ref=e1]', url="http://h/a")
AFTER = page('- button "Save" [ref=e1]\n- status [ref=e2]: Saved', url="http://h/a")


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    (tmp_path / "workflows").mkdir()
    return tmp_path


@pytest.fixture
def mutated() -> Mutated:
    gates = parse_gates('await gate.visible(role="button", name="Save")\nawait gate.custom()\n')
    score = score_step("save", gates, [Passage("run-1", "save", {}, frozenset(), BEFORE, AFTER, ())], [])
    version = Version("shop/save", 3, "0003.ipynb", "sha256:1")
    loaded = Loaded(version, None, {})  # type: ignore[arg-type]
    return Mutated(loaded, Records(("run-1",), (), ("x.jsonl: torn",)), (score,))


def test_check_without_a_run_is_lint_alone(empty: Path) -> None:
    answer = CliRunner().invoke(app, ["gates", "check", str(WORKFLOW), "--project", str(empty), "--json"])
    assert answer.exit_code == 0
    told = json.loads(answer.stdout)
    assert (told["workflow"], told["runs"], told["findings"]) == ("django-admin/log-in", [], [])


def test_check_in_words(empty: Path) -> None:
    answer = CliRunner().invoke(app, ["gates", "check", str(WORKFLOW), "--project", str(empty)])
    assert answer.stdout.splitlines() == ["1 checked: 0 errors, 0 warnings", "0 recorded runs, 0 of 1 steps"]


def test_the_report_in_words(mutated: Mutated, capsys: pytest.CaptureFixture[str]) -> None:
    print_mutated(mutated, False)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "shop/save@3, runs run-1"
    assert lines[1] == "left out: x.jsonl: torn"
    assert "save 1 1/3 (≤ 74.6 %) 0/6" in lines
    assert "before step 1/1 save: nothing was done" in lines
    assert lines[-1].startswith("save: await gate.custom() did not hold on 1 of 1 recorded pages (unknown: a custom")


def test_the_report_as_one_object(mutated: Mutated, capsys: pytest.CaptureFixture[str]) -> None:
    print_mutated(mutated, True)
    told = json.loads(capsys.readouterr().out)
    assert list(told) == [
        "workflow",
        "version",
        "version_id",
        "path",
        "runs",
        "left_out",
        "random",
        "z",
        "steps",
        "kinds",
    ]
    step = told["steps"][0]
    assert step["together"]["wrong"] == {"n": 3, "passed": 1, "upper_bound": 0.74649}
    assert step["together"]["right"] == {"n": 6, "refused": 0}
    assert step["gates"][0]["wrong"]["n"] == 2
    assert [each["gate"] for each in step["unasked"]] == ["await gate.custom()"]
    assert {"kind": "before", "aim": "step", "n": 1, "passed": 1, "examples": ["save: nothing was done"]} in told[
        "kinds"
    ]

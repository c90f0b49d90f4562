"""The demonstration's tables: exact text, and nothing that did not pass ever shown as done."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.testing.demo.table import Ran, all_good, outcome_lines, path_table, ran, summary, telling, where_lines


def step(name: str, path: str | None, seconds: float, outcome: str = "passed", failure: str | None = None) -> object:
    return {"step": name, "path": path, "seconds": seconds, "outcome": outcome, "failure": failure}


def done(version: str, *steps: object, outcome: str = "passed", status: int = 0, problems: Sequence[str] = ()) -> Ran:
    told = {
        "outcome": outcome,
        "seconds": 7.25,
        "reason": "" if outcome == "passed" else "step b: it broke",
        "steps": steps,
        "notebook": f"logs/{version}/run.ipynb",
        "trace": f"logs/{version}/run.jsonl",
    }
    return ran(version, "shop/buy", status, told, problems)


GOOD = done("1.0", step("a", "code", 0.5), step("b", "code", 1.25))
HEALED = done("2.0", step("a", "code", 0.5), step("b", "procedure", 6.75, failure="locator"))
BROKEN = done(
    "3.0",
    step("a", "code", 0.5),
    step("b", "procedure", 9.0, "failed", "gate"),
    outcome="failed",
    status=1,
    problems=("orders: found 0, expected 1",),
)
CRASHED = ran("4.0", "shop/buy", 2, {}, ())


def test_a_row_for_each_step_and_a_column_for_each_version() -> None:
    assert path_table([GOOD, HEALED, BROKEN, CRASHED]).splitlines() == [
        "workflow, step  1.0               2.0               3.0                  4.0",
        "shop/buy        passed      7.25  passed      7.25  FAILED      7.25     NO RESULT   0.00",
        "  a             code        0.50  code        0.50  code        0.50     -",
        "  b             code        1.25  procedure   6.75  FAILED (gate)  9.00  -",
    ]


def test_the_reason_and_what_the_database_says_follow_the_run_they_belong_to() -> None:
    assert outcome_lines([GOOD, BROKEN, CRASHED]).splitlines() == [
        "workflow  version  outcome    exit  seconds  database afterwards",
        "shop/buy  1.0      passed     0     7.2      as expected",
        "shop/buy  3.0      failed     1     7.2      not as expected",
        "  step b: it broke",
        "  database: orders: found 0, expected 1",
        "shop/buy  4.0      no result  2     0.0      as expected",
    ]


def test_the_summary_counts_a_way_only_where_the_step_passed() -> None:
    assert summary([GOOD, HEALED, BROKEN, CRASHED]).splitlines() == [
        "2 of 4 runs passed; the database was as expected after 3 of 4",
        "steps on 1.0: 2 code",
        "steps on 2.0: 1 code, 1 procedure",
        "steps on 3.0: 1 code, 1 FAILED",
        "steps on 4.0: none",
    ]


def test_where_to_look_begins_with_the_run_that_tells_most() -> None:
    assert where_lines([GOOD, HEALED], "bin/jupyter lab").splitlines() == [
        "executed notebooks (the trace of each is beside it, as .jsonl):",
        "  shop/buy  1.0  logs/1.0/run.ipynb",
        "  shop/buy  2.0  logs/2.0/run.ipynb",
        "screenshots and page snapshots:",
        "  logs/1.0/blobs/",
        "  logs/2.0/blobs/",
        "open one in JupyterLab:",
        "  bin/jupyter lab logs/2.0/run.ipynb",
    ]
    assert telling([GOOD, HEALED, BROKEN]) == BROKEN
    assert telling([CRASHED]) is None


def test_a_database_that_nobody_checked_is_not_good() -> None:
    unchecked = ran("1.0", "shop/buy", 0, {"outcome": "passed", "steps": []}, None)
    assert (unchecked.database, unchecked.good) == ("not checked", False)


@pytest.mark.parametrize("wrong", [BROKEN, CRASHED, done("1.0", status=5), done("1.0", problems=("x",))])
def test_one_that_is_not_good_is_enough(wrong: Ran) -> None:
    assert all_good([GOOD, HEALED])
    assert not all_good([GOOD, wrong])


def test_nothing_done_is_no_success() -> None:
    assert not all_good([])


OUTCOMES = st.sampled_from(["passed", "failed", "unverified", "aborted"])
STEPS = st.lists(
    st.builds(
        step,
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from(["code", "repaired", "procedure", "skipped", None]),
        st.floats(0, 1000),
        OUTCOMES,
    )
)


@given(st.lists(st.builds(lambda steps, outcome: done("1.0", *steps, outcome=outcome), STEPS, OUTCOMES), min_size=1))
def test_whatever_the_steps_the_lines_are_as_many_as_the_rows(runs: list[Ran]) -> None:
    names = {each.step for each in runs[-1].steps}
    assert len(path_table(runs).splitlines()) == 2 + len(names)
    assert all_good(runs) == all(each.outcome == "passed" for each in runs)

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.codec import canonical, decode
from skillnb.llm.answers import fitting
from skillnb.rules.judging import Case, judged, question, undecided
from skillnb.terms.judgement import Judged, Judgement
from tests.pages import page
from tests.strategies import json_values, texts

SEEN = page('- alert [ref=e1]: The carrier is missing\n- textbox "Carrier" [ref=e2]')
CASE = Case("task-7", "Save the tracking number", ("click 'Save' (twice)", "wait"), "Saved (T-1 (again)).", SEEN)


def plain(text: str) -> str:
    return text


ASKED = question(CASE, plain)


def test_the_judge_sees_the_final_page_and_the_whole_answer() -> None:
    assert "The carrier is missing" in ASKED.user
    assert "Saved (T-1 (again))." in ASKED.user
    assert "1. click 'Save' (twice)" in ASKED.user


def test_a_long_answer_is_not_cut() -> None:
    answer = "(" * 3000 + "end)"
    assert answer in question(CASE._replace(answer=answer), plain).user


def test_secrets_are_masked() -> None:
    asked = question(
        CASE._replace(answer="It is wonder-land-7"), lambda text: text.replace("wonder-land-7", "[secret]")
    )
    assert "wonder-land-7" not in asked.user


def test_an_answer_that_fits_the_schema_is_taken() -> None:
    said = {"verdict": "fail", "evidence": ["final-page", "action-2", "final-page"], "reason": "an error is shown"}
    made = judged(CASE, ASKED, "family/model:7b", fitting(json.dumps(said), ASKED.schema))
    assert made == Judgement(
        task_id="task-7",
        verdict=Judged.FAIL,
        reason="an error is shown",
        evidence=("final-page", "action-2"),
        judge="family/model:7b",
        prompt=ASKED.digest,
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "success",
        "[]",
        "null",
        '{"verdict": "success"}',
        '{"verdict": "success", "evidence": [], "reason": "surely"}',
        '{"verdict": "success", "evidence": ["action-3"], "reason": ""}',
        '{"verdict": "yes", "evidence": [], "reason": ""}',
        '{"verdict": ["success"], "evidence": ["answer"], "reason": ""}',
        '{"verdict": "success", "evidence": [["answer"]], "reason": ""}',
        '{"verdict": "success", "evidence": "answer", "reason": ""}',
        '{"verdict": "success", "evidence": ["answer"], "reason": null}',
        '{"verdict": "success", "evidence": ["answer"], "reason": "", "more": 1}',
    ],
)
def test_everything_else_is_unknown(text: str) -> None:
    made = judged(CASE, ASKED, "m", text)
    assert made.verdict is Judged.UNKNOWN
    assert made.reason


@given(json_values() | texts())
def test_no_answer_raises_and_none_is_a_success_by_accident(answer: object) -> None:
    made = judged(CASE, ASKED, "m", json.dumps(answer))
    assert made.verdict is Judged.UNKNOWN


@given(
    st.sampled_from(Judged),
    st.lists(st.sampled_from(["final-page", "answer", "action-1", "action-2"]), max_size=4),
    texts(),
    texts(),
)
def test_writer_and_reader_agree(verdict: Judged, evidence: list[str], reason: str, name: str) -> None:
    text = json.dumps({"verdict": verdict, "evidence": evidence, "reason": reason})
    made = judged(CASE, ASKED, name, fitting(text, ASKED.schema))
    assert decode(Judgement, canonical(made), "a judgement") == made
    if verdict is Judged.SUCCESS and not evidence:
        assert made.verdict is Judged.UNKNOWN
    else:
        assert (made.verdict, made.evidence) == (verdict, tuple(dict.fromkeys(evidence)))


@given(texts(), texts(), st.lists(texts(), max_size=3))
def test_any_case_can_be_asked_about(task: str, answer: str, actions: list[str]) -> None:
    case = Case("t", task, tuple(actions), answer, SEEN)
    asked = question(case, plain)
    assert undecided(case, asked, "m", "x").prompt == asked.digest
    assert (answer or "(none)") in asked.user

"""Counts on a page small enough to count by hand."""

from __future__ import annotations

from skillnb.rules.gatescores import Score, StepScore, Tally, Unasked, counted, score_step
from skillnb.rules.gatesource import parse_gates
from skillnb.rules.mutationkinds import Aim, Kind
from skillnb.rules.passages import Passage, at_rest
from tests.pages import page, recorded

BEFORE = page('- button "Save" [ref=e1]', url="http://h/a")
AFTER = page('- button "Save" [ref=e1]\n- status [ref=e2]: Saved', url="http://h/a")
ELSEWHERE = page('- button "Save" [ref=e1]', url="http://h/b")
PASSAGE = Passage("run", "save", {"user": "zoe"}, frozenset(), BEFORE, AFTER, (ELSEWHERE,))
BANNER = "alert 'Something went wrong. Nothing was stored.' is there"


def test_a_gate_that_holds_anyway_is_told_by_the_page_before() -> None:
    gates = parse_gates('await gate.visible(role="button", name="Save")\n')
    tallies = (
        Tally(kind=Kind.REMOVED, n=1, passed=0, examples=()),
        Tally(kind=Kind.WORD, n=1, passed=0, examples=()),
        Tally(kind=Kind.BEFORE, n=1, passed=1, examples=("nothing was done",)),
        Tally(kind=Kind.OTHER_PAGE, n=1, passed=1, examples=("ended at http://h/b",)),
        Tally(kind=Kind.ERROR_BANNER, n=1, passed=1, examples=(BANNER,)),
        Tally(kind=Kind.TWIN_BESIDE, n=1, passed=1, examples=("button 'Save' is there twice",)),
        Tally(kind=Kind.TEXT_ADDED, n=2, passed=2, examples=()),
        Tally(kind=Kind.BANNER_ADDED, n=1, passed=1, examples=()),
        Tally(kind=Kind.WRAPPED, n=1, passed=1, examples=()),
        Tally(kind=Kind.RENUMBERED, n=1, passed=1, examples=()),
        Tally(kind=Kind.CASE, n=1, passed=1, examples=()),
    )
    assert score_step("save", gates, [PASSAGE], ["user"]) == StepScore(
        step="save",
        states=1,
        together=Score(gate="", tallies=tallies),
        gates=(Score(gate=gates[0].expression, tallies=tallies),),
        unasked=(),
    )
    assert counted(tallies, [Aim.CLAIM]) == (0, 2)
    assert counted(tallies, [Aim.CLAIM, Aim.STEP]) == (2, 4)
    assert counted(tallies, [Aim.RIGHT]) == (6, 6)


def test_together_they_refuse_what_one_of_them_refuses_and_no_state_counts_twice() -> None:
    gates = parse_gates(
        'await gate.visible(role="button", name="Save")\nawait gate.text(role="status", equals="Saved")\n'
    )
    score = score_step("save", gates, [PASSAGE], [])
    counts = {tally.kind: (tally.passed, tally.n) for tally in score.together.tallies}
    assert {kind: counts[kind] for kind in (Kind.REMOVED, Kind.WORD, Kind.BEFORE, Kind.OTHER_PAGE)} == {
        Kind.REMOVED: (0, 1),  # without its message the page is the one before, and counts as that
        Kind.WORD: (0, 2),
        Kind.BEFORE: (0, 1),
        Kind.OTHER_PAGE: (0, 1),
    }
    assert counts[Kind.WRAPPED] == (2, 2)
    assert counts[Kind.CASE] == (1, 2)
    alone = {tally.kind: (tally.passed, tally.n) for tally in score.gates[1].tallies}
    assert alone[Kind.BEFORE] == (0, 1)
    assert alone[Kind.CASE] == (0, 1)


def test_a_gate_that_does_not_hold_on_the_record_is_told_and_left_out() -> None:
    gates = parse_gates('await gate.visible(role="button", name="Save")\nawait page.title() == "x"\n')
    score = score_step("save", gates, [PASSAGE, PASSAGE], [])
    assert score.unasked == (
        Unasked(gate=gates[1].expression, reason="unknown: a custom gate can't be re-checked", states=2),
    )
    assert score.gates[1].tallies == ()
    assert counted(score.together.tallies, [Aim.CLAIM]) == (0, 4)


def test_without_a_gate_that_can_be_asked_nothing_is_counted() -> None:
    score = score_step("save", parse_gates('await page.title() == "x"\n'), [PASSAGE], [])
    assert score.together.tallies == ()


def test_on_two_recorded_pages() -> None:
    listed = at_rest(recorded("django-admin-5.2-group-list", "http://h/admin/auth/group/"))
    asked = at_rest(recorded("django-admin-5.2-group-delete", "http://h/admin/auth/group/4/delete/"))
    gates = parse_gates(
        'await gate.url("**/admin/auth/group/")\nawait gate.visible(role="rowheader", name="Interns")\n'
    )
    passage = Passage("run", "open", {"group": "Interns"}, frozenset(), asked, listed, (asked,))
    score = score_step("open", gates, [passage], ["group"])
    assert counted(score.together.tallies, [Aim.CLAIM, Aim.STEP]) == (0, 10)  # the page before is the other page
    assert counted(score.together.tallies, [Aim.RIGHT]) == (8, 8)

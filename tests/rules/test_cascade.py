"""The cascade as a state machine: what it may never do, for any series of events."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.cascade import advance, begin, begin_fallback
from skillnb.terms.cascade import Happened, Move, Position, Ways
from skillnb.terms.outcome import FailureClass, Outcome, Path, Verdict

BOOL = st.booleans()
WAYS = st.builds(
    Ways, pre=BOOL, code=BOOL, post=BOOL, procedure=BOOL, intent=BOOL, repair=BOOL, once=BOOL, optional=BOOL
)
ACTING = {Move.CODE, Move.REPAIR, Move.PROCEDURE, Move.INTENT}
ANSWER = st.tuples(
    st.sampled_from(Verdict), st.one_of(st.none(), st.sampled_from(FailureClass)), st.booleans(), st.text(max_size=5)
)


def walked(
    ways: Ways, start: Position, answers: list[tuple[Verdict, FailureClass | None, bool, str]]
) -> list[tuple[Position, Happened | None]]:
    """Positions with what happened at each; dispatched requests stay dispatched."""
    at, left, seen, dispatched = start, list(answers), [], False
    while at.move is not Move.STOP:
        verdict, failure, leaves, reason = left.pop(0) if left else (Verdict.PASSED, None, False, "")
        dispatched = dispatched or (leaves and at.move in ACTING)
        happened = Happened(
            move=at.move,
            verdict=verdict,
            failure=None if verdict is Verdict.PASSED else failure,
            reason=reason,
            dispatched=dispatched,
        )
        seen.append((at, happened))
        at = advance(ways, at, happened)
    seen.append((at, None))
    return seen


@given(WAYS, st.lists(ANSWER, max_size=12))
def test_every_walk_ends_soon_with_an_outcome(
    ways: Ways, answers: list[tuple[Verdict, FailureClass | None, bool, str]]
) -> None:
    walk = walked(ways, begin(ways), answers)
    assert len(walk) <= 12
    assert walk[-1][0].outcome is not None


@given(WAYS, st.lists(ANSWER, max_size=12))
def test_passed_only_by_post_gates_or_by_an_optional_step_not_called_for(
    ways: Ways, answers: list[tuple[Verdict, FailureClass | None, bool, str]]
) -> None:
    walk = walked(ways, begin(ways), answers)
    if walk[-1][0].outcome is Outcome.PASSED:
        last = walk[-2][1]
        assert last is not None
        proven = last.move in {Move.POST, Move.PROBE} and last.verdict is Verdict.PASSED
        spared = last.move is Move.PRE and ways.optional and walk[-1][0].path is Path.SKIPPED
        assert proven or spared


@given(WAYS, st.lists(ANSWER, max_size=12))
def test_a_once_step_never_acts_again_after_a_request_has_left(
    ways: Ways, answers: list[tuple[Verdict, FailureClass | None, bool, str]]
) -> None:
    walk = walked(ways, begin(ways), answers)
    left = False
    for at, happened in walk:
        if ways.once and left:
            assert at.move not in ACTING
        left = left or bool(happened and happened.dispatched)


@given(WAYS, st.lists(ANSWER, max_size=12))
def test_each_way_is_gone_once_and_only_where_allowed(
    ways: Ways, answers: list[tuple[Verdict, FailureClass | None, bool, str]]
) -> None:
    moves = [at.move for at, _ in walked(ways, begin(ways), answers)]
    for move in ACTING:
        assert moves.count(move) <= 1
    assert not (Move.CODE in moves and not ways.code)
    assert not (Move.REPAIR in moves and not (ways.repair and ways.post))
    assert not (Move.PROCEDURE in moves and not ways.procedure)
    assert not (Move.INTENT in moves and not ways.intent)


@given(WAYS, st.lists(ANSWER, max_size=12))
def test_faults_of_the_surroundings_abort(
    ways: Ways, answers: list[tuple[Verdict, FailureClass | None, bool, str]]
) -> None:
    walk = walked(ways, begin(ways), answers)
    outside = {FailureClass.INFRASTRUCTURE, FailureClass.NETWORK}
    if any(happened and happened.failure in outside for _, happened in walk):
        assert walk[-1][0].outcome is Outcome.ABORTED
    else:
        assert walk[-1][0].outcome is not Outcome.ABORTED


@given(WAYS, st.lists(ANSWER, max_size=12))
def test_repair_only_after_a_failed_locator(
    ways: Ways, answers: list[tuple[Verdict, FailureClass | None, bool, str]]
) -> None:
    walk = walked(ways, begin(ways), answers)
    for (_, before), (after, _) in pairwise(walk):
        if after.move is Move.REPAIR:
            assert before is not None
            assert (before.move, before.failure) == (Move.CODE, FailureClass.LOCATOR)


@given(WAYS, st.lists(ANSWER, max_size=12))
def test_a_step_without_post_gates_is_at_best_unverified(
    ways: Ways, answers: list[tuple[Verdict, FailureClass | None, bool, str]]
) -> None:
    end = walked(ways, begin(ways), answers)[-1][0]
    if not ways.post and end.outcome is Outcome.PASSED:
        assert (ways.optional, end.path) == (True, Path.SKIPPED)


@given(WAYS, st.lists(ANSWER, max_size=12))
def test_a_fallback_cell_only_guides_and_proves(
    ways: Ways, answers: list[tuple[Verdict, FailureClass | None, bool, str]]
) -> None:
    moves = {at.move for at, _ in walked(ways, begin_fallback(ways), answers)}
    assert moves <= {Move.PROCEDURE, Move.INTENT, Move.POST, Move.STOP}


FULL = Ways(pre=True, code=True, post=True, procedure=True, intent=True, repair=True, once=False, optional=False)


def happened(move: Move, verdict: Verdict, failure: FailureClass | None = None, reason: str = "") -> Happened:
    return Happened(move=move, verdict=verdict, failure=failure, reason=reason)


@pytest.mark.parametrize(
    ("events", "outcome", "path"),
    [
        ([happened(Move.PROBE, Verdict.PASSED)], Outcome.PASSED, Path.SKIPPED),
        (
            [
                happened(Move.PROBE, Verdict.FAILED),
                happened(Move.PRE, Verdict.PASSED),
                happened(Move.CODE, Verdict.PASSED),
                happened(Move.POST, Verdict.PASSED),
            ],
            Outcome.PASSED,
            Path.CODE,
        ),
        (
            [
                happened(Move.PROBE, Verdict.FAILED),
                happened(Move.PRE, Verdict.PASSED),
                happened(Move.CODE, Verdict.FAILED, FailureClass.LOCATOR),
                happened(Move.REPAIR, Verdict.PASSED),
                happened(Move.POST, Verdict.PASSED),
            ],
            Outcome.PASSED,
            Path.REPAIRED,
        ),
        (
            [
                happened(Move.PROBE, Verdict.FAILED),
                happened(Move.PRE, Verdict.PASSED),
                happened(Move.CODE, Verdict.FAILED, FailureClass.LOCATOR),
                happened(Move.REPAIR, Verdict.UNKNOWN, None, "abstained"),
                happened(Move.PROBE, Verdict.FAILED),
                happened(Move.PROCEDURE, Verdict.PASSED),
                happened(Move.POST, Verdict.PASSED),
            ],
            Outcome.PASSED,
            Path.PROCEDURE,
        ),
        (
            [
                happened(Move.PROBE, Verdict.FAILED),
                happened(Move.PRE, Verdict.FAILED, FailureClass.GATE, "not here"),
                happened(Move.PROCEDURE, Verdict.UNKNOWN, FailureClass.LOCATOR, "no such button"),
                happened(Move.INTENT, Verdict.UNKNOWN, FailureClass.MODEL, "no model"),
            ],
            Outcome.FAILED,
            None,
        ),
    ],
)
def test_known_walks(events: list[Happened], outcome: Outcome, path: Path | None) -> None:
    at = begin(FULL)
    for event in events:
        at = advance(FULL, at, event)
    assert (at.move, at.outcome, at.path) == (Move.STOP, outcome, path)


def test_the_first_failure_names_the_class_and_later_abstentions_follow_the_reason() -> None:
    at = begin(FULL)
    for event in (
        happened(Move.PROBE, Verdict.FAILED),
        happened(Move.PRE, Verdict.FAILED, FailureClass.GATE, "not here"),
        happened(Move.PROCEDURE, Verdict.UNKNOWN, FailureClass.LOCATOR, "no such button"),
        happened(Move.INTENT, Verdict.UNKNOWN, FailureClass.MODEL, "no model"),
    ):
        at = advance(FULL, at, event)
    assert at.failure is FailureClass.GATE
    assert at.reason == "not here; procedure: no such button; intent: no model"


def test_an_optional_step_is_not_skipped_where_nobody_can_tell_whether_it_is_called_for() -> None:
    ways = replace(FULL, optional=True)
    at = advance(ways, begin(ways), happened(Move.PROBE, Verdict.FAILED))
    end = advance(ways, at, happened(Move.PRE, Verdict.UNKNOWN, FailureClass.GATE, "NameError"))
    assert (end.move, end.outcome, end.failure) == (Move.STOP, Outcome.UNVERIFIED, FailureClass.GATE)
    assert end.reason == "optional, and whether it is called for can't be told: NameError"


def test_a_once_step_whose_request_leaves_late_is_not_handed_on() -> None:
    ways = replace(FULL, once=True)
    at = advance(ways, begin(ways), happened(Move.PROBE, Verdict.FAILED))
    at = advance(ways, at, happened(Move.PRE, Verdict.PASSED))
    at = advance(ways, at, happened(Move.CODE, Verdict.FAILED, FailureClass.TIMEOUT, "slow"))
    late = advance(ways, at, replace(happened(Move.PROBE, Verdict.FAILED), dispatched=True))
    assert (at.move, late.move) == (Move.PROBE, Move.POST)


def test_what_was_not_asked_for_can_not_happen() -> None:
    with pytest.raises(ValueError, match="code happened where probe was asked for"):
        advance(FULL, begin(FULL), happened(Move.CODE, Verdict.PASSED))

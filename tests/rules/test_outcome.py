"""Verdicts to outcomes to exit status."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.gatesource import parse_gates
from skillnb.rules.outcome import HEALED, already_done, exit_status, joined, run_outcome
from skillnb.terms.gate import Gate, GateKind, GateResult, Moment
from skillnb.terms.outcome import Outcome, Path, Verdict


@given(st.lists(st.sampled_from(Verdict)))
def test_joined_is_failed_before_unknown_before_passed(verdicts: list[Verdict]) -> None:
    if Verdict.FAILED in verdicts:
        assert joined(verdicts) is Verdict.FAILED
    elif Verdict.UNKNOWN in verdicts or not verdicts:
        assert joined(verdicts) is Verdict.UNKNOWN
    else:
        assert joined(verdicts) is Verdict.PASSED


@given(st.lists(st.sampled_from(Outcome)), st.sampled_from(Outcome))
def test_one_more_step_never_makes_a_run_better(steps: list[Outcome], more: Outcome) -> None:
    order = [Outcome.PASSED, Outcome.UNVERIFIED, Outcome.FAILED, Outcome.ABORTED]
    if steps:
        assert order.index(run_outcome([*steps, more])) >= order.index(run_outcome(steps))


def test_a_run_without_steps_has_shown_nothing() -> None:
    assert run_outcome([]) is Outcome.UNVERIFIED


@pytest.mark.parametrize(
    ("outcome", "paths", "fail_on_heal", "status"),
    [
        (Outcome.PASSED, [Path.CODE], False, 0),
        (Outcome.PASSED, [Path.CODE, Path.PROCEDURE], False, 0),
        (Outcome.PASSED, [Path.CODE, Path.PROCEDURE], True, 5),
        (Outcome.PASSED, [Path.CODE, Path.SKIPPED], True, 0),
        (Outcome.FAILED, [Path.REPAIRED], True, 1),
        (Outcome.UNVERIFIED, [Path.CODE], False, 3),
        (Outcome.ABORTED, [], False, 4),
    ],
)
def test_exit_status(outcome: Outcome, paths: list[Path], fail_on_heal: bool, status: int) -> None:
    assert exit_status(outcome, paths, fail_on_heal) == status


@given(st.sampled_from(Outcome), st.lists(st.sampled_from(Path)), st.booleans())
def test_zero_means_passed_and_nothing_healed_where_that_counts(
    outcome: Outcome, paths: list[Path], fail_on_heal: bool
) -> None:
    zero = exit_status(outcome, paths, fail_on_heal) == 0
    assert zero == (outcome is Outcome.PASSED and not (fail_on_heal and HEALED & set(paths)))


def result(kind: GateKind, verdict: Verdict) -> GateResult:
    gate = Gate(kind=kind, expression=f"gate.{kind}()")
    return GateResult(gate=gate, moment=Moment.PROBE, verdict=verdict, expected="", actual="", seconds=0.0)


def test_absence_alone_does_not_prove_a_step_done() -> None:
    absent, url = result(GateKind.ABSENT, Verdict.PASSED), result(GateKind.URL, Verdict.PASSED)
    assert not already_done([absent])
    assert already_done([absent, url])
    assert not already_done([url, result(GateKind.TEXT, Verdict.UNKNOWN)])
    assert not already_done([])


@pytest.mark.parametrize(
    ("source", "proof"),
    [
        ('gate.count(role="row", equals=2)', True),
        ('gate.count(role="row", at_least=1)', True),
        ('gate.count(role="row", equals=0)', False),
        ('gate.count(role="row", at_most=3)', False),
        ('gate.count(role="row", equals=params.rows)', False),
        ('gate.absent(role="alert")', False),
        ("page.title()", False),
    ],
)
def test_what_may_be_an_absence_does_not_prove_a_step_done(source: str, proof: bool) -> None:
    (gate,) = parse_gates(f"await {source}\n")
    held = GateResult(gate=gate, moment=Moment.PROBE, verdict=Verdict.PASSED, expected="", actual="", seconds=0.0)
    assert already_done([held]) is proof

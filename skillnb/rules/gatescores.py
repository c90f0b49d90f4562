"""How post gates answer pages that are wrong and pages that are right: counted by kind of change, gate and step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from skillnb.rules.gates import check
from skillnb.rules.mutationkinds import AIMS, Aim, Kind
from skillnb.rules.mutations import Mutant, contradictions
from skillnb.rules.passages import Passage
from skillnb.rules.resting import elements_of
from skillnb.rules.variants import right_variants, wrong_for_step
from skillnb.terms import term
from skillnb.terms.gate import Gate
from skillnb.terms.observation import Observation
from skillnb.terms.outcome import Verdict

__all__ = ["counted", "Score", "score_step", "StepScore", "Tally", "Unasked"]

_EXAMPLES = 3
_RANK = {aim: rank for rank, aim in enumerate((Aim.STEP, Aim.CLAIM, Aim.APART, Aim.RIGHT))}
"""As what a state counts that is made in several ways."""


@term
class Tally:
    """Of ``n`` states changed in this way ``passed`` were let pass. ``examples`` are of those that should not be so."""

    kind: Kind
    n: int
    passed: int
    examples: tuple[str, ...]


@term
class Score:
    """Of one gate, or of all post gates of a step together."""

    gate: str
    """The gate's source; empty for all together."""
    tallies: tuple[Tally, ...]


@term
class Unasked:
    """A gate that does not hold on the record of a page on which it held, so nothing can be learned about it."""

    gate: str
    reason: str
    states: int
    """On so many recorded pages."""


@term
class StepScore:
    step: str
    states: int
    """Recorded right states of the step."""
    together: Score
    gates: tuple[Score, ...]
    unasked: tuple[Unasked, ...]


class _Met(NamedTuple):
    mutant: Mutant
    passed: bool


def score_step(step: str, gates: Sequence[Gate], passages: Sequence[Passage], used: Iterable[str]) -> StepScore:
    """``gates`` are the step's post gates, ``passages`` recorded doings of it, ``used`` its parameters. Total."""
    met: dict[int, list[_Met]] = {at: [] for at in range(len(gates))}
    whole: list[_Met] = []
    unasked: dict[tuple[int, str], int] = {}
    names = tuple(used)
    for passage in passages:
        asked: list[int] = []
        for at, gate in enumerate(gates):
            answer = check(gate, passage.values, passage.after)
            if answer.verdict is Verdict.PASSED:
                asked.append(at)
            else:
                key = at, f"{answer.verdict}: {answer.actual}"
                unasked[key] = unasked.get(key, 0) + 1
        if asked:
            whole += _meet(gates, asked, passage, names, met)
    return StepScore(
        step=step,
        states=len(passages),
        together=Score(gate="", tallies=_tallies(whole)),
        gates=tuple(Score(gate=gate.expression, tallies=_tallies(met[at])) for at, gate in enumerate(gates)),
        unasked=tuple(
            Unasked(gate=gates[at].expression, reason=reason, states=n) for (at, reason), n in unasked.items()
        ),
    )


def counted(tallies: Iterable[Tally], aims: Iterable[Aim]) -> tuple[int, int]:
    """(let pass, all) over the kinds with these aims."""
    wanted = set(aims)
    chosen = [tally for tally in tallies if AIMS[tally.kind] in wanted]
    return sum(tally.passed for tally in chosen), sum(tally.n for tally in chosen)


def _meet(
    gates: Sequence[Gate], asked: list[int], passage: Passage, used: tuple[str, ...], met: Mapping[int, list[_Met]]
) -> Iterator[_Met]:
    """Every changed state shown to each gate that it concerns, and to all together; each state counts once a step."""
    values, after = passage.values, passage.after
    of_step = wrong_for_step(passage, used)
    numbers: dict[Observation, int] = {}
    together: dict[int, Mutant] = {}
    answers: dict[tuple[int, int], bool] = {}

    def holds(at: int, number: int) -> bool:
        key = at, number
        if key not in answers:
            answers[key] = check(gates[at], values, together[number].seen).verdict is Verdict.PASSED
        return answers[key]

    for at in asked:
        own = contradictions(gates[at], values, after)
        right = right_variants(after, elements_of(gates[at], values, after))
        for mutant in (*own, *of_step, *right):
            number = numbers.setdefault(mutant.seen, len(numbers))
            if number not in together or _RANK[AIMS[mutant.kind]] < _RANK[AIMS[together[number].kind]]:
                together[number] = mutant  # what one gate leaves open another may claim
            met[at].append(_Met(mutant, holds(at, number)))
    for number, mutant in together.items():
        yield _Met(mutant, all(holds(at, number) for at in asked))


def _tallies(met: Iterable[_Met]) -> tuple[Tally, ...]:
    found: dict[Kind, list[_Met]] = {}
    for each in met:
        found.setdefault(each.mutant.kind, []).append(each)
    return tuple(_tally(kind, found[kind]) for kind in Kind if kind in found)


def _tally(kind: Kind, met: Sequence[_Met]) -> Tally:
    expected = AIMS[kind] is Aim.RIGHT
    odd = dict.fromkeys(each.mutant.change for each in met if each.passed is not expected)
    return Tally(kind=kind, n=len(met), passed=sum(each.passed for each in met), examples=tuple(odd)[:_EXAMPLES])

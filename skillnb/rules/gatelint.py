"""Weak post gates, found on recorded runs: those that hold where they should not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from skillnb.rules.gates import check
from skillnb.rules.gatesource import parse_gates
from skillnb.rules.passages import Passage, before_step, different, neighbours, shows, used_by
from skillnb.rules.resting import asks_of
from skillnb.terms.finding import Finding, finding
from skillnb.terms.gate import Gate
from skillnb.terms.observation import Node, Observation
from skillnb.terms.outcome import Verdict
from skillnb.terms.workflow import Step, Workflow

__all__ = ["BLANK", "weak_gates"]

BLANK = Observation(
    url="about:blank",
    title="",
    nodes=(Node(index=0, depth=0, parent=-1, role="paragraph", name="", text="\ufffc"),),
)
"""A page of no site. It is not quite empty: on an empty page nothing can be told to be absent."""


class _Placed(NamedTuple):
    gate: Gate
    spot: str


def weak_gates(workflow: Workflow, passages: Sequence[Passage], where: str) -> tuple[Finding, ...]:
    """Findings in the order of the steps, errors first. Steps without a recorded passage have none."""
    found: list[Finding] = []
    for step in workflow.steps:
        of_step = [passage for passage in passages if passage.step == step.name]
        placed = _placed(workflow, step, where)
        if of_step and placed:
            found += _of_step(step, placed, of_step, used_by(workflow, step.name))
    return tuple(dict.fromkeys(sorted(found, key=lambda each: each.level)))


def _placed(workflow: Workflow, step: Step, where: str) -> list[_Placed]:
    return [
        _Placed(gate, f"{where}: cell {name}, line {gate.line}")
        for name in step.post
        for gate in parse_gates(workflow.cell(name).source)
    ]


def _of_step(step: Step, placed: list[_Placed], passages: list[Passage], used: tuple[str, ...]) -> Iterator[Finding]:
    told = f"the post gates of step {step.name!r}"
    first = placed[0].spot
    asked = [(passage, _asked(placed, passage)) for passage in passages]
    asked = [(passage, gates) for passage, gates in asked if gates]
    befores = [(passage, gates) for passage, gates in asked if _changed(passage)]
    blank = [passage for passage, gates in asked if _hold(gates, passage.values, BLANK)]
    if blank:
        reason = f"{told} hold on a blank page"
        yield finding("error", first, reason, "add what only the right page shows", "holds-on-blank")
    held = [passage for passage, gates in befores if passage.before and _hold(gates, passage.values, passage.before)]
    if held:
        reason = f"{told} held before the step in {len(held)} of {len(befores)} recorded runs, so they do not prove it"
        remedy = "add what was not there before: a message, an answer of the site, a value"
        yield finding("error", first, reason, remedy, "holds-before")
    for name in used:
        yield from _neighbours(name, told, first, asked)
    if not held and not blank:
        for each in placed:
            yield from _idle(each, [passage for passage, gates in befores if each.gate in gates])


def _asked(placed: list[_Placed], passage: Passage) -> list[Gate]:
    """Those that hold on the record of the right page; of the others nothing can be told."""
    return [each.gate for each in placed if check(each.gate, passage.values, passage.after).verdict is Verdict.PASSED]


def _changed(passage: Passage) -> bool:
    return passage.before is not None and different(passage.before, passage.after)


def _hold(gates: list[Gate], values: Mapping[str, object], seen: Observation) -> bool:
    return all(check(gate, values, seen).verdict is Verdict.PASSED for gate in gates)


def _neighbours(name: str, told: str, spot: str, asked: list[tuple[Passage, list[Gate]]]) -> Iterator[Finding]:
    """Do the gates take the page of one value for that of the next one?"""
    for passage, gates in asked:
        value = passage.values.get(name)
        about = [gate for gate in gates if name in asks_of(gate)]
        if not about and not shows(passage.after, value):
            continue
        for other in neighbours(value):
            if not _hold(gates, {**passage.values, name: other}, passage.after):
                continue
            if about:
                reason = f"{told} held for {name} = {other!r} too, on the page for {value!r}"
                remedy = "name the whole value: equals=, a pattern that ends where the value ends"
                yield finding("warning", spot, reason, remedy, "holds-for-neighbour")
            else:
                reason = f"{told} say nothing about {name}, which the step uses and the page shows afterwards"
                remedy = f"add a gate with params.{name}, so that another one's page does not pass"
                yield finding("warning", spot, reason, remedy, "parameter-not-looked-at")
            return


def _wrong_pages(passage: Passage) -> Iterator[Observation]:
    """Every other page of the run, those at the same address too: what was there earlier may be what must be gone."""
    yield BLANK
    for seen in (passage.before, *passage.elsewhere):
        if seen is not None and different(seen, passage.after):
            yield before_step(seen)


def _idle(each: _Placed, passages: list[Passage]) -> Iterator[Finding]:
    """A single gate that held on every wrong page on record: it adds nothing to the others."""
    tried = 0
    for passage in passages:
        wrong = [(passage.values, seen) for seen in _wrong_pages(passage)]
        wrong += [
            ({**passage.values, name: other}, passage.after)
            for name in asks_of(each.gate) - passage.secrets
            for other in neighbours(passage.values.get(name))
        ]
        if any(check(each.gate, values, seen).verdict is not Verdict.PASSED for values, seen in wrong):
            return
        tried += len(wrong)
    if tried:
        reason = f"{each.gate.expression} held on all {tried} wrong pages on record: it distinguishes nothing"
        yield finding("warning", each.spot, reason, "drop it, or say more in it", "distinguishes-nothing")

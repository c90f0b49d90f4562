"""How the tests of gates are printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from skillnb.cli.told import print_findings, print_json
from skillnb.rules.gatescores import counted
from skillnb.rules.mutationkinds import AIMS, SAYS, Aim
from skillnb.rules.rates import ONE_SIDED_95, wilson_upper

__all__ = ["print_mutated", "print_weak"]

_OF_GATE = (Aim.CLAIM,)
_OF_STEP = (Aim.CLAIM, Aim.STEP)
_NOTE = (
    "Wrong states that were let pass, of all; in brackets the upper bound of the rate (Wilson, one-sided 95 %). "
    "A gate is judged by what contradicts its own claim, a step's gates together also by the page before the step, "
    "other pages and other records. States of one recorded page are not independent. Nothing is drawn by chance."
)


def print_weak(checked: Any, as_json: bool) -> None:
    records = checked.records
    if as_json:
        found = [
            {name: str(getattr(item, name)) for name in ("level", "where", "reason", "remedy", "code")}
            for item in checked.findings
        ]
        print_json(_head(checked) | {"findings": found})
        return
    print_findings(checked.findings, 1, False)
    console = Console(highlight=False, soft_wrap=True)
    steps = {passage.step for passage in records.passages}
    console.print(f"{len(records.runs)} recorded runs, {len(steps)} of {len(checked.loaded.workflow.steps)} steps")
    _print_left_out(console, records)


def print_mutated(mutated: Any, as_json: bool) -> None:
    if as_json:
        steps = [_step_object(step) for step in mutated.steps]
        totals = [_tally_object(tally) for tally in _totals(mutated.steps)]
        print_json(_head(mutated) | {"random": False, "z": ONE_SIDED_95, "steps": steps, "kinds": totals})
        return
    console = Console(highlight=False, soft_wrap=True)
    runs = ", ".join(mutated.records.runs)
    console.print(f"{_title(mutated)}, runs {runs}", markup=False)
    _print_left_out(console, mutated.records)
    console.print(_gates_table(mutated.steps))
    console.print(_NOTE, markup=False)
    console.print()
    console.print(_kinds_table(mutated.steps))
    for step in mutated.steps:
        for each in step.unasked:
            on = f"{each.states} of {step.states} recorded pages"
            console.print(f"{step.step}: {each.gate} did not hold on {on} ({each.reason})", markup=False)


def _title(told: Any) -> str:
    version = told.loaded.version
    return f"{version.name}@{version.number}" if version.number else f"{version.name} ({version.path})"


def _head(told: Any) -> dict[str, object]:
    version, records = told.loaded.version, told.records
    return {
        "workflow": version.name,
        "version": version.number,
        "version_id": version.id,
        "path": version.path,
        "runs": list(records.runs),
        "left_out": list(records.left_out),
    }


def _print_left_out(console: Console, records: Any) -> None:
    if records.left_out:
        more = f" (and {len(records.left_out) - 1} more)" if len(records.left_out) > 1 else ""
        console.print(f"left out: {records.left_out[0]}{more}", markup=False)


def _gates_table(steps: Iterable[Any]) -> Table:
    table = Table("step and gate", "pages", "wrong, let pass", "right, refused", box=None, pad_edge=False)
    for step in steps:
        passed, n = counted(step.together.tallies, _OF_STEP)
        table.add_row(f"[bold]{step.step}[/]", str(step.states), _wrong(passed, n), _refused(step.together))
        for score in step.gates:
            passed, n = counted(score.tallies, _OF_GATE)
            gate = score.gate.replace("[", "\\[")
            table.add_row(f"  {gate}", "", _wrong(passed, n), _refused(score))
    return table


def _kinds_table(steps: Sequence[Any]) -> Table:
    """All post gates of a step together, by kind of change."""
    table = Table("change", "counts as", "let pass", "for example", box=None, pad_edge=False)
    for tally in _totals(steps):
        aim = AIMS[tally.kind]
        odd = tally.n - tally.passed if aim is Aim.RIGHT else tally.passed
        style = "red" if odd and aim in _OF_STEP else "yellow" if odd else ""
        said = f"{tally.passed}/{tally.n}"
        example = tally.examples[0].replace("[", "\\[") if tally.examples else ""
        table.add_row(f"{tally.kind}", str(aim), f"[{style}]{said}[/]" if style else said, example)
    return table


def _totals(steps: Iterable[Any]) -> list[Any]:
    """The tallies of all steps, by kind; an example names its step."""
    found: dict[Any, list[tuple[str, Any]]] = {}
    for step in steps:
        for tally in step.together.tallies:
            found.setdefault(tally.kind, []).append((step.step, tally))
    return [
        type(found[kind][0][1])(
            kind=kind,
            n=sum(tally.n for _, tally in found[kind]),
            passed=sum(tally.passed for _, tally in found[kind]),
            examples=tuple(f"{step}: {example}" for step, tally in found[kind] for example in tally.examples),
        )
        for kind in SAYS
        if kind in found
    ]


def _wrong(passed: int, n: int) -> str:
    if not n:
        return "none made"
    told = f"{passed}/{n} (≤ {100 * wilson_upper(passed, n):.1f} %)"
    return f"[red]{told}[/]" if passed else told


def _refused(score: Any) -> str:
    passed, n = counted(score.tallies, (Aim.RIGHT,))
    told = f"{n - passed}/{n}"
    return f"[yellow]{told}[/]" if passed < n else told


def _tally_object(tally: Any) -> dict[str, object]:
    return {
        "kind": str(tally.kind),
        "aim": str(AIMS[tally.kind]),
        "n": tally.n,
        "passed": tally.passed,
        "examples": list(tally.examples),
    }


def _score_object(score: Any, aims: tuple[Aim, ...]) -> dict[str, object]:
    passed, n = counted(score.tallies, aims)
    right, of = counted(score.tallies, (Aim.RIGHT,))
    return {
        "wrong": {"n": n, "passed": passed, "upper_bound": round(wilson_upper(passed, n), 6)},
        "right": {"n": of, "refused": of - right},
        "kinds": [_tally_object(tally) for tally in score.tallies],
    }


def _step_object(step: Any) -> dict[str, object]:
    return {
        "step": step.step,
        "states": step.states,
        "together": _score_object(step.together, _OF_STEP),
        "gates": [{"gate": score.gate} | _score_object(score, _OF_GATE) for score in step.gates],
        "unasked": [{"gate": each.gate, "reason": each.reason, "states": each.states} for each in step.unasked],
    }

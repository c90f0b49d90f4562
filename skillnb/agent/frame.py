"""One workflow being executed in the kernel: its values, its namespace, the step it is in, what its gates have said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skillnb.terms.cascade import Ways
from skillnb.terms.gate import Gate, GateKind, GateResult, Moment
from skillnb.terms.workflow import Effect, Role, Step, Workflow

__all__ = ["Frame", "ways_of"]


@dataclass
class Frame:
    """``prefix`` is put before step names: ``log-in/`` for steps of a called workflow."""

    workflow: Workflow
    values: dict[str, object]
    secrets: frozenset[str]
    namespace: dict[str, Any]
    prefix: str = ""
    step: Step | None = None
    moment: Moment = Moment.POST
    cell: str = ""
    results: list[GateResult] = field(default_factory=list)

    def parsed_gate(self, kind: GateKind, line: int) -> Gate | None:
        """The gate as data that stands on ``line`` of the cell being run."""
        if self.step is None:
            return None
        cells = self.step.pre if self.moment is Moment.PRE else self.step.post
        if self.cell not in cells:
            return None
        gates = self.step.pre_gates if self.moment is Moment.PRE else self.step.post_gates
        same = [gate for gate in gates if gate.kind is kind and gate.line == line]
        # two cells of one moment share line numbers; an ambiguous place is no place
        return same[0] if len(same) == 1 else None

    def settle_cell(self, cell: str, role: Role) -> None:
        self.cell = cell
        self.moment = Moment.PRE if role is Role.PRE else Moment.POST


def ways_of(step: Step, *, repair: bool, intent: bool) -> Ways:
    return Ways(
        pre=bool(step.pre_gates),
        code=bool(step.code) and step.settings.formalized,
        post=bool(step.post_gates),
        procedure=bool(step.procedure),
        intent=intent,
        repair=repair,
        once=step.settings.effect is Effect.ONCE,
        optional=step.settings.optional,
    )

"""One workflow being executed in the kernel: its values, its namespace, the step it is in, what its gates have said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skillnb.browser.protocol import Mark
from skillnb.errors import StepFailed
from skillnb.terms.gate import Gate, GateKind, GateResult, Moment
from skillnb.terms.workflow import Role, Step, Workflow

__all__ = ["Frame"]


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
    past: bool = False
    """The step was done by a run before this one: what happened then (responses, downloads) can't be asked any more."""
    cell: str = ""
    results: list[GateResult] = field(default_factory=list)
    since: Mark = field(default_factory=Mark)
    """When the step began."""
    coded: bool = False
    """A code cell of the step has begun since."""
    spent: bool = False
    """A called workflow has done something since that must not be done twice."""
    sent: set[str] = field(default_factory=set)
    """Steps before this one, by name, whose code ran and whose requests may have changed the site."""

    def enter(self, step: Step, now: Mark) -> None:
        if self.step is not None and self.coded and now.dispatched > self.since.dispatched:
            self.sent.add(self.step.name)
        self.step, self.since, self.past = step, now, False
        self.coded = self.spent = False
        self.results.clear()

    def named(self, name: str) -> Step:
        """Raises StepFailed."""
        for step in self.workflow.steps:
            if step.name == name:
                return step
        known = ", ".join(step.name for step in self.workflow.steps)
        raise StepFailed(step=name, reason=f"{self.workflow.name} has no such step", remedy=f"its steps: {known}")

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
        self.coded = self.coded or role is Role.CODE
        self.moment = Moment.PRE if role is Role.PRE else Moment.POST

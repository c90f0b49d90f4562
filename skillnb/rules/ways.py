"""The ways of doing a step that it has and that the run allows."""

from __future__ import annotations

from skillnb.terms.cascade import Ways
from skillnb.terms.workflow import Effect, Step

__all__ = ["ways_of"]


def ways_of(step: Step, *, repair: bool) -> Ways:
    """The intent is always a way: where no model may be asked, it says so and abstains."""
    return Ways(
        pre=bool(step.pre_gates),
        code=bool(step.code) and step.settings.formalized,
        post=bool(step.post_gates),
        procedure=bool(step.procedure),
        intent=True,
        repair=repair,
        once=step.settings.effect is Effect.ONCE,
        optional=step.settings.optional,
    )

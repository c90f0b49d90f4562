"""The ways of doing a step that it has and that the run allows."""

from __future__ import annotations

from skillnb.rules.outcome import HEALED
from skillnb.terms.cascade import Ways
from skillnb.terms.outcome import Outcome, Path
from skillnb.terms.workflow import Effect, Step

__all__ = ["pictured", "ways_of"]


def pictured(policy: str, step: Step, outcome: Outcome | None, path: Path | None, last: bool) -> bool:
    """Is the page drawn at this step's end? What it shows is recorded as text in any case.

    ``changes``: after ``once`` steps, after those that healed or did not pass, and at the end of the run.
    """
    match policy:
        case "steps":
            return True
        case "changes":
            changing = step.settings.effect is Effect.ONCE
            return changing or last or outcome is not Outcome.PASSED or path in HEALED
        case "failures":
            return outcome is not Outcome.PASSED
        case _:
            return False


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

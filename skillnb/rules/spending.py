"""What models were used for, added up, and held against what they may be used for."""

from __future__ import annotations

from collections.abc import Iterable

from skillnb.terms.brief import ModelLimits
from skillnb.terms.record import GuidedReport, ModelUse

__all__ = ["exhausted", "together", "told_use", "used_by"]


def together(uses: Iterable[ModelUse]) -> ModelUse:
    """A sum; of several models all names. A price that is not known leaves the sum unknown."""
    total = ModelUse()
    for use in uses:
        names = list(dict.fromkeys(name for name in (*total.model.split(", "), *use.model.split(", ")) if name))
        cost = None if total.cost is None or use.cost is None else round(total.cost + use.cost, 8)
        total = ModelUse(
            model=", ".join(names),
            calls=total.calls + use.calls,
            prompt_tokens=total.prompt_tokens + use.prompt_tokens,
            completion_tokens=total.completion_tokens + use.completion_tokens,
            cost=cost,
            actions=total.actions + use.actions,
            seconds=round(total.seconds + use.seconds, 4),
        )
    return total


def used_by(reports: Iterable[GuidedReport]) -> ModelUse:
    return together(report.use for report in reports)


def told_use(use: ModelUse) -> str:
    """In words; empty where no model was asked."""
    if not use.calls:
        return ""
    cost = "at a price that is not known" if use.cost is None else f"for ${use.cost:.4f}"
    calls, actions = _counted(use.calls, "call"), _counted(use.actions, "action")
    tokens = use.prompt_tokens + use.completion_tokens
    return f"{use.model}: {calls}, {tokens} tokens, {actions}, {cost}"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")


def exhausted(use: ModelUse, limits: ModelLimits, coming: int = 0) -> str:
    """The limit of a step that is reached, or would be by a prompt of about ``coming`` tokens; empty where none is."""
    tokens = use.prompt_tokens + use.completion_tokens
    if use.seconds >= limits.seconds:
        return f"the step's limit of {limits.seconds:g} s with a model is reached"
    if use.calls >= limits.calls:
        return f"the step's limit of {limits.calls} model calls is reached"
    if use.actions >= limits.actions:
        return f"the step's limit of {limits.actions} actions by a model is reached"
    if tokens + coming > limits.tokens:
        return f"the step's limit of {limits.tokens} tokens would be passed: {tokens} used, about {coming} to come"
    if use.cost is not None and use.cost >= limits.dollars:
        return f"the step's limit of ${limits.dollars:g} is reached"
    return ""

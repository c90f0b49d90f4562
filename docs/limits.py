"""The table of a model's limits, for ``docs/fallback.md``."""

from __future__ import annotations

from skillnb.config import LIMITED
from skillnb.terms.brief import ModelLimits

__all__ = ["limits_of_a_step"]

_WHAT = {
    "actions": "actions carried out or tried",
    "calls": "questions asked",
    "tokens": "tokens of prompts and answers",
    "dollars": "US dollars; held only where the price is known",
    "seconds": "seconds, looking, asking and acting together",
}


def limits_of_a_step() -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    plain = ModelLimits()
    rows: list[tuple[str, ...]] = [
        (f"`{unit}`", f"{getattr(plain, unit):g}", _WHAT[unit], f"`SKILLNB_LIMIT_STEP={unit}=...`") for unit in LIMITED
    ]
    hosts = ("hosts", "the workflow's own site", "where a model may act", "`SKILLNB_HOSTS=pay.example,*.cdn.example`")
    return ("limit of a step", "usual", "counts", "set by"), [*rows, hosts]

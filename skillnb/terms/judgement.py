"""What a judge says of one attempt at a task. For learning from attempts only: no run's outcome ever rests on it."""

from __future__ import annotations

from enum import StrEnum

from skillnb.terms import term

__all__ = ["Judged", "Judgement"]


class Judged(StrEnum):
    SUCCESS = "success"
    FAIL = "fail"
    UNKNOWN = "unknown"
    """Also whenever the judge gave no usable answer."""


@term
class Judgement:
    task_id: str
    verdict: Judged
    reason: str
    evidence: tuple[str, ...]
    """Of the pieces of evidence that the judge was shown, those that it rests on, by id."""
    judge: str
    """The model's name, as it is configured (``family/model:tag``)."""
    prompt: str
    """Digest of all that the judge was asked."""

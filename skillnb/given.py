"""What a kernel is given to bind a workflow with, by the runner or by hand."""

from __future__ import annotations

from typing import NamedTuple

from skillnb.terms.brief import Brief

__all__ = ["Given"]


class Given(NamedTuple):
    """``values`` are all of them; ``secrets`` are the names of those that are secret."""

    brief: Brief
    values: dict[str, object]
    secrets: frozenset[str]

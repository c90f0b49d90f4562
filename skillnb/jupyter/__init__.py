"""The notebook front: ``from skillnb.jupyter import bind`` in the open cell of every workflow."""

from __future__ import annotations

from typing import Any

__all__ = ["bind"]


async def bind(name: str) -> tuple[Any, ...]:
    """Connect this notebook to a page: gives ``page, gate, params, fallback, call`` for the workflow ``name``."""
    # here and not above: papermill imports this package at every start, and the browser library costs it 0.3 s
    from skillnb.binding import bind_session

    return await bind_session(name)

"""What a field holds after typing, compared with what was typed: masks add signs and change case, and nothing else."""

from __future__ import annotations

__all__ = ["agrees"]

_ADDED_BY_MASKS = frozenset(" \t\u00a0\u202f/-()")
"""Not the point and not the comma: between figures they change an amount."""


def agrees(typed: str, committed: str) -> bool:
    """Every sign that was typed, in order, and beside these only what a mask adds. White space never counts."""
    left, right = _plain(typed), _plain(committed)
    at = 0
    for sign in right:
        if at < len(left) and sign == left[at]:
            at += 1
        elif sign not in _ADDED_BY_MASKS:
            return False
    return at == len(left)


def _plain(text: str) -> str:
    return "".join(text.casefold().split())

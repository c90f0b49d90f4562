"""The known word that a misspelt one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean", "nearest"]


def nearest(word: str, known: Iterable[str]) -> str:
    """Empty when nothing known is near."""
    found = get_close_matches(word[:80].lower(), sorted(known), n=1, cutoff=0.6)
    return found[0] if found else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A remedy: the nearest known word, or all of them."""
    choices = sorted(known)
    guess = nearest(word, choices)
    return f"did you mean {guess!r}?" if guess else "known: " + (", ".join(choices) or "none")

"""What a gate says of a value or a text, and whether that holds. Nothing empty is ever claimed by accident."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from skillnb.rules.matching import shown
from skillnb.rules.operands import as_text
from skillnb.rules.roles import CHOOSERS, FIELDS
from skillnb.rules.similarity import holds_words, straightened
from skillnb.rules.tree import selected_options
from skillnb.terms import term
from skillnb.terms.observation import Node

__all__ = ["Claim", "claim", "holds", "Said", "value_of"]

_BLANK_BY_MARK = re.compile(r"""\s*(["'()\[\]])\s*""")


@term
class Claim:
    how: str
    """``equals`` or ``contains``."""
    wish: str | re.Pattern[str]
    own: bool
    """Written in the gate itself; a value that comes from a parameter must stand as whole words."""

    @property
    def words(self) -> str:
        return f"{self.how} {shown(self.wish)}"


class Said(NamedTuple):
    """Values of one field (several for a multiple choice) or one text."""

    values: tuple[str, ...]
    loose: bool
    """Labels and page text: white space was folded, quotes may stand apart. Typed values are compared as they are."""


def claim(how: str, value: object, *, own: bool) -> Claim | str:
    """The claim, or why it would prove nothing."""
    if isinstance(value, re.Pattern):
        return Claim(how=how, wish=value, own=True)
    if isinstance(value, dict | list | tuple | set | bytes):
        return f"{how} is not a text: {value!r}"
    wish = as_text(value)
    if not wish.strip() and (how == "contains" or not own or wish):
        return f"{how} is empty"
    return Claim(how=how, wish=wish, own=own)


def value_of(nodes: Sequence[Node], at: int) -> Said | None:
    """The committed value: of a choice the labels chosen, of a field what was read back; ``None`` when it was not."""
    node = nodes[at]
    chosen = selected_options(nodes, at) if node.role in CHOOSERS else None
    if chosen is not None:
        return Said(chosen, True)
    if node.role == "listbox":
        return Said((), True)
    return Said((node.value,), False) if node.role in FIELDS and node.value is not None else None


def holds(one: Claim, said: Said) -> bool:
    if isinstance(one.wish, re.Pattern):
        return any(one.wish.search(value) is not None for value in said.values)
    form = _loose if said.loose else _typed
    wish, values = form(one.wish), [form(value) for value in said.values]
    if one.how == "equals":
        return values == [wish]
    return bool(wish) and any(_contains(value, wish, one.own) for value in values)


def _contains(text: str, wish: str, own: bool) -> bool:
    """A number is never part of a longer number; words from parameters are never part of longer words."""
    if not own:
        return holds_words(text, wish)
    at = text.find(wish)
    while at >= 0:
        if not _cuts_number(text, at, at + len(wish)):
            return True
        at = text.find(wish, at + 1)
    return False


def _cuts_number(text: str, start: int, stop: int) -> bool:
    before, after = text[max(0, start - 2) : start], text[stop : stop + 2]
    cut_before = text[start].isdigit() and re.search(r"\d[.,]?$", before) is not None
    cut_after = text[stop - 1].isdigit() and re.match(r"[.,]?\d", after) is not None
    return cut_before or cut_after


def _typed(text: str) -> str:
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n"))


def _loose(text: str) -> str:
    return _BLANK_BY_MARK.sub(r"\1", straightened(text))

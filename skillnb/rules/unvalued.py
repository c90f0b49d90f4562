"""Texts without the values that a run was given, so that what is kept of one run holds for the next."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

__all__ = ["unvalued"]

T = TypeVar("T")

_SHORTEST = 3
"""Shorter values stand in too many words by chance."""


def unvalued(value: T, values: Mapping[str, object]) -> T:
    """A text or a term with every whole occurrence of a parameter's value replaced by ``{name}``.

    >>> unvalued("Order 1001 of 10017", {"order": 1001})
    'Order {order} of 10017'
    """
    told = {str(given): name for name, given in reversed(list(values.items())) if len(str(given).strip()) >= _SHORTEST}
    plain = {text: name for text, name in told.items() if text not in {"True", "False", "None"}}
    if not plain:
        return value
    pattern = _pattern(tuple(sorted(plain, key=lambda text: (-len(text), text))))
    made: T = _replaced(value, pattern, plain)
    return made


@lru_cache(maxsize=32)
def _pattern(texts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, texts)) + r")(?!\w)")


def _replaced(value: Any, pattern: re.Pattern[str], names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(lambda match: "{" + names[match[0]] + "}", value)
    if isinstance(value, tuple):
        return tuple(_replaced(item, pattern, names) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **{name: _replaced(item, pattern, names) for name, item in fields.items()})
    return value

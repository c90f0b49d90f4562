"""The words: frozen values named as the field names them. Nothing here does I/O or knows a library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

__all__ = ["term"]

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def term(cls: type[T]) -> type[T]:
    """Make ``cls`` a term: a frozen, slotted, keyword-only dataclass that refuses unknown keys when decoded.

    The decoding rule travels as a plain attribute, so that the words never import the library that decodes them.
    """
    made = dataclass(frozen=True, slots=True, kw_only=True)(cls)
    made.__pydantic_config__ = {"extra": "forbid"}  # type: ignore[attr-defined]
    return made

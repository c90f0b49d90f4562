"""Canonical JSON, digests, and strict decoding of terms.

One canonical form: sorted keys, no blanks, UTF-8 as it is, no NaN. One digest: SHA-256 of that form, written with its
algorithm as prefix.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Hashable
from enum import Enum
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from skillnb.errors import Undecodable

__all__ = ["canonical", "decode", "digest", "digest_bytes", "plain"]

T = TypeVar("T")


def plain(value: object) -> Any:
    """``value`` as JSON types: terms become objects (fields in order), enums their values, tuples arrays."""
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return value


def canonical(value: object) -> str:
    """The one JSON text of ``value``; raises ValueError for NaN and infinities, which JSON does not have."""
    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: object) -> str:
    return digest_bytes(canonical(value).encode("utf-8", "surrogatepass"))


def digest_bytes(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def decode(kind: type[T], text: str | bytes, where: str) -> T:
    """Rebuild a term from JSON. Raises Undecodable naming ``where`` and the first offending field.

    Half a surrogate pair, which pages can hold and JSON can't, becomes a question mark.
    """
    if isinstance(text, str):
        text = text.encode("utf-8", "replace")
    try:
        made: T = _adapter(cast("Hashable", kind)).validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = ".".join(str(part) for part in first["loc"]) or "(top)"
        raise Undecodable(where=where, field=path, problem=first["msg"], found=repr(first.get("input"))[:120]) from None
    return made

"""Which schemas a server can hold a model to word for word: OpenAI's strict mode takes no others."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["is_strict"]


def is_strict(schema: object) -> bool:
    """Every object in it is closed and asks for all of its properties."""
    return all(
        each.get("additionalProperties") is False
        and set(_names(each.get("properties"))) == set(_names(each.get("required")))
        for each in _objects(schema)
    )


def _objects(schema: object) -> Iterator[dict[str, object]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object" or "properties" in schema:
            yield schema
        for value in schema.values():
            yield from _objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _objects(value)


def _names(value: object) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, (dict, list)) else ()

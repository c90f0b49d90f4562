"""An answer that fits, made of its schema alone."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["filled"]


def filled(system: str, user: str, schema: dict[str, object]) -> str:
    """The plainest object of ``schema``: first choices, empty lists, no optional property. For a ScriptedChat."""
    return json.dumps(_value(schema), ensure_ascii=False)


def _value(schema: Any) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: _value(schema["properties"][name]) for name in schema.get("required", ())}
        case "array":
            return [_value(schema["items"])] * schema.get("minItems", 0)
        case "string":
            return "x" * max(1, schema.get("minLength", 1))
        case "boolean":
            return True
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "null":
            return None
        case other:
            raise ValueError(f"nothing is known to fill {other!r} with: {schema}")

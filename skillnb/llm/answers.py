"""An answer is one JSON object that fits its schema, or it is none."""

from __future__ import annotations

import json
import re
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from skillnb.llm.protocol import ModelFailed

__all__ = ["fitting"]

_FENCED = re.compile(r"\s*```(?:json)?\s*\n(?P<inside>.*?)\n\s*```\s*", re.DOTALL)
_SHOWN = 200


def fitting(text: str, schema: dict[str, object]) -> str:
    """The JSON object in ``text``, which may stand in one fenced block and nowhere else.

    Raises ModelFailed (``malformed``) saying what does not fit, and ValueError for a schema that is none. No reference
    out of the schema is followed.
    """
    fenced = _FENCED.fullmatch(text)
    inside = (fenced["inside"] if fenced else text).strip()
    try:
        answer = json.loads(inside, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ModelFailed("malformed", f"the answer is not JSON ({error}): {_short(text)}") from error
    if not isinstance(answer, dict):
        raise ModelFailed("malformed", f"the answer is not a JSON object: {_short(text)}")
    problem = _problem(answer, schema)
    if problem:
        raise ModelFailed("malformed", f"the answer does not fit its schema ({problem}): {_short(text)}")
    return inside


def _problem(answer: object, schema: dict[str, object]) -> str:
    try:
        Draft202012Validator.check_schema(schema)
        registry: Registry[Any] = Registry()
        found = best_match(Draft202012Validator(schema, registry=registry).iter_errors(answer))
    except (SchemaError, Unresolvable) as error:
        raise ValueError(f"not a JSON schema: {error}") from error
    return "" if found is None else f"{found.json_path}: {_short(found.message)}"


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key is given twice")
    return made


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is no number of JSON")


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"

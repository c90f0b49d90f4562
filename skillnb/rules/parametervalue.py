"""One parameter value made canonical for its type, whatever it came from: a command line, papermill or a notebook."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Mapping

from skillnb.terms.workflow import Parameter, ParameterType

__all__ = ["ENVIRONMENT_NAME", "fitted", "Unfit"]

ENVIRONMENT_NAME = re.compile(r"env:([A-Za-z_][A-Za-z0-9_]*)")

_INT = re.compile(r"-?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATETIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?"
)
_BOOL = {"true": True, "True": True, "1": True, "false": False, "False": False, "0": False}


class Unfit(ValueError):
    """Why a value does not fit its type, and what would; the caller names the parameter. Never leaves the rules."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(f"{reason}; {remedy}")
        self.reason, self.remedy = reason, remedy


def fitted(parameter: Parameter, value: object) -> object:
    """The canonical value: dates stay ISO strings, JSON is parsed. Raises Unfit."""
    match parameter.type:
        case ParameterType.STRING | ParameterType.SECRET:
            return _text(value, parameter.secret)
        case ParameterType.INT:
            return _int(value)
        case ParameterType.FLOAT:
            return _float(value)
        case ParameterType.BOOL:
            return _bool(value)
        case ParameterType.DATE:
            return _date(value)
        case ParameterType.DATETIME:
            return _datetime(value)
        case ParameterType.ENUM:
            return _choice(value, parameter.choices)
        case ParameterType.FILE:
            return _file(value)
        case ParameterType.JSON:
            return _json(value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _whole(text: str) -> str:
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Unfit("holds half a character (a lone surrogate)", "give the whole character")
    return text


def _text(value: object, secret: bool) -> str:
    """papermill turns ``-p order 1001`` into a number: taken back where nothing was lost on the way."""
    if isinstance(value, str):
        return _whole(value)
    if isinstance(value, bool | int):
        return str(value)
    shown = "the value" if secret else _shown(value)
    raise Unfit(f"{shown} is no text but a {type(value).__name__}", "pass it as text (papermill: `-r` instead of `-p`)")


def _int(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _INT.fullmatch(value) and len(value) < 4000:
        return int(value)
    raise Unfit(f"{_shown(value)} is no int", "write decimal digits only, such as 42 or -1, without leading zeros")


def _float(value: object) -> float:
    readable = bool(_FLOAT.fullmatch(value)) if isinstance(value, str) else not isinstance(value, bool)
    number = _as_float(value) if readable and isinstance(value, int | float | str) else math.nan
    if not math.isfinite(number):
        raise Unfit(f"{_shown(value)} is no finite float", "write a number such as 3.5 or 1e-3")
    return number


def _as_float(value: str | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _bool(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | str) and str(value) in _BOOL:
        return _BOOL[str(value)]
    raise Unfit(f"{_shown(value)} is no bool", "write true or false")


def _date(value: object) -> str:
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, str) and _DATE.fullmatch(value) and _exists(value):
        return value
    raise Unfit(f"{_shown(value)} is no date", "write YYYY-MM-DD, a day that exists, such as 2026-01-31")


def _datetime(value: object) -> str:
    text = value.isoformat() if isinstance(value, datetime.datetime) else value
    found = _DATETIME.fullmatch(text) if isinstance(text, str) else None
    if not isinstance(text, str) or not found or not _exists(text):
        raise Unfit(f"{_shown(value)} is no datetime", "write it such as 2026-01-31T09:30:00+01:00")
    if not found[3]:
        raise Unfit(f"{_shown(value)} has no zone", "end it with Z or an offset such as +01:00")
    return text


def _exists(text: str) -> bool:
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _choice(value: object, choices: tuple[str, ...]) -> str:
    text = _text(value, secret=False)
    if text not in choices:
        near = [choice for choice in choices if choice.casefold() == text.casefold()]
        remedy = f"write {near[0]!r}" if near else "one of " + ", ".join(choices)
        raise Unfit(f"{_shown(text)} is none of the choices", remedy)
    return text


def _file(value: object) -> str:
    text = _text(value, secret=False)
    if not text.strip() or "\0" in text:
        raise Unfit(f"{_shown(text)} is no path", "name a file")
    return text


def _json(value: object) -> object:
    try:
        parsed = json.loads(value, parse_constant=_no_constant) if isinstance(value, str) else value
        _check_json(parsed)
    except Unfit:
        raise
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, ValueError) else "nested too deeply"
        raise Unfit(f"{_shown(value)} is no JSON ({reason})", 'write JSON such as {"a": [1, true]}') from None
    return parsed


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _check_json(value: object) -> None:
    if isinstance(value, str):
        _whole(value)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("a number is too large or not a number")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ValueError(f"the key {_shown(key)} is no text")
            _whole(key)
            _check_json(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _check_json(item)
    elif not isinstance(value, int | None):
        raise ValueError(f"a {type(value).__name__} has no JSON form")

"""Free texts of a record: all that a page or a person may have put into it, and none of the words of its format.

A secret that is found elsewhere (``passed``, the digits of a digest) stands there by coincidence.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from enum import StrEnum
from types import ModuleType
from typing import Any

from skillnb.terms import action, cascade, gate, judgement, observation, outcome, record, trace, workflow

__all__ = ["free_texts", "is_word"]

_MODULES: tuple[ModuleType, ...] = (action, cascade, gate, judgement, observation, outcome, record, trace, workflow)
_CLASSES = [
    vars(module)[name] for module in _MODULES for name in module.__all__ if isinstance(vars(module)[name], type)
]
_ENUMS = [kind for kind in _CLASSES if issubclass(kind, StrEnum)]
_FIELDS = {field.name for kind in _CLASSES if dataclasses.is_dataclass(kind) for field in dataclasses.fields(kind)}

_NOTEBOOK_KEYS = """
    authors cell_type cells codemirror_mode collapsed data display_name end_time ename evalue exception execution
    execution_count file_extension format id injected kernelspec language language_info metadata mimetype name
    nbconvert_exporter nbformat nbformat_minor orig_nbformat output_type outputs papermill parameters pygments_lexer run
    skillnb source start_time status tags text traceback transient version
"""
_NOTEBOOK_WORDS = """
    code completed display_data error execute_result failed ipython ipython3 markdown pending python python3 raw stderr
    stdout stream
"""
_AUTHORED_FIELDS = """
    at calls cell end_time id kind run run_id site start_time step tags task_type version version_id workflow
"""
"""They name parts of a workflow or of a run."""

_KEYS = _FIELDS | set(_NOTEBOOK_KEYS.split())
_WORDS = {str(member) for kind in _ENUMS for member in kind} | set(_NOTEBOOK_WORDS.split())
_AUTHORED = frozenset(_AUTHORED_FIELDS.split())
_ODD = re.compile(r"sha256:[0-9a-f]{64}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)?")


def is_word(text: str) -> bool:
    """Would the record hold it anyhow, in sentences of ours too? Such a secret can't be told from them."""
    return text in _WORDS


def free_texts(data: bytes) -> list[str] | None:
    """Of a JSON document or of JSON lines, lists of lines put together; None for bytes that are neither."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    for parts in ([text], text.splitlines()):
        try:
            return [found for part in parts for found in _texts(json.loads(part), "")]
        except ValueError:
            continue
    return None


def _texts(value: Any, field: str) -> Iterator[str]:
    if isinstance(value, str):
        if field not in _AUTHORED and value not in _WORDS and not _ODD.fullmatch(value):
            yield value
    elif isinstance(value, list):
        if value and field not in _AUTHORED and all(isinstance(item, str) for item in value):
            yield from ("".join(value), "\n".join(value))
        else:
            for item in value:
                yield from _texts(item, field)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in _KEYS and "/" not in key:
                yield key
            yield from _texts(item, key)

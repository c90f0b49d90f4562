"""Secrets out of everything that is kept or shown.

A secret is looked for character by character in every spelling a sink may give it: as it is, percent-encoded (any
case, doubled), ``+`` for a blank, backslash escapes (JSON, Python, YAML), HTML entities, white space folded, composed
or decomposed accents, a terminal's colours in between, its beginning where ``…`` cuts the rest off; and base64 in both
alphabets at all three offsets. A secret under four characters is masked only where it is a whole JSON string: anywhere
else it would corrupt text that has nothing to do with it.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import Any

from skillnb.codec import canonical
from skillnb.rules.spellings import CUT, END, SHORT, spellings

__all__ = ["Masker"]

_MARK = re.compile(r"\[secret:[^\]\[]*\]")
_OMISSION = re.compile(r"…|\.\.\.")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_AUTHORED = frozenset({"step", "cell", "workflow", "version_id", "site", "task_type", "calls", "place"})
"""Fields of terms that name parts of a workflow: never a page's words, and needed whole to read a record."""
_CUT_AFTER, _CUT_WITHIN = 100, 400
"""Of a secret that ``…`` cuts off so many characters are looked for, in so many characters before it."""

_Span = tuple[int, int, str]


class _Hunted:
    """Patterns of one secret. They take milliseconds to compile, so those that are seldom needed wait for that."""

    def __init__(self, name: str, value: str) -> None:
        self.name, self._value, self.whole = name, value, spellings(value)

    @cached_property
    def cut(self) -> tuple[re.Pattern[str], ...]:
        return spellings(self._value[:_CUT_AFTER], CUT)

    @cached_property
    def begun(self) -> tuple[re.Pattern[str], ...]:
        return spellings(self._value, END)


class Masker:
    """Holds the secrets of a run, by name: it is never written, shown or pickled."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._secrets: dict[str, str] = {}
        self._whole: dict[str, str] = {}
        self._hunted: tuple[_Hunted, ...] = ()
        self.learn(secrets)

    def learn(self, secrets: Mapping[str, str]) -> dict[str, str]:
        """Mask these too from now on; returns those that were not known. One name may come to stand for several."""
        known = set(self._secrets.values())
        fresh = {name: value for name, value in secrets.items() if value.strip() and value not in known}
        if fresh:
            for name, value in fresh.items():
                self._secrets[_free(name, self._secrets)] = value
            real = sorted(self._secrets.items(), key=_longest_first)
            self._whole = {value: name for name, value in reversed(real)}
            self._hunted = tuple(_Hunted(name, value) for name, value in real if len(value) >= SHORT)
        return fresh

    def __repr__(self) -> str:
        return f"Masker({len(self._whole)} secrets)"

    def __reduce__(self) -> str:
        raise TypeError("a Masker holds secrets and is never pickled")

    def text(self, text: str) -> str:
        """Every secret of at least four characters replaced by ``[secret:NAME]``, the longest first."""
        return self.pieces((text,))[0]

    def pieces(self, texts: Sequence[str]) -> list[str]:
        """The same for a text that comes in pieces: what stands across two is masked in the first."""
        whole = "".join(texts)
        merged = _merged(list(self._spans(whole)))
        if not merged:
            return list(texts)
        edges = [0]
        for text in texts:
            edges.append(edges[-1] + len(text))
        return [_piece(whole, start, stop, merged) for start, stop in pairwise(edges)]

    def json(self, value: Any) -> Any:
        """``value`` with every string masked, keys too; what are no strings, lists, tuples or dicts stays as it is."""
        if isinstance(value, str):
            return f"[secret:{self._whole[value]}]" if value in self._whole else self.text(value)
        if isinstance(value, list):
            return [self.json(item) for item in value]
        if isinstance(value, tuple):
            return tuple(self.json(item) for item in value)
        if isinstance(value, dict):
            return self._dict(value)
        return value

    def term(self, value: Any) -> Any:
        """A term, or facts by field name, with every free text masked; field names, enumerations, steps' names stay.

        A secret that is such a word by chance must not make the record unreadable.
        """
        if isinstance(value, Enum):
            return value
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._fields(value)
        if isinstance(value, (list, tuple)):
            return type(value)(self.term(item) for item in value)
        if isinstance(value, dict):
            return {key: item if _name(key, item) else self.term(item) for key, item in value.items()}
        if isinstance(value, str) and _DIGEST.fullmatch(value):
            return value
        return self.json(value)

    def found(self, data: bytes) -> tuple[str, ...]:
        """Names of the secrets (of at least four characters) that the bytes still hold, in any encoding."""
        names: list[str] = []
        for text in {data.decode("utf-8", "surrogateescape"), data.decode("latin-1")}:
            names += [name for _, _, name in self._spans(text)]
        return tuple(sorted(set(names)))

    def holds(self, text: str) -> bool:
        """Is there a secret in it, or is it one?"""
        return text in self._whole or next(self._spans(text), None) is not None

    def suspects(self, text: str) -> bool:
        """May a part of it hold a secret or be a short one? The quick question before many of the exact one."""
        return any(len(value) < SHORT and value in text for value in self._whole) or self.holds(text)

    def settled(self, text: str) -> int:
        """How much of ``text`` can be masked for good, whatever comes after it."""
        begun = [pattern.search(text) for hunted in self._hunted for pattern in hunted.begun]
        stop = min([match.start() for match in begun if match is not None], default=len(text))
        stop = min([stop, *(_begun_mark(text, name) for name in self._whole.values())])
        kept = [(start, end) for start, end, _ in _merged(list(self._spans(text)))] + self._marks(text)
        for start, end in sorted(kept, reverse=True):
            if start < stop < end:
                stop = start
        return stop

    def without(self, environment: Mapping[str, str], needed: frozenset[str]) -> dict[str, str]:
        """``environment`` less the variables that hold a secret; ``needed`` ones go only if they are one."""
        return {
            name: value
            for name, value in environment.items()
            if value not in self._whole and (name in needed or not self.holds(value))
        }

    def _fields(self, value: Any) -> Any:
        changed = {}
        for field in dataclasses.fields(value):
            old = getattr(value, field.name)
            if field.name == "parameters" and isinstance(old, str):
                new = canonical({name: self.json(item) for name, item in json.loads(old).items()})
            else:
                new = old if _name(field.name, old) else self.term(old)
            if new != old:
                changed[field.name] = new
        return dataclasses.replace(value, **changed) if changed else value

    def _dict(self, value: dict[object, object]) -> dict[object, object]:
        masked: dict[object, object] = {}
        for key, item in value.items():
            hidden = self.json(key) if isinstance(key, str) else key
            masked[_free(hidden, masked)] = self.json(item)
        return masked

    def _spans(self, text: str) -> Iterator[_Span]:
        """Where secrets stand, the longest secret's first; nothing inside a mark that an earlier masking left."""
        if not self._hunted:
            return
        marks = self._marks(text)
        omissions = [match.start() for match in _OMISSION.finditer(text)]
        for hunted in self._hunted:
            for start, stop in _places(text, hunted, omissions):
                if not any(left < stop and start < right for left, right in marks):
                    yield start, stop, hunted.name

    def _marks(self, text: str) -> list[tuple[int, int]]:
        own = {f"[secret:{name}]" for name in self._whole.values()}
        return [match.span() for match in _MARK.finditer(text) if match[0] in own]


def _places(text: str, hunted: _Hunted, omissions: list[int]) -> Iterator[tuple[int, int]]:
    for pattern in hunted.whole:
        match = pattern.search(text)
        while match is not None:
            yield match.span()
            match = pattern.search(text, match.start() + 1)
    for before, at in pairwise((-1, *omissions)):
        for pattern in hunted.cut:
            match = pattern.search(text, max(before + 1, at - _CUT_WITHIN), at + 3)
            if match is not None:
                yield match.span()


def _name(field: object, value: object) -> bool:
    return field in _AUTHORED and isinstance(value, (str, tuple))


def _begun_mark(text: str, name: str) -> int:
    """Where a mark that the end of the text cuts off begins, else the end."""
    mark = f"[secret:{name}]"
    for size in range(min(len(mark) - 1, len(text)), 0, -1):
        if text.endswith(mark[:size]):
            return len(text) - size
    return len(text)


def _free(key: Any, taken: Mapping[Any, object]) -> Any:
    made, count = key, 2
    while made in taken:
        made, count = f"{key} {count}", count + 1
    return made


def _longest_first(secret: tuple[str, str]) -> tuple[int, str]:
    return -len(secret[1]), secret[0]


def _merged(spans: list[_Span]) -> list[_Span]:
    """Overlapping finds as one, named for the secret that comes first in ``spans``: the longest."""
    rank = {name: at for at, name in reversed(list(enumerate(name for _, _, name in spans)))}
    merged: list[_Span] = []
    for start, stop, name in sorted(spans):
        if merged and start < merged[-1][1]:
            before = merged[-1]
            merged[-1] = (before[0], max(before[1], stop), min(before[2], name, key=rank.__getitem__))
        else:
            merged.append((start, stop, name))
    return merged


def _piece(text: str, start: int, stop: int, merged: list[_Span]) -> str:
    """``text[start:stop]`` with each find replaced where it begins, and its rest left out."""
    parts, at = [], start
    for first, last, name in merged:
        if last <= start or first >= stop:
            continue
        if first >= start:
            parts += [text[at:first], f"[secret:{name}]"]
        at = last
    return "".join([*parts, text[at:stop]])

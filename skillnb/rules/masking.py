"""Secrets out of everything that is kept or shown.

A secret is looked for character by character in every spelling a sink may give it: as it is, percent-encoded (any
case, doubled), ``+`` for a blank, backslash escapes (JSON, Python, YAML), HTML entities, white space folded, composed
or decomposed accents; and base64 in both alphabets at all three offsets. A secret under four characters is masked only
where it is a whole JSON string: anywhere else it would corrupt text that has nothing to do with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from html.entities import codepoint2name

from skillnb.terms import term

__all__ = ["Masker"]

_SHORT = 4
_MARK = re.compile(r"\[secret:[^\]\[]*\]")
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_LETTER_ESCAPES = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f", "\v": "v", "\a": "a", "\0": "0"}
_PERCENT, _BACKSLASH = "%(?:25)*", r"(?:\\|%(?:25)*5[Cc])"
_AMPERSAND = r"(?:&(?:amp;|#38;|#[xX]26;)*|\\+u0026|%(?:25)*26)"


@term
class _Hunted:
    name: str
    size: int
    patterns: tuple[re.Pattern[str], ...]


class Masker:
    """Built once per run from the secret parameters. Holds the secrets: it is never written, shown or pickled."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        real = sorted(((name, value) for name, value in secrets.items() if value.strip()), key=_longest_first)
        self._whole = {value: name for name, value in reversed(real)}
        self._hunted = tuple(
            _Hunted(name=name, size=len(value), patterns=_patterns(value))
            for name, value in real
            if len(value) >= _SHORT
        )

    def __repr__(self) -> str:
        return f"Masker({len(self._whole)} secrets)"

    def __reduce__(self) -> str:
        raise TypeError("a Masker holds secrets and is never pickled")

    def text(self, text: str) -> str:
        """Every secret of at least four characters replaced by ``[secret:NAME]``, the longest first."""
        spans = list(self._spans(text))
        if not spans:
            return text
        pieces, at = [], 0
        for start, stop, name in _merged(spans):
            pieces += [text[at:start], f"[secret:{name}]"]
            at = stop
        return "".join([*pieces, text[at:]])

    def json(self, value: object) -> object:
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

    def found(self, data: bytes) -> tuple[str, ...]:
        """Names of the secrets (of at least four characters) that the bytes still hold, in any encoding."""
        names: list[str] = []
        for text in {data.decode("utf-8", "surrogateescape"), data.decode("latin-1")}:
            names += [name for _, _, name in self._spans(text)]
        return tuple(sorted(set(names)))

    def _dict(self, value: dict[object, object]) -> dict[object, object]:
        masked: dict[object, object] = {}
        for key, item in value.items():
            hidden, count = self.json(key) if isinstance(key, str) else key, 2
            fresh = hidden
            while fresh in masked:
                fresh, count = f"{hidden} {count}", count + 1
            masked[fresh] = self.json(item)
        return masked

    def _spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where secrets stand, the longest secret's first; nothing inside a mark that an earlier masking left."""
        marks = [match.span() for match in _MARK.finditer(text) if self._own(match[0])]
        for hunted in self._hunted:
            for pattern in hunted.patterns:
                match = pattern.search(text)
                while match is not None:
                    start, stop = match.span()
                    if not any(left < stop and start < right for left, right in marks):
                        yield start, stop, hunted.name
                    match = pattern.search(text, start + 1)

    def _own(self, mark: str) -> bool:
        return mark[len("[secret:") : -1] in self._whole.values()


def _longest_first(secret: tuple[str, str]) -> tuple[int, str]:
    return -len(secret[1]), secret[0]


def _merged(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Overlapping finds as one, named for the secret that comes first in ``spans``: the longest."""
    rank = {name: at for at, name in reversed(list(enumerate(name for _, _, name in spans)))}
    merged: list[tuple[int, int, str]] = []
    for start, stop, name in sorted(spans):
        if merged and start < merged[-1][1]:
            before = merged[-1]
            merged[-1] = (before[0], max(before[1], stop), min(before[2], name, key=rank.__getitem__))
        else:
            merged.append((start, stop, name))
    return merged


def _patterns(secret: str) -> tuple[re.Pattern[str], ...]:
    spellings = {secret, unicodedata.normalize("NFC", secret), unicodedata.normalize("NFD", secret)}
    if len(core := secret.strip()) >= _SHORT:
        spellings |= {core, unicodedata.normalize("NFC", core), unicodedata.normalize("NFD", core)}
    runs = {run for spelling in spellings for run in _base64_runs(spelling.encode("utf-8", "surrogatepass"))}
    texts = [_spelt(text) for text in sorted(spellings, key=len, reverse=True)]
    texts += ["".join(_mark(mark) if mark in "+/" else mark for mark in run) for run in sorted(runs)]
    return tuple(re.compile(text) for text in texts)


def _base64_runs(data: bytes) -> Iterator[str]:
    """The characters that depend on the secret alone, whatever stands before and after it."""
    for offset in range(3):
        bits = "0" * (8 * offset) + "".join(f"{byte:08b}" for byte in data)
        first, last = -(-8 * offset // 6), len(bits) // 6
        run = "".join(_BASE64[int(bits[6 * at : 6 * at + 6], 2)] for at in range(first, last))
        yield run
        yield run.replace("+", "-").replace("/", "_")


def _spelt(text: str) -> str:
    """A regular expression of every spelling; a run of white space stands for any run of it."""
    pieces = re.split(r"(\s+)", text)
    parts: list[str] = []
    for piece in pieces:
        if piece and piece.isspace():
            blanks = "|".join(sorted({_mark(mark) for mark in {*piece, " ", "\n"}}))
            parts.append(rf"(?:\s|\+|{blanks})+")
        else:
            parts += [_mark(mark) for mark in piece]
    return "".join(parts)


def _mark(mark: str) -> str:
    """One character in all its spellings, the longer before the shorter so that none leaves a rest behind."""
    code = ord(mark)
    ways: list[str] = []
    ways.append("".join(_PERCENT + _hex(f"{byte:02x}") for byte in mark.encode("utf-8", "surrogatepass")))
    units = mark.encode("utf-16-be", "surrogatepass")
    ways.append("".join(rf"{_BACKSLASH}+u" + _hex(units[at : at + 2].hex()) for at in range(0, len(units), 2)))
    ways.append(rf"{_BACKSLASH}+(?:u\{{0*{_hex(f'{code:x}')}\}}|U{_hex(f'{code:08x}')})")
    if code < 256:
        ways.append(rf"{_BACKSLASH}+x{_hex(f'{code:02x}')}")
    names = [f"#0*{code}", f"#[xX]0*{_hex(f'{code:x}')}"]
    names += [codepoint2name[code]] if code in codepoint2name else []
    names += ["apos"] if mark == "'" else []
    ways.append(rf"{_AMPERSAND}(?:{'|'.join(names)});?")
    if mark in _LETTER_ESCAPES:
        ways.append(rf"{_BACKSLASH}+{_LETTER_ESCAPES[mark]}")
    if not mark.isalnum() and mark != "\n":
        ways.append(rf"{_BACKSLASH}+{re.escape(mark)}")
    if mark == "'":
        ways.append("''")
    if mark == " ":
        ways.append(r"\+")
    ways.append(re.escape(mark))
    return f"(?:{'|'.join(ways)})"


def _hex(digits: str) -> str:
    return "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits)

"""Every spelling of a secret that a sink may give it, as regular expressions.

One writer makes three kinds from the same sequence: whole spellings; with ``stop`` set to the end of the text those
that may only have begun there, and with it set to a mark of omission those that were cut off by it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from html.entities import html5

__all__ = ["CUT", "END", "SHORT", "spellings"]

SHORT = 4
"""Fewer characters than this are no secret that can be told from unrelated text."""
END = r"\Z"
CUT = r"(?=…|\.\.\.)"

_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BACKSLASH, _ESCAPE, _LINE_END = r"\\", "\x1b", "[\r\n]"
_BLANK, _PLUS, _BRACKET, _OPENING, _CLOSING = r"\s", r"\+", r"\[", r"\{", r"\}"
_LETTER_ESCAPES = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f", "\v": "v", "\a": "a", "\0": "0"}
_ENTITIES: dict[str, set[str]] = {}
for _name, _mark in html5.items():
    _ENTITIES.setdefault(_mark, set()).add(_name.removesuffix(";"))


def spellings(secret: str, stop: str = "") -> tuple[re.Pattern[str], ...]:
    """Patterns that find ``secret``; with ``stop`` also its beginnings that ``stop`` ends.

    A beginning that a mark of omission cuts off counts from four characters on: fewer tell nothing.
    """
    texts = _variants(secret)
    sure = SHORT if stop == CUT else 0
    made = [_Writer(stop, sure).spelt(text) for text in texts]
    if stop != CUT:
        runs = {run for text in texts for form in _in_json(text) for run in _base64_runs(form)}
        made += [_Writer(stop, 0).base64(run) for run in sorted(runs)]
    # a beginning only counts where the text really ends in it
    return tuple(re.compile(text + stop) for text in made)


def _variants(secret: str) -> list[str]:
    found = {form for text in (secret, secret.strip()) for form in (text, *_composed(text))}
    return sorted((text for text in found if len(text) >= SHORT), key=lambda text: (-len(text), text))


def _composed(text: str) -> tuple[str, str]:
    return unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)


def _in_json(text: str) -> set[bytes]:
    """As bytes that are put into base64: by itself, or inside a JSON text."""
    forms = (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    return {form.encode("utf-8", "surrogatepass") for form in forms}


def _base64_runs(data: bytes) -> Iterator[str]:
    """The characters that depend on the secret alone, whatever stands before and after it."""
    for offset in range(3):
        bits = "0" * (8 * offset) + "".join(f"{byte:08b}" for byte in data)
        first, last = -(-8 * offset // 6), len(bits) // 6
        yield "".join(_BASE64[int(bits[6 * at : 6 * at + 6], 2)] for at in range(first, last))


class _Writer:
    """Writes expressions whose every single character may be the last one before ``stop``, but for ``sure`` at first.

    Alternatives of one character begin with a literal each: the search then skips what can't begin a spelling.
    """

    def __init__(self, stop: str, sure: int) -> None:
        self._stop, self._sure = stop, sure
        self._open = ""

    def spelt(self, text: str) -> str:
        """A run of white space stands for any run of it; colours of a terminal may stand between any two characters."""
        parts: list[str] = []
        for piece in re.split(r"(\s+)", text):
            for mark in [piece] if piece.isspace() else piece:
                self._open = self._stop if len(parts) >= self._sure else ""
                written = self._blanks(piece) if piece.isspace() else self._mark(mark)
                parts.append((self._colours() if parts else "") + written)
        return "".join(parts)

    def base64(self, run: str) -> str:
        """In either alphabet, perhaps folded into lines."""
        self._open = self._stop
        fold = (
            f"(?:{self._one(_LINE_END)}|{self._one(_BACKSLASH)}{self._some(self._one(_BACKSLASH))}{self._one('[rn]')})*"
        )
        return fold.join(self._digit(mark) for mark in run)

    def _digit(self, mark: str) -> str:
        if mark in "+/":
            return f"(?:{self._mark(mark)}|{self._one('-' if mark == '+' else '_')})"
        return self._one(mark)

    def _one(self, expression: str) -> str:
        return f"(?:{expression}|{self._open})" if self._open else expression

    def _word(self, text: str) -> str:
        return "".join(self._one(re.escape(mark)) for mark in text)

    def _hex(self, digits: str) -> str:
        return "".join(self._one(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit) for digit in digits)

    def _some(self, expression: str) -> str:
        return f"(?:{expression})*"

    def _percent(self) -> str:
        return self._one("%") + self._some(self._word("25"))

    def _backslashes(self) -> str:
        """More of them after the first: JSON in JSON doubles them, an address writes them in percent."""
        return self._some(f"{self._one(_BACKSLASH)}|{self._percent()}{self._hex('5c')}")

    def _colours(self) -> str:
        code = f"(?:{self._one('u')}{self._hex('001b')}|{self._one('x')}{self._hex('1b')}|{self._word('033')})"
        escape = f"{self._one(_BACKSLASH)}{self._some(self._one(_BACKSLASH))}{code}"
        colour = self._one(_BRACKET) + self._some(self._one("[0-9;]")) + self._one("m")
        return f"(?:(?:{self._one(_ESCAPE)}|{escape}){colour})*"

    def _blanks(self, piece: str) -> str:
        blanks = "|".join(sorted({self._mark(mark) for mark in {*piece, " ", "\n"}}))
        return f"(?:{self._one(_BLANK)}|{self._one(_PLUS)}|{blanks})+"

    def _mark(self, mark: str) -> str:
        """One character in all its spellings, the longer before the shorter so that none leaves a rest behind."""
        first, *rest = [self._hex(f"{byte:02x}") for byte in mark.encode("utf-8", "surrogatepass")]
        in_percent = first + "".join(self._percent() + byte for byte in rest)
        escaped, entity = self._escaped(mark), self._entity(mark)
        slashed, amp = self._hex("5c") + self._backslashes() + escaped, self._hex("26") + entity
        ways = [
            self._percent() + f"(?:{in_percent}|{slashed}|{amp})",
            self._one(_BACKSLASH) + self._backslashes() + f"(?:{escaped}|{self._word('u0026')}{entity})",
            self._one("&") + entity,
        ]
        if mark == "'":
            ways.append(self._word("''"))
        if mark == " ":
            ways.append(self._one(_PLUS))
        ways.append(self._one(re.escape(mark)))
        return f"(?:{'|'.join(ways)})"

    def _escaped(self, mark: str) -> str:
        """What stands after the backslashes."""
        code, units = ord(mark), mark.encode("utf-16-be", "surrogatepass")
        pairs = [self._one("u") + self._hex(units[at : at + 2].hex()) for at in range(0, len(units), 2)]
        between = self._one(_BACKSLASH) + self._backslashes()
        ways = [between.join(pairs)]
        braced = self._one(_OPENING) + self._some(self._one("0")) + self._hex(f"{code:x}") + self._one(_CLOSING)
        ways += [self._one("u") + braced, self._one("U") + self._hex(f"{code:08x}")]
        if code < 256:
            ways.append(self._one("x") + self._hex(f"{code:02x}"))
        if mark in _LETTER_ESCAPES:
            ways.append(self._word(_LETTER_ESCAPES[mark]))
        if not mark.isalnum() and mark != "\n":
            ways.append(self._word(mark))
        return f"(?:{'|'.join(ways)})"

    def _entity(self, mark: str) -> str:
        """What stands after the ampersand, which may be an entity itself."""
        code, zeros = ord(mark), self._some(self._one("0"))
        ways = [self._one("#") + zeros + self._word(str(code))]
        ways.append(self._one("#") + self._one("[xX]") + zeros + self._hex(f"{code:x}"))
        ways += [self._word(name) for name in sorted(_ENTITIES.get(mark, ()), key=lambda name: (-len(name), name))]
        again = f"{self._word('amp;')}|{self._word('#38;')}|{self._one('#')}{self._one('[xX]')}{self._word('26;')}"
        return f"{self._some(again)}(?:{'|'.join(ways)}){self._one(';')}?"

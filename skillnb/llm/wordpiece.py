"""Text to the numbers of BERT's uncased vocabulary: words without accents, cut into their longest pieces.

After the description of WordPiece in Wu et al. 2016 (arXiv 1609.08144) and of BERT's normalizer.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

__all__ = ["WordPiece"]

_LONGEST_WORD = 100
_CJK = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    def __init__(self, vocabulary: Mapping[str, int], longest: int) -> None:
        """``longest``: tokens of a text, the two around it included; what is longer is cut off."""
        self._vocabulary, self._longest = vocabulary, longest

    def ids(self, text: str) -> list[int]:
        inside: list[int] = []
        for word in _words(text):
            if len(inside) >= self._longest - 2:
                break
            inside += self._pieces(word)
        start, stop = self._vocabulary["[CLS]"], self._vocabulary["[SEP]"]
        return [start, *inside[: self._longest - 2], stop]

    def _pieces(self, word: str) -> list[int]:
        unknown = [self._vocabulary["[UNK]"]]
        if len(word) > _LONGEST_WORD:
            return unknown
        made, start = [], 0
        while start < len(word):
            stop = next((end for end in range(len(word), start, -1) if self._piece(word, start, end) is not None), 0)
            found = self._piece(word, start, stop) if stop else None
            if found is None:
                return unknown
            made.append(found)
            start = stop
        return made

    def _piece(self, word: str, start: int, stop: int) -> int | None:
        return self._vocabulary.get(("##" if start else "") + word[start:stop])


def _words(text: str) -> Iterator[str]:
    word = ""
    for sign in _plain(text):
        if sign.isspace() or _alone(sign):
            if word:
                yield word
            word = ""
            if not sign.isspace():
                yield sign
        else:
            word += sign
    if word:
        yield word


def _plain(text: str) -> str:
    """Controls out, white space as blanks, lower case, accents off."""
    kept = "".join(
        " " if sign in "\t\n\r" or unicodedata.category(sign) == "Zs" else sign for sign in text if _kept(sign)
    )
    spread = unicodedata.normalize("NFD", kept)
    return "".join(sign.lower() for sign in spread if unicodedata.category(sign) != "Mn")


def _kept(sign: str) -> bool:
    if sign in "\t\n\r":
        return True
    return sign not in "\0\ufffd" and unicodedata.category(sign) not in {"Cc", "Cf", "Co"}


def _alone(sign: str) -> bool:
    """A word of its own: punctuation (in ASCII: all that is no letter, digit or blank) and ideographs."""
    code = ord(sign)
    if code < 128:
        return not sign.isalnum() and not sign.isspace()
    return unicodedata.category(sign).startswith("P") or any(first <= code <= last for first, last in _CJK)

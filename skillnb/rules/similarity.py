"""How near two names are. Conservative on purpose: a near miss costs an abstention, a near hit the wrong element."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rapidfuzz.distance import Indel

__all__ = [
    "ACCEPTED",
    "careful",
    "closeness",
    "folded",
    "holds_words",
    "in_common",
    "MARGIN",
    "same",
    "starts_with",
    "straightened",
]

ACCEPTED = 0.9
"""From here on a name may stand for another one."""
MARGIN = 0.15
"""By so much the best must lead the second."""

_CEILING = 0.7
"""Names that merely look alike never get above this, however much they share."""

_STRAIGHT = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_DECORATION = re.compile(r"[\s:*…‹›]+|\(required\)|\.\.\.")
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"(?<!\w)-?\d+(?:[.,:]\d+)*|\d+(?:[.,:]\d+)*")
_ARTICLES = frozenset({"a", "an", "the"})
_QUIET = frozenset(" -_.,'\"/()…:;!?*[]")
_CAREFUL = frozenset(
    {
        "approve",
        "archive",
        "ban",
        "block",
        "buy",
        "cancel",
        "checkout",
        "confirm",
        "deactivate",
        "delete",
        "destroy",
        "disable",
        "discard",
        "drop",
        "erase",
        "order",
        "pay",
        "publish",
        "purchase",
        "refund",
        "reject",
        "remove",
        "reset",
        "revoke",
        "send",
        "sign",
        "submit",
        "terminate",
        "transfer",
        "unpublish",
        "withdraw",
        "wipe",
    }
)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def straightened(text: str) -> str:
    """NFKC, quotes and dashes straight, format characters and icon-font glyphs gone, white space folded; case kept."""
    text = unicodedata.normalize("NFKC", text.translate(_STRAIGHT)).translate(_STRAIGHT)
    text = "".join(mark for mark in text if unicodedata.category(mark) not in ("Cf", "Co"))
    return " ".join(text.split())


@lru_cache(maxsize=8192)
def folded(name: str) -> str:
    """The name without what designers change freely: case, white space, ``:``, ``*``, ``(required)``, icon glyphs.

    A name that is nothing but decoration stays as it is.
    """
    text = straightened(unicodedata.normalize("NFKC", straightened(name).casefold()))
    start, stop = 0, len(text)
    while (match := _DECORATION.match(text, start, stop)) is not None:
        start = match.end()
    bare = text[start:stop]
    while (tail := re.search(r"(?:[\s:*…‹›]+|\(required\)|\.\.\.)$", bare)) is not None:
        bare = bare[: tail.start()]
    return bare or text


def same(a: str, b: str) -> bool:
    """Equal once folded; two empty names are not the same."""
    return folded(a) == folded(b) != ""


def starts_with(found: str, wanted: str) -> bool:
    """``found`` begins with ``wanted`` and a word ends there."""
    long, short = folded(found), folded(wanted)
    return bool(short) and long.startswith(short) and not _glued(long, len(short))


def holds_words(found: str, wanted: str) -> bool:
    """``wanted`` stands in ``found`` as whole words (``order 1`` not in ``order 12``). Both are taken as they come."""
    at = found.find(wanted) if wanted else -1
    while at >= 0:
        if not _glued(found, at) and not _glued(found, at + len(wanted)) and not _in_number(found, at, len(wanted)):
            return True
        at = found.find(wanted, at + 1)
    return False


def _glued(text: str, at: int) -> bool:
    """No word boundary before position ``at``; scripts written without blanks have a boundary everywhere."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return before.isalnum() and after.isalnum() and not (_UNSPACED.match(before) or _UNSPACED.match(after))


def _in_number(text: str, at: int, length: int) -> bool:
    """Cut out of a longer number: the ``1`` of ``1.5`` or of ``3,1``."""
    before = text[max(0, at - 2) : at]
    after = text[at + length : at + length + 2]
    starts, ends = text[at].isdigit(), text[at + length - 1].isdigit()
    cut_before = starts and len(before) == 2 and before[0].isdigit() and before[1] in ".,"
    cut_after = ends and len(after) == 2 and after[0] in ".," and after[1].isdigit()
    return cut_before or cut_after


def careful(name: str) -> bool:
    """The name says that something is done for good (delete, pay, send ...): only an exact match will do."""
    words = _WORD.findall(folded(name))
    return any(word in _CAREFUL for word in words) or "log out" in folded(name)


def in_common(one: str, other: str) -> float:
    """Share of the characters of both that they have in common, in order; of the texts as they come."""
    return Indel.normalized_similarity(one, other)


def closeness(wanted: str, found: str) -> float:
    """1.0 the same once folded; from ``ACCEPTED`` up a difference of spelling only; else at most 0.7."""
    one, other = folded(wanted), folded(found)
    if not one or not other:
        return 0.0
    if one == other:
        return 1.0
    alike = _CEILING * Indel.normalized_similarity(one, other)
    if _NUMBER.findall(one) != _NUMBER.findall(other) or not _symbols_agree(one, other):
        return min(alike, 0.5)
    if _letters(one) and _letters(one) == _letters(other):
        return 0.97
    words, others = _content_words(wanted), _content_words(found)
    if words and words == others:
        return 0.95
    return 0.92 if _one_plural(words, others) else alike


def _letters(text: str) -> str:
    return "".join(_WORD.findall(text))


def _symbols_agree(one: str, other: str) -> bool:
    """``Next →`` may lose its arrow, but ``Price ↑`` is not ``Price ↓`` and ``C++`` is not ``C``."""
    (core, edge), (core_other, edge_other) = _parted(one), _parted(other)
    return _symbols(core) == _symbols(core_other) and (edge == edge_other or not edge or not edge_other)


def _parted(text: str) -> tuple[str, str]:
    pieces = text.split(" ")
    edge: list[str] = []
    while len(pieces) > 1 and not _WORD.search(pieces[0]):
        edge.append(pieces.pop(0))
    while len(pieces) > 1 and not _WORD.search(pieces[-1]):
        edge.append(pieces.pop())
    return " ".join(pieces), _symbols("".join(edge))


def _symbols(text: str) -> str:
    return "".join(mark for mark in text if mark not in _QUIET and not mark.isalnum() and not mark.isspace())


def _content_words(name: str) -> tuple[str, ...]:
    """Words without articles; a capital or last ``A`` is a label (``Plan A``), not an article."""
    words = _WORD.findall(straightened(name))
    kept = [word for at, word in enumerate(words) if word not in _ARTICLES or at == len(words) - 1]
    return tuple(word for word in (folded(word) for word in kept) if word != "required")


def _one_plural(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    if len(words) != len(others):
        return False
    apart = [pair for pair in zip(words, others, strict=True) if pair[0] != pair[1]]
    return len(apart) == 1 and _plural(*sorted(apart[0], key=len))


def _plural(short: str, long: str) -> bool:
    if len(short) < 4 or not (short.isalpha() and long.isalpha()):
        return False
    return long in (short + "s", short + "es") or (short.endswith("y") and long == short[:-1] + "ies")

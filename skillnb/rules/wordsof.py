"""A sentence cut into words, quoted names and ``{parameters}``: the skeleton that the grammar is matched against."""

from __future__ import annotations

import re

from skillnb.rules.similarity import straightened
from skillnb.terms import term
from skillnb.terms.gate import Fixed, Operand, Param, Template

__all__ = ["MARK", "Skeleton", "skeleton"]

MARK = r"\x02(\d+)\x03"
"""Stands in the skeleton for the quoted name or parameter of that number."""

_QUOTED = re.compile(r'"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»')
_SINGLE_QUOTED = re.compile(r"(?<!\S)(?:'(\S(?:[^\x02\x03]*?\S)?)'|‘([^’\x02\x03]+)’)(?=[\s.,;:!]|$)")
"""Not the apostrophe of ``customer's``."""
_PARAMETER = re.compile(r"\{([A-Za-z_]\w*)\}")
_MAIL = re.compile(r"(?<!\S)[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?=[.,;!]?(?:\s|$))")
_UNQUOTED_ADDRESS = re.compile(r"(?<=\s)(?:https?://|/)\S*?(?=[.,;]?(?:\s|$))")


@term
class Skeleton:
    text: str
    """Lower-case words with single blanks; no full stop."""
    cased: str
    """The same as it was written."""
    pieces: tuple[Operand, ...]


def skeleton(sentence: str, parameters: frozenset[str]) -> Skeleton | str:
    """The skeleton, or what is wrong with the sentence."""
    pieces: list[Operand] = []
    unknown: list[str] = []

    def mark(operand: Operand) -> str:
        pieces.append(operand)
        return f"\x02{len(pieces) - 1}\x03"

    def quoted(match: re.Match[str]) -> str:
        text = next(group for group in match.groups() if group is not None)
        return mark(_operand(text, parameters, unknown))

    def parameter(match: re.Match[str]) -> str:
        return mark(_operand(match[0], parameters, unknown))

    bare = sentence.replace("\x02", " ").replace("\x03", " ")
    marked = _PARAMETER.sub(parameter, _SINGLE_QUOTED.sub(quoted, _QUOTED.sub(quoted, bare)))
    marked = _MAIL.sub(lambda match: mark(Fixed(value=match[0])), marked)
    marked = _UNQUOTED_ADDRESS.sub(lambda match: mark(Fixed(value=match[0])), marked)
    if unknown:
        return f"{{{unknown[0]}}} is not a parameter of the workflow"
    if any(not _says_something(piece) for piece in pieces):
        return "an empty name stands in quotes"
    if re.search(r"""["“”„«»{}]|(?<!\S)['‘]""", marked):
        return "a quote or brace is not closed"
    words = re.sub(r"[\s.!]+$", "", " ".join(marked.split()))
    return Skeleton(text=re.sub(r"[\s.!]+$", "", words.lower()), cased=words, pieces=tuple(pieces))


def _says_something(piece: Operand) -> bool:
    return not isinstance(piece, Fixed) or bool(straightened(str(piece.value)))


def _operand(text: str, parameters: frozenset[str], unknown: list[str]) -> Operand:
    """The text with its parameters; what merely looks like one inside a name is reported, not passed over."""
    parts: list[Fixed | Param] = []
    at = 0
    for match in _PARAMETER.finditer(text):
        if match[1] not in parameters:
            unknown.append(match[1])
        parts += [Fixed(value=text[at : match.start()])] if match.start() > at else []
        parts.append(Param(name=match[1]))
        at = match.end()
    parts += [Fixed(value=text[at:])] if at < len(text) or not parts else []
    return parts[0] if len(parts) == 1 else Template(parts=tuple(parts))

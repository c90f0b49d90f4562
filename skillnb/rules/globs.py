"""Address and file-name patterns: ``*`` within a path segment, ``**`` across; everything else stands for itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import unquote_to_bytes

__all__ = ["matches_name", "matches_url"]

_STARS = re.compile(r"(\*+)")
_RESERVED = re.compile(r"%(?:2[35F]|3F)", re.IGNORECASE)
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def matches_url(pieces: Sequence[tuple[str, bool]], url: str) -> bool:
    """The whole address without its fragment; a pattern that begins with ``/`` is held against path and query.

    ``pieces`` are texts with whether each is literal (from a parameter: a ``*`` in it is a star, not a wildcard).
    """
    address = url.split("#", 1)[0]
    if pieces and pieces[0][0].startswith("/"):
        address = _path_and_query(address)
    forms = ((pieces, address, _as_it_is), (pieces, address, _decoded), (*_sent(pieces, address), _decoded))
    return any(re.fullmatch(_regex(parts, form), form(text), re.DOTALL) is not None for parts, text, form in forms)


def matches_name(pieces: Sequence[tuple[str, bool]], name: str) -> bool:
    return re.fullmatch(_regex(pieces, _as_it_is), name, re.DOTALL) is not None


def _path_and_query(address: str) -> str:
    match = re.match(r"[a-z][a-z0-9+.-]*://[^/?]*", address, re.IGNORECASE)
    rest = address[match.end() :] if match else address
    return rest if rest.startswith("/") else "/" + rest


def _sent(pieces: Sequence[tuple[str, bool]], address: str) -> tuple[Sequence[tuple[str, bool]], str]:
    """A form writes a blank of its query as ``+``: both as they were before that. A value is as it is."""
    path, mark, query = address.partition("?")
    made, within = [], False
    for text, literal in pieces:
        before, asks, after = text.partition("?") if not within and not literal else ("", "", text)
        within = within or bool(asks)
        made.append((before + asks + (after.replace("+", " ") if within and not literal else after), literal))
    return made, path + mark + query.replace("+", " ")


def _regex(pieces: Sequence[tuple[str, bool]], form: Callable[[str], str]) -> str:
    parts: list[str] = []
    for text, literal in pieces:
        for run in [text] if literal else _STARS.split(text):
            if not literal and run.startswith("*"):
                parts.append("[^/]*" if len(run) == 1 else ".*")
            else:
                parts.append(re.escape(form(run)))
    return "".join(parts)


def _as_it_is(text: str) -> str:
    return text


def _decoded(text: str) -> str:
    """Percent-encoding undone, except where it hides a ``/``, ``?``, ``#`` or ``%``."""

    def plain(match: re.Match[str]) -> str:
        if _RESERVED.search(match[0]):
            return match[0].upper()
        try:
            return unquote_to_bytes(match[0]).decode("utf-8")
        except UnicodeDecodeError:
            return match[0]

    return _ENCODED.sub(plain, text)

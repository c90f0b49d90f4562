"""The Markdown of card and procedure cells: title, intent, sentences, placeholders."""

from __future__ import annotations

import re

__all__ = ["intent", "placeholders", "sentences", "title"]

_ITEM = re.compile(r"^\s{0,8}(?:[-*+]|\d{1,4}[.)])[ \t]+(?P<text>\S.*)$")
_TITLE = re.compile(r"^#[ \t]+(?P<text>\S.*)$")
_HEADING = re.compile(r"^#{2,6}[ \t]+(?P<text>\S.*)$")
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


def title(source: str) -> str:
    """Text of the first ``# `` heading; empty without one."""
    return _first(_TITLE, source)


def intent(source: str) -> str:
    """Text of the first heading below the title level; empty without one."""
    return _first(_HEADING, source)


def sentences(source: str) -> tuple[str, ...]:
    """Items of the lists in order, markers stripped; the indented lines after an item belong to it."""
    found: list[str] = []
    within = False
    for line in source.split("\n"):
        item = _ITEM.match(line)
        if item:
            found.append(item["text"].strip())
            within = True
        elif within and line[:1] in (" ", "\t") and line.strip():
            found[-1] += " " + line.strip()
        else:
            within = False
    return tuple(found)


def placeholders(source: str) -> tuple[str, ...]:
    """Names in braces (``{carrier}``), each once, in order of first use."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(source)))


def _first(pattern: re.Pattern[str], source: str) -> str:
    for line in source.split("\n"):
        found = pattern.match(line)
        if found:
            return found["text"].strip()
    return ""

"""Names of workflows: ``site/name``, and ``site/name@3`` for one version."""

from __future__ import annotations

import re
from typing import NamedTuple

from skillnb.errors import BadName

__all__ = ["Reference", "reference"]

_PART = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_WHOLE = re.compile(rf"({_PART})/({_PART})(?:@([1-9][0-9]{{0,5}}))?")


class Reference(NamedTuple):
    name: str
    version: int | None


def reference(text: str) -> Reference:
    """Raises BadName with the nearest right one."""
    match = _WHOLE.fullmatch(text)
    if match is None or max(len(match[1]), len(match[2])) > 64:
        raise BadName(name=text, nearest=_nearest(text))
    return Reference(f"{match[1]}/{match[2]}", int(match[3]) if match[3] else None)


def _nearest(text: str) -> str:
    bare = text.split("@")[0].removesuffix(".ipynb")
    parts = [re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-")[:64].strip("-") for part in bare.split("/")]
    named = [part for part in parts if part]
    if not named:
        return "site/name"
    return f"{named[-2]}/{named[-1]}" if len(named) > 1 else f"site/{named[0]}"

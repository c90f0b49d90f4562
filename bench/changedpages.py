"""Elements of pages that changed: what they were like, all elements of the page as it is now, and which one is right.

A file, ``*.json`` or ``*.json.gz``, is one site: ``site``, ``old_url``, ``new_url``, ``candidates`` and ``cases``, each
case with ``target``, ``truth_xpath``, ``baselines`` (which published algorithm found it) and perhaps ``doubtful``.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from skillnb.terms.fingerprint import Attribute, Box, Fingerprint

__all__ = ["Case", "fingerprint", "hit", "Page", "read"]

ARCHIVED = "if_/"
"""What stands before the address of a page in an archive's own."""


class Case(NamedTuple):
    was: Fingerprint
    truth: str
    """XPath of the element on the page as it is now."""
    baselines: dict[str, bool]


class Page(NamedTuple):
    site: str
    candidates: tuple[Fingerprint, ...]
    cases: tuple[Case, ...]


def read(folder: Path) -> Iterator[Page]:
    """In order of the files' names; cases marked as doubtful are left out."""
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.json.gz")]):
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as file:
            yield page(json.load(file))


def page(data: dict[str, Any]) -> Page:
    old, new = (_host(data.get(key) or "") for key in ("old_url", "new_url"))
    cases = [case for case in data["cases"] if not case.get("doubtful")]
    return Page(
        site=data["site"],
        candidates=tuple(fingerprint(item, new) for item in data["candidates"]),
        cases=tuple(
            Case(fingerprint(case["target"], old), case["truth_xpath"], case.get("baselines") or {}) for case in cases
        ),
    )


def fingerprint(item: dict[str, Any], host: str) -> Fingerprint:
    """These pages tell no roles and no accessible names: only that something looks like a button."""
    tag = item["tag"].lower()
    button = bool(item.get("isButton"))
    values = {name: str(item.get(name) or "") for name in ("id", "name", "alt")}
    values["class"] = " ".join(item.get("classList") or ())
    place = item.get("location")
    return Fingerprint(
        tag=tag,
        role="button" if button else "",
        type="button" if button and tag == "input" else "",
        text=" ".join(item.get("visibleText") or ()).strip(),
        attributes=tuple(Attribute(name=name, value=value) for name, value in values.items() if value),
        href=_local(item.get("href") or "", host),
        path=item["xpath"],
        id_path=item.get("idxpath") or "",
        neighbours=tuple(item.get("neighborText") or ()),
        box=Box(**{side: float(place[side]) for side in ("x", "y", "width", "height")}) if place else None,
    )


def hit(answer: str, truth: str) -> bool:
    """The element itself, its parent or its child."""
    return answer == truth or truth == answer.rpartition("/")[0] or answer == truth.rpartition("/")[0]


def _host(url: str) -> str:
    return urlsplit(url.rpartition(ARCHIVED)[2]).netloc.removeprefix("www.")


def _local(href: str, host: str) -> str:
    """Path and query where the link stays on its site."""
    parts = urlsplit(href)
    if parts.netloc.removeprefix("www.") != host:
        return href
    return parts.path + (f"?{parts.query}" if parts.query else "")

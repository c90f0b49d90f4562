"""A page drawn with no secret to be seen: password fields are black, and so is whatever shows a secret's value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skillnb.rules.masking import Masker
from skillnb.rules.snapshot import parse_snapshot
from skillnb.terms.observation import Node

__all__ = ["drawn", "showing"]

_BLACK = "background:#000!important;color:#000!important;border-color:#000!important;caret-color:#000!important"
_STYLE = (
    f"input[type=password]{{{_BLACK};box-shadow:none!important;text-shadow:none!important;outline:none!important}}"
    "input[type=password]::placeholder{color:#000!important}"
    "input[type=password]:autofill{-webkit-text-fill-color:#000!important;"
    "-webkit-box-shadow:0 0 0 9999px #000 inset!important}"
)
_TRIES = 3
_SECONDS = 5.0


async def drawn(page: Any, mask: Masker, seen: str) -> bytes | None:
    """A JPEG of what the page shows; None while it keeps showing a secret at another place than a moment ago.

    ``seen`` is a snapshot that still holds good, else empty: with it a page without secrets costs nothing but the
    drawing. Secrets are looked for in snapshots, here, and never handed to the page's own scripts.
    """
    refs = showing(parse_snapshot(seen), mask) if mask.suspects(seen) else frozenset()
    for _ in range(_TRIES):
        picture: bytes = await page.screenshot(
            type="jpeg",
            quality=60,
            style=_STYLE,
            timeout=_SECONDS * 1000,
            mask=[_located(page, ref) for ref in sorted(refs)],
            mask_color="#000",
        )
        if seen and not refs:
            return picture
        text = await page.aria_snapshot(mode="ai")
        now = showing(parse_snapshot(text), mask) if mask.suspects(text) else frozenset()
        if now <= refs:
            return picture
        refs, seen = now, ""
    return None


def showing(nodes: Sequence[Node], mask: Masker) -> frozenset[str]:
    """Refs of the smallest elements that show a secret; an empty one stands for the whole page."""
    found = {node.index for node in nodes if _shows(node, mask)}
    within = {up for at in found for up in _above(nodes, at)}
    return frozenset(_ref(nodes, at) for at in found - within)


def _shows(node: Node, mask: Masker) -> bool:
    return any(text and mask.holds(text) for text in (node.name, node.text, node.placeholder))


def _above(nodes: Sequence[Node], at: int) -> list[int]:
    above = []
    while (at := nodes[at].parent) >= 0:
        above.append(at)
    return above


def _ref(nodes: Sequence[Node], at: int) -> str:
    return next((nodes[up].ref for up in (at, *_above(nodes, at)) if nodes[up].ref), "")


def _located(page: Any, ref: str) -> Any:
    return page.get_by_ref(ref) if ref else page.locator("html")

"""Is the page as it was? What tells two moments of a page apart, whatever handles its elements have."""

from __future__ import annotations

from skillnb.codec import digest
from skillnb.terms.observation import Observation

__all__ = ["page_state"]


def page_state(seen: Observation) -> str:
    """A digest of address, elements, texts, field values and states."""
    shown = [
        (
            node.depth,
            node.role,
            node.name,
            node.text,
            node.checked,
            node.pressed,
            node.disabled,
            node.expanded,
            node.selected,
        )
        for node in seen.nodes
    ]
    return digest([seen.url, shown])

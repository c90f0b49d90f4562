"""A page as lines of text for a model, and a block around such a text that the text can't end by itself."""

from __future__ import annotations

from collections.abc import Callable

from skillnb.codec import digest
from skillnb.rules.similarity import straightened
from skillnb.terms.observation import Node, Observation

__all__ = ["fenced", "outlined", "state_of"]

_MOST_NODES = 1200
_LONGEST_LINE = 400


def outlined(seen: Observation, mask: Callable[[str], str], longest: int) -> str:
    """Address, then one line for each named or speaking element, indented as they are nested."""
    lines = [f"address: {mask(seen.url)}", *(_line(node, mask) for node in seen.nodes[:_MOST_NODES])]
    text = "\n".join(line for line in lines if line)
    if len(text) <= longest and len(seen.nodes) <= _MOST_NODES:
        return text
    return text[:longest] + "\n(the rest of the page is left out)"


def _line(node: Node, mask: Callable[[str], str]) -> str:
    name, text = straightened(mask(node.name)), straightened(mask(node.text))
    if not name and not text:
        return ""
    said = f' "{name}"' if name else ""
    told = f": {text}" if text and text != name else ""
    line = f"{'  ' * min(node.depth, 8)}{node.role}{said}{state_of(node)}{told}"
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"


def state_of(node: Node) -> str:
    states = {
        "ticked": node.checked == "true",
        "partly ticked": node.checked == "mixed",
        "pressed": bool(node.pressed),
        "disabled": node.disabled,
        "open": node.expanded,
        "selected": node.selected,
    }
    told = [word for word, holds in states.items() if holds]
    return f" ({', '.join(told)})" if told else ""


def fenced(word: str, text: str) -> str:
    """``text`` between two lines with one mark. The mark is made of the text, so the same text gives the same block."""
    mark = _mark(text)
    return f"{word} {mark}\n{text}\nEND {word} {mark}"


def _mark(page: str) -> str:
    """From the page itself, so that the same page gives the same prompt; never a text that the page holds."""
    salt = 0
    while (mark := digest([salt, page]).rpartition(":")[2][:12]) in page:
        salt += 1
    return mark

"""Which elements answer to a gate's role, name, text, label, placeholder and place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from skillnb.rules.roles import FIELDS, TICKABLES
from skillnb.rules.scope import anchors, narrowed
from skillnb.rules.similarity import closeness, same
from skillnb.rules.tree import end, text_of
from skillnb.terms import term
from skillnb.terms.observation import Node

__all__ = [
    "blank",
    "certain",
    "Criteria",
    "described",
    "found",
    "label",
    "near_is_there",
    "nearest",
    "quoted",
    "shown",
]

_Wish = str | re.Pattern[str] | None

_SYNONYMS = {"image": "img", "graphics-document": "img"}
_LABELLED = FIELDS | TICKABLES


@term
class Criteria:
    """What is looked for; ``None`` asks nothing. At least one of the first five is given."""

    role: str | None = None
    name: _Wish = None
    text: _Wish = None
    label: _Wish = None
    placeholder: _Wish = None
    exact: bool = False
    near: str | None = None


def found(nodes: Sequence[Node], criteria: Criteria) -> tuple[int, ...]:
    """Positions of all elements that answer, seen or not."""
    hits = tuple(at for at in range(len(nodes)) if _answers(nodes, at, criteria))
    if criteria.text is not None:
        hits = tuple(at for at in hits if not any(at < other < end(nodes, at) for other in hits))
    return hits if criteria.near is None else narrowed(nodes, hits, criteria.near)


def certain(nodes: Sequence[Node], at: int) -> bool:
    """Whether the element is surely seen: it has a handle, is text, or is an entry of a list of choices.

    The snapshot gives no handle to an element without a box, but neither to one that lets clicks through.
    """
    return bool(nodes[at].ref) or nodes[at].role in ("text", "option")


def blank(nodes: Sequence[Node]) -> bool:
    """Nothing but empty wrappers: such a page proves no absence."""
    return all(node.role in ("generic", "iframe") and not node.name and not node.text for node in nodes)


def near_is_there(nodes: Sequence[Node], criteria: Criteria) -> bool:
    return criteria.near is None or bool(anchors(nodes, criteria.near))


def _answers(nodes: Sequence[Node], at: int, criteria: Criteria) -> bool:
    node, exact = nodes[at], criteria.exact
    if criteria.role is not None and node.role != _SYNONYMS.get(criteria.role, criteria.role):
        return False
    if criteria.name is not None and not _agrees(criteria.name, node.name, exact):
        return False
    if criteria.text is not None and not _agrees(criteria.text, _said(nodes, at), exact):
        return False
    if criteria.label is not None and not (node.role in _LABELLED and _agrees(criteria.label, node.name, exact)):
        return False
    return criteria.placeholder is None or _prompts(node, criteria.placeholder, exact)


def _said(nodes: Sequence[Node], at: int) -> str:
    """Values typed into fields are not text of the page, a label of a choice is."""
    return "" if nodes[at].role in FIELDS else text_of(nodes, at)


def _prompts(node: Node, wish: str | re.Pattern[str], exact: bool) -> bool:
    """A placeholder that is also the field's name is printed as its name only."""
    prompt = node.placeholder or (node.name if node.role in FIELDS else "")
    return _agrees(wish, prompt, exact)


def _agrees(wish: str | re.Pattern[str], said: str, exact: bool) -> bool:
    if isinstance(wish, re.Pattern):
        return wish.search(said) is not None
    if exact:
        return bool(wish) and " ".join(wish.split()) == " ".join(said.split())
    return same(wish, said)


def label(node: Node) -> str:
    """How messages name an element: ``button "Save"``."""
    said = node.name or node.text
    return f"{node.role} {quoted(said)}" if said else f"unnamed {node.role}"


def quoted(text: str) -> str:
    short = text if len(text) <= 80 else text[:79] + "…"
    return f'"{short}"'


def described(criteria: Criteria) -> str:
    """``button "Save"``, ``element with text "Saved"``, ``field labelled "Carrier" near "Order 1"``."""
    words = [criteria.role or ("field" if criteria.label or criteria.placeholder else "element")]
    for lead, wish in (
        ("", criteria.name),
        ("with text ", criteria.text),
        ("labelled ", criteria.label),
        ("with placeholder ", criteria.placeholder),
        ("near ", criteria.near),
    ):
        if wish is not None:
            words.append(lead + shown(wish))
    return " ".join(words)


def shown(wish: object) -> str:
    return f"/{wish.pattern}/" if isinstance(wish, re.Pattern) else quoted(str(wish))


def nearest(nodes: Sequence[Node], criteria: Criteria) -> str:
    """The element that comes closest, for the message only."""
    wish = next(
        (w for w in (criteria.name, criteria.label, criteria.placeholder, criteria.text) if w is not None), None
    )
    if not isinstance(wish, str):
        pool = [node for node in nodes if node.role == criteria.role and (node.name or node.text)]
        return label(pool[0]) if pool else ""
    best, best_score = "", 0.2
    for node in nodes:
        score = max(closeness(wish, node.name), closeness(wish, node.text) if not node.name else 0.0)
        score += 0.2 if criteria.role is not None and node.role == criteria.role and score else 0.0
        if score > best_score:
            best, best_score = label(node), score
    return best

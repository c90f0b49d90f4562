"""Which elements of a page an action could be meant for, and how one of them is settled on, or none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skillnb.rules.roles import CLICKABLES, FIELDS, FILLABLES, SOFT_CLICKABLES
from skillnb.rules.similarity import ACCEPTED, MARGIN, careful, closeness
from skillnb.rules.tree import children, end, parent, selected_options
from skillnb.terms.action import Abstain, Refusal, Target
from skillnb.terms.observation import Node

__all__ = [
    "abstained",
    "beside",
    "called",
    "fuzzy",
    "openable",
    "refusal",
    "Scored",
    "settled",
    "soft",
    "target",
    "usable",
]

_LABELS = frozenset({"text", "generic", "paragraph", "strong"})
_SHOWN = 8
"""Refusals listed; a page has thousands of elements."""


class Scored(NamedTuple):
    at: int
    score: float


def called(nodes: Sequence[Node], at: int) -> str:
    """What a person calls the element: its name, or the text of a wrapper that has none."""
    node = nodes[at]
    return node.name or (node.text if node.role in SOFT_CLICKABLES else "")


def usable(nodes: Sequence[Node], at: int) -> str:
    """Why nothing can be done to the element now; empty when something can."""
    if not nodes[at].ref:
        return "not visible, or it lets clicks through"
    return "disabled" if nodes[at].disabled else ""


def openable(nodes: Sequence[Node], at: int) -> bool:
    """Text can be typed into it: a combobox that prints its options is chosen from instead."""
    node = nodes[at]
    return node.role in FILLABLES and (node.role != "combobox" or selected_options(nodes, at) is None)


def beside(nodes: Sequence[Node], at: int) -> str:
    """Of a field without a name: the text that directly precedes it in the same parent. Empty where there is none.

    Where such a parent begins with a nameless field the texts may as well follow their fields: then none is taken.
    Boxes to tick have their text after them more often than before, so it tells nothing of them.
    """
    node = nodes[at]
    if node.name or node.role not in FIELDS:
        return ""
    siblings = list(children(nodes, parent(nodes, at)))
    place = siblings.index(at)
    before = siblings[place - 1]
    first = nodes[siblings[0]]
    if place == 0 or (first.role in FIELDS and not first.name) or nodes[before].role not in _LABELS:
        return ""
    return nodes[before].text if end(nodes, before) == before + 1 else ""


def soft(nodes: Sequence[Node]) -> list[int]:
    """Headings, wrappers and summaries that react to a click and neither are in a real control nor hold one."""
    ends, above = _extents(nodes)
    inside: list[bool] = []
    controls = [0]
    for at, node in enumerate(nodes):
        control = node.role in CLICKABLES
        inside.append(control or (above[at] >= 0 and inside[above[at]]))
        controls.append(controls[-1] + control)
    found: list[int] = []
    for at, node in enumerate(nodes):
        reacts = node.role in SOFT_CLICKABLES and node.clickable
        if not (reacts or _summary(nodes, at, above[at])) or not called(nodes, at):
            continue
        if not inside[at] and controls[ends[at]] == controls[at]:
            found.append(at)
    return [at for place, at in enumerate(found) if not any(inner < ends[at] for inner in found[place + 1 : place + 2])]


def _extents(nodes: Sequence[Node]) -> tuple[list[int], list[int]]:
    """Of each position one past its subtree, and its parent (-1 at the top)."""
    ends, above, path = [len(nodes)] * len(nodes), [-1] * len(nodes), list[int]()
    for at, node in enumerate(nodes):
        while path and nodes[path[-1]].depth >= node.depth:
            ends[path.pop()] = at
        above[at] = path[-1] if path else -1
        path.append(at)
    return ends, above


def _summary(nodes: Sequence[Node], at: int, above: int) -> bool:
    """``<summary>`` is printed as the named first child of an unnamed group."""
    node = nodes[at]
    if node.role != "generic" or not node.name or above < 0 or nodes[above].role != "group" or nodes[above].name:
        return False
    return next(children(nodes, above)) == at


def fuzzy(nodes: Sequence[Node], pool: Iterable[int], wanted: str) -> list[Scored]:
    """All of the pool by closeness of name, best first; words like delete or pay never match but exactly."""
    scored: list[Scored] = []
    for at in pool:
        name = called(nodes, at)
        score = closeness(wanted, name)
        if score < 1.0 and (careful(wanted) or careful(name)):
            score = min(score, 0.5)
        scored.append(Scored(at, round(score, 4)))
    return sorted(scored, key=_by_score)


def _by_score(scored: Scored) -> tuple[float, int]:
    return -scored.score, scored.at


def settled(nodes: Sequence[Node], scored: Sequence[Scored], what: str) -> Target | Abstain:
    """The best by name if it is near enough and clearly ahead, usable, and alone."""
    if not scored:
        return Abstain(reason=f"nothing on the page can be {what}")
    best = scored[0]
    second = scored[1].score if len(scored) > 1 else 0.0
    if best.score < ACCEPTED:
        return abstained(nodes, f"no element is named like {what}", scored, "another name")
    if best.score - second < MARGIN:
        return abstained(nodes, f"several elements are named like {what}", scored, "not clearly the one")
    doubt = usable(nodes, best.at)
    if doubt:
        return abstained(nodes, f"the element named like {what} is {doubt}", scored[:1], doubt)
    return target(nodes, best.at, best.score, "similar name")


def target(nodes: Sequence[Node], at: int, score: float, how: str) -> Target:
    node = nodes[at]
    return Target(ref=node.ref, role=node.role, name=called(nodes, at), score=score, how=how)


def refusal(nodes: Sequence[Node], at: int, reason: str, score: float = 1.0) -> Refusal:
    node = nodes[at]
    return Refusal(ref=node.ref, role=node.role, name=called(nodes, at), reason=reason, score=score)


def abstained(nodes: Sequence[Node], reason: str, scored: Sequence[Scored], why: str) -> Abstain:
    refused = tuple(refusal(nodes, at, usable(nodes, at) or why, score) for at, score in scored[:_SHOWN])
    return Abstain(reason=reason, refused=refused)

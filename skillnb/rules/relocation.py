"""The element that a broken locator meant, found again by role and name on the page as it is now.

The order is fixed: same role and same name; a role the action can use as well and the same name; the nearest name if
it differs in spelling alone and leads clearly. Two that fit, one that is disabled, a locator that named nothing a
person could read: nothing is settled on. What stands in the frame of every page (header, navigation, footer, the site's
own search) never takes the place of something of another role: it is likelier to be another thing of that name.
"""

from __future__ import annotations

from collections.abc import Sequence

from skillnb.rules.candidates import Scored, abstained, beside, called, fuzzy, openable, settled, soft, target, usable
from skillnb.rules.roles import CHOOSERS, CLICKABLES, FILLABLES, SOFT_CLICKABLES, TICKABLES, UPLOADABLES
from skillnb.rules.similarity import folded, holds_words, same
from skillnb.rules.tree import ancestors, end, text_of
from skillnb.rules.wanting import Place, Wanted, wanted
from skillnb.terms.action import Abstain, Target
from skillnb.terms.observation import Node, Observation

__all__ = ["Place", "relocate", "Wanted", "wanted"]

_FILLING = frozenset({"fill", "type", "press_sequentially", "clear"})
_TICKING = frozenset({"check", "uncheck", "set_checked"})
_BUTTONS = frozenset({"link", "button", "menuitem", "tab", "treeitem"})
_NONE: frozenset[str] = frozenset()
_OF_EVERY_PAGE = frozenset({"banner", "navigation", "contentinfo", "search"})

_Region = tuple[int, int, str]
"""Start, stop and frame of the part of the page in which the element is looked for."""


def relocate(wanted: Wanted, seen: Observation) -> Target | Abstain:
    """The one element that the locator meant, or why none was settled on. Never a disabled one, never one of two."""
    nodes = seen.nodes
    roles = _roles(wanted)
    if not roles:
        return Abstain(reason=f"{wanted.method} can't be done to a {wanted.role or 'field'}")
    region = _region(nodes, wanted.scope)
    if isinstance(region, Abstain):
        return region
    pool = _pool(nodes, wanted, roles, region)
    if not wanted.name:
        return _only(nodes, wanted, pool)
    if wanted.role and not wanted.scope:
        pool = [at for at in pool if nodes[at].role == wanted.role or not _in_every_page(nodes, at)]
    named = [at for at in pool if same(called(nodes, at), wanted.name)]
    alike = [at for at in named if nodes[at].role == wanted.role]
    labelled = [at for at in pool if same(beside(nodes, at), wanted.name)]
    what = f'{wanted.role or "element"} "{wanted.name}"'
    for hits, how in (
        (alike, "same role, same name"),
        (named, "compatible role, same name"),
        (labelled, "unnamed field beside the text"),
    ):
        if hits:
            return _one(nodes, hits, how, what)
    return settled(nodes, fuzzy(nodes, pool, wanted.name), what)


def _one(nodes: Sequence[Node], hits: list[int], how: str, what: str) -> Target | Abstain:
    ready = [at for at in hits if not usable(nodes, at)]
    scored = [Scored(at, 1.0) for at in hits]
    if len(ready) == 1:
        return target(nodes, ready[0], 1.0, how)
    if ready:
        return abstained(nodes, f"{len(ready)} elements answer to {what}", scored, "one of several")
    return abstained(nodes, f"{what} is there, but can't be used: {usable(nodes, hits[0])}", scored, "")


def _only(nodes: Sequence[Node], wanted: Wanted, pool: list[int]) -> Target | Abstain:
    """A locator that named its place and only the role of what stands there (``the checkbox of the row``)."""
    hits = [at for at in pool if nodes[at].role == wanted.role]
    if not hits:
        return Abstain(reason=f"no {wanted.role} in the place the locator names")
    return _one(nodes, hits, f"the only {wanted.role} in its place", f"{wanted.role} in that place")


def _roles(wanted: Wanted) -> frozenset[str]:
    """Roles the method can use that stand for one another."""
    role, method = wanted.role, wanted.method
    if method in _FILLING:
        return FILLABLES if role in FILLABLES | {""} else _NONE
    if method in _TICKING:
        return TICKABLES if role in TICKABLES | {""} else _NONE
    if method == "select_option":
        return CHOOSERS if role in CHOOSERS | {""} else _NONE
    if method == "set_input_files":
        return UPLOADABLES if role in UPLOADABLES | {""} else _NONE
    if wanted.field and not role:
        return FILLABLES | CHOOSERS | TICKABLES
    if not role:
        return CLICKABLES | SOFT_CLICKABLES
    groups = (_BUTTONS | SOFT_CLICKABLES, TICKABLES, FILLABLES | CHOOSERS)
    return next((group for group in groups if role in group), frozenset({role}))


def _pool(nodes: Sequence[Node], wanted: Wanted, roles: frozenset[str], region: _Region) -> list[int]:
    start, stop, frame = region
    reacting = set(soft(nodes)) if roles & SOFT_CLICKABLES else set()
    pool: list[int] = []
    for at in range(start, stop):
        node = nodes[at]
        if node.role not in roles or node.frame != frame or (node.role in SOFT_CLICKABLES and at not in reacting):
            continue
        if wanted.method in _FILLING and not openable(nodes, at):
            continue
        if all(holds_words(folded(text_of(nodes, at)), folded(text)) for text in wanted.texts):
            pool.append(at)
    return pool


def _in_every_page(nodes: Sequence[Node], at: int) -> bool:
    return any(nodes[above].role in _OF_EVERY_PAGE for above in ancestors(nodes, at))


def _region(nodes: Sequence[Node], scope: tuple[Place, ...]) -> _Region | Abstain:
    region: _Region = (0, len(nodes), "")
    for place in scope:
        narrower = _frame(nodes, region) if place.frame else _inside(nodes, place, region)
        if isinstance(narrower, Abstain):
            return narrower
        region = narrower
    return region


def _frame(nodes: Sequence[Node], region: _Region) -> _Region | Abstain:
    start, stop, frame = region
    frames = [at for at in range(start, stop) if nodes[at].role == "iframe" and nodes[at].frame == frame]
    if len(frames) != 1:
        return Abstain(reason=f"{len(frames)} frames where the locator had one, and frames have no names here")
    inner = frames[0] + 1
    if inner >= end(nodes, frames[0]):
        return Abstain(reason="the frame of the locator is empty or still loading")
    return inner, end(nodes, frames[0]), nodes[inner].frame


def _inside(nodes: Sequence[Node], place: Place, region: _Region) -> _Region | Abstain:
    start, stop, frame = region
    hits = [at for at in range(start, stop) if nodes[at].frame == frame and _fits(nodes, at, place)]
    precise = [at for at in hits if place.name and same(nodes[at].name, place.name)]
    hits = precise or ([] if place.exact else hits)
    what = f'{place.role} "{place.name or ", ".join(place.texts)}"'
    if len(hits) != 1:
        scored = [Scored(at, 1.0) for at in hits]
        return abstained(nodes, f"{len(hits)} elements answer to the place {what}", scored, "one of several")
    return hits[0], end(nodes, hits[0]), frame


def _fits(nodes: Sequence[Node], at: int, place: Place) -> bool:
    node = nodes[at]
    if node.role != place.role or (place.name and not holds_words(folded(node.name), folded(place.name))):
        return False
    if not all(holds_words(folded(text_of(nodes, at)), folded(text)) for text in place.texts):
        return False
    inner = range(at + 1, end(nodes, at))
    return all(any(_fits(nodes, below, held) for below in inner) for held in place.holds)

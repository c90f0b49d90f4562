"""One instruction on one page: the single visible, enabled element of a fitting kind that bears the name, or none.

Exact names first; the place the sentence names narrows them; a similar name only where no exact one is on the page,
then the same in other words, then, given a table of likenesses, in meaning: none of these for what can't be undone.
A link and a button of one name are two elements unless the sentence says which.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from skillnb.rules.candidates import (
    Scored,
    abstained,
    beside,
    called,
    fuzzy,
    openable,
    refusal,
    settled,
    soft,
    target,
    usable,
)
from skillnb.rules.meaning import Likeness, described, label, meant, worded
from skillnb.rules.operands import Unresolved, as_text, resolve
from skillnb.rules.roles import CHOOSERS, CLICKABLES, FILLABLES, SOFT_CLICKABLES, TICKABLES, UPLOADABLES
from skillnb.rules.scope import anchors, narrowed
from skillnb.rules.similarity import ACCEPTED, folded, holds_words, same, straightened
from skillnb.rules.synonyms import words_of
from skillnb.rules.tree import end, page_text
from skillnb.terms.action import Abstain, Grounded, Instruction, Refusal, Target, Verb
from skillnb.terms.gate import Operand
from skillnb.terms.observation import Node, Observation

__all__ = ["described_elements", "ground", "sought"]

_ROLES: dict[Verb, frozenset[str]] = {
    Verb.CLICK: CLICKABLES,
    Verb.DOUBLE_CLICK: CLICKABLES,
    Verb.FILL: FILLABLES,
    Verb.SELECT: CHOOSERS,
    Verb.CHECK: TICKABLES,
    Verb.UNCHECK: TICKABLES - {"radio", "menuitemradio"},
    Verb.PRESS_KEY: FILLABLES,
    Verb.UPLOAD: UPLOADABLES,
}
_FIELD_VERBS = frozenset({Verb.FILL, Verb.SELECT, Verb.CHECK, Verb.UNCHECK, Verb.PRESS_KEY, Verb.UPLOAD})


def ground(
    instruction: Instruction, values: Mapping[str, object], seen: Observation, likeness: Likeness | None = None
) -> Grounded | Abstain:
    """Right element or none. Nothing to act on for ``goto``; ``wait`` is grounded once the page shows the text.

    Without ``likeness`` nothing is chosen by meaning.
    """
    value = _value(instruction, values)
    if not isinstance(value, str):
        return value
    if instruction.verb is Verb.GOTO:
        return _address(instruction, value)
    if instruction.verb is Verb.WAIT:
        return _shown(instruction, value, seen)
    names = _texts(instruction.target, values)
    scope = _texts((instruction.scope,) if instruction.scope else (), values)
    if isinstance(names, Abstain):
        return names
    if isinstance(scope, Abstain):
        return scope
    place = scope[0] if scope else ""
    about = sought(instruction, values)
    found = _element(instruction, names, place, seen.nodes)
    if instruction.submit and about == "search":
        found = _search_field(instruction, seen.nodes) or found
    if isinstance(found, Abstain):
        found = _in_other_words(instruction, about, place, seen, likeness, found) if about else found
    if isinstance(found, Abstain):
        return found
    at, hit = found
    if not _turns_pages(about, hit, seen.nodes):
        return abstained(seen.nodes, f'"{hit.name}" stands alone, not in a row of pages', [Scored(at, 1.0)], "alone")
    if instruction.verb is Verb.SELECT:
        option = _option(seen.nodes, at, value)
        if isinstance(option, Abstain):
            return option
        value = option
    return Grounded(instruction=instruction, target=hit, value=value, refused=_others(seen.nodes, at, names))


def _value(instruction: Instruction, values: Mapping[str, object]) -> str | Abstain:
    if instruction.value is None:
        return ""
    texts = _texts((instruction.value,), values)
    return texts if isinstance(texts, Abstain) else texts[0]


def _texts(operands: Sequence[Operand], values: Mapping[str, object]) -> tuple[str, ...] | Abstain:
    texts: list[str] = []
    for operand in operands:
        value = resolve(operand, values)
        if isinstance(value, Unresolved):
            return Abstain(reason=value.reason)
        if isinstance(value, bool | re.Pattern | dict | list | tuple | set | bytes):
            return Abstain(reason=f"{value!r} is not a text to type or a name to look for")
        if not as_text(value).strip():
            return Abstain(reason="a name or value of the sentence is empty")
        texts.append(as_text(value))
    return tuple(texts)


def _address(instruction: Instruction, value: str) -> Grounded | Abstain:
    if not re.match(r"/(?!/)|https?://", value):
        return Abstain(reason=f"{value!r} is not an address: it starts neither with / nor with http")
    return Grounded(instruction=instruction, target=None, value=value)


def _shown(instruction: Instruction, value: str, seen: Observation) -> Grounded | Abstain:
    wanted = straightened(value)
    named = any(same(node.name, value) for node in seen.nodes)
    if named or holds_words(straightened(page_text(seen.nodes)), wanted):
        return Grounded(instruction=instruction, target=None, value=value)
    return Abstain(reason=f'the page does not show "{value}"')


def _element(
    instruction: Instruction, names: tuple[str, ...], scope: str, nodes: Sequence[Node]
) -> tuple[int, Target] | Abstain:
    hard = _hard(instruction, nodes)
    wrappers = _wrappers(instruction, nodes)
    what = " or ".join(f'"{name}"' for name in names) or instruction.role or "element"
    if not names:
        return _placed(instruction, nodes, hard, scope, f"the only {what} there", what)
    for name in names:
        for hits, how in _tiers(instruction, nodes, hard, wrappers, name):
            if hits:
                return _placed(instruction, nodes, hits, scope, how, what)
    return _similar(nodes, _pool(instruction, nodes, scope), names, scope, what)


def sought(instruction: Instruction, values: Mapping[str, object]) -> str:
    """What is looked for in other words and by meaning: the sentence's own words, or the first name it quotes."""
    said = instruction.about or next(iter(instruction.target), None)
    texts = _texts((said,), values) if said is not None else ()
    return "" if isinstance(texts, Abstain) or not texts else texts[0]


def described_elements(instruction: Instruction, seen: Observation) -> tuple[str, ...]:
    """The elements that the verb can use as a likeness is asked for, each once: what an embedding is needed of."""
    if instruction.verb in (Verb.GOTO, Verb.WAIT) or not instruction.certain:
        return ()
    pool = [at for at in _pool(instruction, seen.nodes, "") if not usable(seen.nodes, at)]
    return tuple(dict.fromkeys(text for at in pool if (text := described(seen.nodes, at))))


def _pool(instruction: Instruction, nodes: Sequence[Node], scope: str) -> list[int]:
    pool = [*_hard(instruction, nodes), *_wrappers(instruction, nodes)]
    return list(narrowed(nodes, pool, scope, row=bool(instruction.scope_role))) if scope else pool


def _in_other_words(
    instruction: Instruction,
    about: str,
    scope: str,
    seen: Observation,
    likeness: Likeness | None,
    refused: Abstain,
) -> tuple[int, Target] | Abstain:
    """Only where nothing on the page bears the name or comes near it."""
    if any(item.score >= ACCEPTED for item in refused.refused):
        return refused
    nodes, pool = seen.nodes, _pool(instruction, seen.nodes, scope)
    quoted = instruction.about is None
    found = worded(nodes, pool, about, _setting(seen), whole=quoted)
    if found is None and likeness is not None and instruction.certain:
        found = meant(nodes, pool, about, likeness)
    return found or refused


def _search_field(instruction: Instruction, nodes: Sequence[Node]) -> tuple[int, Target] | Abstain | None:
    """What is searched for is typed where the page says *search*, if it says so once."""
    pool = _pool(instruction, nodes, "")
    hits = [at for at in pool if nodes[at].role == "searchbox" or "search" in words_of(label(nodes, at))]
    ready = [at for at in hits if not usable(nodes, at)]
    if len(ready) > 1:
        return abstained(nodes, f"{len(ready)} fields are there to search with", _all(ready), "one of several")
    return (ready[0], target(nodes, ready[0], 0.95, "the only field to search with")) if ready else None


def _setting(seen: Observation) -> tuple[str, str]:
    path = seen.url.partition("://")[2].partition("/")[2]
    return seen.title, re.sub(r"[/?&=#._-]+", " ", path)


def _turns_pages(about: str, hit: Target, nodes: Sequence[Node]) -> bool:
    """A number alone is a page only beside other numbers or ``Next`` and ``Previous``."""
    name = folded(hit.name)
    if not name.isdigit() or about.lower() != f"page {name}":
        return True
    others = [folded(node.name) for node in nodes if node.role in ("link", "button") and node.ref != hit.ref]
    return any(other.isdigit() or re.match(r"(?:next|previous|prev)\b", other) for other in others)


def _hard(instruction: Instruction, nodes: Sequence[Node]) -> list[int]:
    """Real controls that the verb can use, of the role that the sentence names if it names one."""
    roles = _ROLES[instruction.verb]
    if instruction.role:
        roles = roles & {instruction.role}
    pool = [at for at, node in enumerate(nodes) if node.role in roles]
    return [at for at in pool if openable(nodes, at)] if instruction.verb is Verb.FILL else pool


def _wrappers(instruction: Instruction, nodes: Sequence[Node]) -> list[int]:
    if instruction.verb not in (Verb.CLICK, Verb.DOUBLE_CLICK):
        return []
    if instruction.role and instruction.role not in SOFT_CLICKABLES:
        return []
    return [at for at in soft(nodes) if instruction.role in ("", nodes[at].role)]


def _tiers(
    instruction: Instruction, nodes: Sequence[Node], hard: list[int], wrappers: list[int], name: str
) -> list[tuple[list[int], str]]:
    """Ways to bear the name, best first; a later one counts only where no earlier one finds anything."""
    tiers = [([at for at in hard if same(called(nodes, at), name)], "exact name")]
    if instruction.verb in _FIELD_VERBS:
        tiers.append(([at for at in hard if same(nodes[at].placeholder, name)], "exact placeholder"))
        tiers.append(([at for at in hard if same(beside(nodes, at), name)], "unnamed field beside the text"))
    tiers.append(([at for at in wrappers if same(called(nodes, at), name)], "exact name, reacts to a click"))
    return tiers


def _placed(
    instruction: Instruction, nodes: Sequence[Node], hits: list[int], scope: str, how: str, what: str
) -> tuple[int, Target] | Abstain:
    """The one usable hit in the place the sentence names."""
    row = bool(instruction.scope_role)
    inside = list(narrowed(nodes, hits, scope, row=row)) if scope else hits
    if scope and not inside:
        where = "is not on the page" if not anchors(nodes, scope, row=row) else f"holds no {what}"
        return abstained(nodes, f'"{scope}" {where}', _all(hits), "elsewhere")
    ready = [at for at in inside if not usable(nodes, at)]
    if len(ready) == 1:
        return ready[0], target(nodes, ready[0], 1.0, f'{how} in "{scope}"' if scope else how)
    if ready:
        return abstained(nodes, f"{len(ready)} elements answer to {what}", _all(inside), "one of several")
    doubt = usable(nodes, inside[0]) if inside else "not on the page"
    return abstained(nodes, f"{what} is {doubt}", _all(inside), "")


def _similar(
    nodes: Sequence[Node], pool: list[int], names: tuple[str, ...], scope: str, what: str
) -> tuple[int, Target] | Abstain:
    """The first name that something comes near enough to; of several elements near enough, none."""
    refused: Abstain | None = None
    for name in names:
        scored = fuzzy(nodes, pool, name)
        hit = settled(nodes, scored, what)
        if isinstance(hit, Target):
            how = hit.how + (f' in "{scope}"' if scope else "")
            return scored[0].at, replace(hit, how=how)
        refused = refused or hit
    return refused or Abstain(reason=f"no element is named like {what}")


def _option(nodes: Sequence[Node], at: int, value: str) -> str | Abstain:
    """The label of the option as the page prints it; as it was asked for where the page prints no options."""
    inner = [below for below in range(at + 1, end(nodes, at)) if nodes[below].role == "option"]
    if not inner:
        if nodes[at].role == "listbox":
            return Abstain(reason=f'"{called(nodes, at)}" has no options to choose from')
        return value
    hits = [below for below in inner if same(nodes[below].name, value)]
    ready = [below for below in hits if not nodes[below].disabled]
    if len(ready) == 1:
        return nodes[ready[0]].name
    wrong = f'{len(hits)} options of "{called(nodes, at)}" are' if hits else f'no option of "{called(nodes, at)}" is'
    return abstained(nodes, f'{wrong} "{value}"' + (" and enabled" if hits else ""), _all(inner), "another option")


def _others(nodes: Sequence[Node], at: int, names: tuple[str, ...]) -> tuple[Refusal, ...]:
    """Elements of the same name that were not taken, for the record."""
    kin = [other for other, node in enumerate(nodes) if other != at and node.ref and node.role in CLICKABLES | CHOOSERS]
    alike = [other for other in kin if any(same(called(nodes, other), name) for name in names)]
    return tuple(refusal(nodes, other, "another element of that name") for other in alike[:8])


def _all(hits: Sequence[int]) -> list[Scored]:
    return [Scored(at, 1.0) for at in hits]

"""Pages that are a little different from a right one: wrong ones that a gate must refuse, right ones that it must not.

Everything follows from the gate and the page; nothing is drawn by chance. What counts as wrong is what the gate itself
claims. What may be wrong for the step though no gate of it says so is kept apart, and so is reported apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import unquote

from skillnb.rules.mutationkinds import Kind
from skillnb.rules.nodeedits import added, added_beside, reworded, said, twinned, valued, without
from skillnb.rules.operands import resolve
from skillnb.rules.resting import anchors_of, elements_of, files_of, responses_of, words_of
from skillnb.rules.roles import FIELDS
from skillnb.rules.tree import selected_options
from skillnb.terms.gate import Gate, GateKind
from skillnb.terms.observation import Node, Observation

__all__ = ["contradictions", "Mutant"]

_OTHER_WORD = "quince"
_MANY = 8
"""Words beside the claim that are tried, at most."""


class Mutant(NamedTuple):
    kind: Kind
    change: str
    """What was changed, for people."""
    seen: Observation


class _Case(NamedTuple):
    gate: Gate
    values: Mapping[str, object]
    seen: Observation
    targets: tuple[int, ...]

    def given(self, name: str) -> object:
        """The argument's value, None where it is not given."""
        return next((resolve(each.value, self.values) for each in self.gate.arguments if each.name == name), None)


def contradictions(gate: Gate, values: Mapping[str, object], seen: Observation) -> tuple[Mutant, ...]:
    """Wrong states for this gate, and those beside its claim. ``seen`` is a page on which it holds. Total."""
    case = _Case(gate, values, seen, elements_of(gate, values, seen))
    made = [*_removed(case), *_words(case), *_twins(case), *_values(case), *_forbidden(case)]
    made += [*_addresses(case), *_responses(case), *_files(case)]
    return tuple(mutant for mutant in made if mutant.seen != seen)


def _page(case: _Case, kind: Kind, change: str, nodes: tuple[Node, ...]) -> Mutant:
    return Mutant(kind, change, replace(case.seen, nodes=nodes))


def _told(case: _Case, at: int) -> str:
    text = said(case.seen.nodes, at)
    return f"{case.seen.nodes[at].role} {text[:40]!r}"


def _number(case: _Case, name: str) -> int | None:
    value = case.given(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _bounds(case: _Case) -> tuple[int, int | None]:
    """Least and most elements that the gate allows; None: any number."""
    if case.gate.kind is GateKind.COUNT:
        exactly = _number(case, "equals")
        least = exactly if exactly is not None else _number(case, "at_least") or 0
        return least, exactly if exactly is not None else _number(case, "at_most")
    if case.gate.kind is GateKind.ABSENT:
        return 0, 0
    return (1, 1) if case.gate.kind is GateKind.VALUE else (1, None)


def _removed(case: _Case) -> Iterator[Mutant]:
    least, _ = _bounds(case)
    surplus = len(case.targets) - least + 1 if case.gate.kind is GateKind.COUNT else len(case.targets)
    if case.targets and least and surplus > 0:
        gone = case.targets[-surplus:]
        yield _page(case, Kind.REMOVED, f"{_told(case, gone[0])} removed", without(case.seen.nodes, gone))


def _words(case: _Case) -> Iterator[Mutant]:
    if not case.targets or not _bounds(case)[0]:
        return
    nodes = case.seen.nodes
    claimed = words_of(case.gate, case.values, case.seen)
    shown = list(dict.fromkeys(word for at in case.targets for word in re.findall(r"\w+", said(nodes, at))))
    for word in shown:
        if word.lower() in claimed:
            yield from _word(case, case.targets, word, claimed=True)
    for word in [word for word in shown if word.lower() not in claimed][:_MANY]:
        yield from _word(case, case.targets, word, claimed=False)
    for word in words_of(case.gate, case.values, case.seen, near=True):
        yield from _elsewhere(case, word)


def _elsewhere(case: _Case, word: str) -> Iterator[Mutant]:
    """Another word in the name of the place, in all elements by which the place could be found."""
    new = _counted(word) if re.search(r"\d", word) else _OTHER_WORD
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
    nodes = case.seen.nodes
    while places := anchors_of(case.gate, case.values, replace(case.seen, nodes=nodes)):
        changed = reworded(nodes, places, pattern, new)
        if changed == nodes:
            return
        nodes = changed
    yield _page(case, Kind.DIGIT if re.search(r"\d", word) else Kind.WORD, f"{word!r} is now {new!r}", nodes)


def _word(case: _Case, positions: tuple[int, ...], word: str, *, claimed: bool) -> Iterator[Mutant]:
    digit = re.search(r"\d(?!.*\d)", word)
    new = _counted(word) if digit else _OTHER_WORD
    kind = (Kind.DIGIT if digit else Kind.WORD) if claimed else Kind.WORD_BESIDE
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
    yield _page(case, kind, f"{word!r} is now {new!r}", reworded(case.seen.nodes, positions, pattern, new))


def _counted(word: str) -> str:
    """The last digit one more."""
    return re.sub(r"\d(?!.*\d)", lambda found: str((int(found[0]) + 1) % 10), word)


def _twins(case: _Case) -> Iterator[Mutant]:
    _, most = _bounds(case)
    if not case.targets:
        return
    first = case.targets[0]
    if most is not None:
        times = most - len(case.targets) + 1
        if times > 0:
            nodes = twinned(case.seen.nodes, first, times)
            yield _page(case, Kind.TWIN, f"{_told(case, first)} is there {times} more times", nodes)
    elif case.gate.kind in (GateKind.VISIBLE, GateKind.TEXT):
        yield _page(case, Kind.TWIN_BESIDE, f"{_told(case, first)} is there twice", twinned(case.seen.nodes, first))


def _values(case: _Case) -> Iterator[Mutant]:
    if case.gate.kind is not GateKind.VALUE or len(case.targets) != 1:
        return
    at = case.targets[0]
    node = case.seen.nodes[at]
    if case.given("checked") is not None:
        flipped = replace(node, checked="" if node.checked else "true")
        nodes = (*case.seen.nodes[:at], flipped, *case.seen.nodes[at + 1 :])
        yield _page(case, Kind.TICK, f"{_told(case, at)} is {'ticked' if flipped.checked else 'not ticked'}", nodes)
    wish = case.given("equals") if case.given("equals") is not None else case.given("contains")
    if wish is None:
        return
    if selected_options(case.seen.nodes, at) is not None:
        yield from _choices(case, at)
    elif node.role in FIELDS and node.value is not None:
        for value in _other_values(node.value, wish, exact=case.given("equals") is not None):
            yield _page(case, Kind.VALUE, f"{_told(case, at)} holds {value[:40]!r}", valued(case.seen.nodes, at, value))


def _other_values(value: str, wish: object, *, exact: bool) -> Iterator[str]:
    """One character less, more or different; and nothing at all. Of a pattern only the last is surely wrong."""
    if not isinstance(wish, re.Pattern):
        inner = str(wish)
        changed = inner[: len(inner) // 2] + _other_character(inner[len(inner) // 2 :]) if inner else ""
        if inner and inner in value:
            yield value.replace(inner, changed)
        if exact:
            yield value + ("2" if value[-1:].isdigit() else "x")
            yield value[:-1]
    if value:
        yield ""


def _other_character(text: str) -> str:
    head = text[0]
    return (str((int(head) + 1) % 10) if head in "0123456789" else "y" if head == "x" else "x") + text[1:]


def _choices(case: _Case, at: int) -> Iterator[Mutant]:
    """The next option chosen instead; none chosen."""
    nodes = list(case.seen.nodes)
    stop = at + 1
    while stop < len(nodes) and nodes[stop].depth > nodes[at].depth:
        stop += 1
    options = [inner for inner in range(at + 1, stop) if nodes[inner].role == "option"]
    chosen = [inner for inner in options if nodes[inner].selected]
    for inner in chosen:
        nodes[inner] = replace(nodes[inner], selected=False)
    if chosen:
        yield _page(case, Kind.VALUE, f"nothing is chosen in {nodes[at].name!r}", tuple(nodes))
    names = {nodes[inner].name for inner in chosen}
    for inner in options:
        if nodes[inner].name not in names:
            nodes[inner] = replace(nodes[inner], selected=True)
            yield _page(case, Kind.VALUE, f"{nodes[inner].name[:40]!r} is chosen", tuple(nodes))
            return


def _forbidden(case: _Case) -> Iterator[Mutant]:
    least, most = _bounds(case)
    if most is None or least or case.targets:
        return
    wishes = {name: case.given(name) for name in ("role", "name", "text", "label", "placeholder")}
    if any(not isinstance(wish, str | None) for wish in wishes.values()):
        return  # what a pattern forbids can't be made up
    named = wishes["name"] or wishes["label"] or wishes["placeholder"] or ""
    role = str(wishes["role"] or ("textbox" if wishes["label"] or wishes["placeholder"] else "generic"))
    text = str(wishes["text"] or "")
    nodes = case.seen.nodes
    for _ in range(most + 1):
        places = anchors_of(case.gate, case.values, replace(case.seen, nodes=nodes))
        if case.given("near") is None:
            nodes = added(nodes, role, str(named), text, first=False)
        elif places:
            nodes = added_beside(nodes, places[0], role, str(named), text)
    yield _page(case, Kind.FORBIDDEN, f"{role} {str(named or text)[:40]!r} is there", nodes)


def _addresses(case: _Case) -> Iterator[Mutant]:
    if case.gate.kind is not GateKind.URL:
        return
    claimed = words_of(case.gate, case.values, case.seen)
    url = case.seen.url
    start = re.match(r"[a-z][a-z0-9+.-]*://[^/?#]*", url, re.IGNORECASE)
    for found in re.finditer(r"[^/?&=]+", url.split("#", 1)[0]):
        if start is not None and found.start() < start.end():
            continue
        word, own = found[0], unquote(found[0]) in claimed or found[0] in claimed
        changes = [_counted(word) if re.search(r"\d", word) else _OTHER_WORD]
        for new in [*changes, f"{word}2"] if own else changes:
            changed = url[: found.start()] + new + url[found.end() :]
            kind = Kind.ADDRESS if own else Kind.ADDRESS_BESIDE
            yield Mutant(kind, f"{word[:40]!r} is now {new[:40]!r}", replace(case.seen, url=changed))


def _responses(case: _Case) -> Iterator[Mutant]:
    fitting = responses_of(case.gate, case.values, case.seen)
    if not fitting:
        return
    status = 200 if _number(case, "status") == 500 else 500
    answers = case.seen.responses
    changed = tuple(replace(each, status=status) if at in fitting else each for at, each in enumerate(answers))
    yield Mutant(Kind.STATUS, f"answered with {status}", replace(case.seen, responses=changed))
    left = tuple(each for at, each in enumerate(answers) if at not in fitting)
    yield Mutant(Kind.UNANSWERED, "never answered", replace(case.seen, responses=left))


def _files(case: _Case) -> Iterator[Mutant]:
    fitting = files_of(case.gate, case.values, case.seen)
    if not fitting:
        return
    files = case.seen.files
    left = tuple(each for at, each in enumerate(files) if at not in fitting)
    yield Mutant(Kind.FILE, "no file came", replace(case.seen, files=left))
    broken = tuple(replace(each, failure="canceled") if at in fitting else each for at, each in enumerate(files))
    yield Mutant(Kind.FILE, "the download broke off", replace(case.seen, files=broken))
    if _number(case, "min_size") != 0:
        empty = tuple(replace(each, size=0) if at in fitting else each for at, each in enumerate(files))
        yield Mutant(Kind.FILE, "the file is empty", replace(case.seen, files=empty))

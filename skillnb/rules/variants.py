"""Changes of the whole page: those that make it wrong for a step, and those after which it is as right as before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import quote

from skillnb.rules.mutationkinds import Kind
from skillnb.rules.mutations import Mutant
from skillnb.rules.nodeedits import added, renumbered, reordered, reworded, reworded_everywhere, wrapped
from skillnb.rules.passages import Passage, different, neighbours, other_pages, shows, whole
from skillnb.terms.observation import Node, Observation

__all__ = ["right_variants", "wrong_for_step"]

_ERROR = "Something went wrong. Nothing was stored."
_ASIDE = "Did you know? Most keys have a meaning here."
_NEWS = "This place will be closed on Sunday."


def wrong_for_step(passage: Passage, used: Iterable[str]) -> tuple[Mutant, ...]:
    """States that the step's post gates must refuse together; and, kept apart, an error message beside a right page.

    ``used`` are the parameters that the step uses.
    """
    made: list[Mutant] = []
    after = passage.after
    if passage.before is not None and different(passage.before, after):
        made.append(Mutant(Kind.BEFORE, "nothing was done", passage.before))
    made += [Mutant(Kind.OTHER_PAGE, f"ended at {seen.url[:80]}", seen) for seen in other_pages(passage)]
    made += [mutant for name in used if name in passage.values for mutant in _other_record(passage, name)]
    nodes = added(after.nodes, "alert", "", _ERROR, first=True)
    made.append(Mutant(Kind.ERROR_BANNER, f"alert {_ERROR!r} is there", replace(after, nodes=nodes)))
    return tuple(mutant for mutant in made if mutant.seen != after)


def right_variants(seen: Observation, targets: Iterable[int]) -> tuple[Mutant, ...]:
    """The same page in other dress. ``targets`` are the elements that the gates rest on."""
    return tuple(mutant for mutant in _variants(seen, sorted(set(targets))) if mutant.seen != seen)


def _other_record(passage: Passage, name: str) -> Iterator[Mutant]:
    """In the address only a value with a digit is taken for the record's: other words occur in it by chance."""
    value, after = passage.values[name], passage.after
    if not shows(after, value):
        return
    for other in neighbours(value):
        old, new = str(value), str(other)
        parts = re.split(whole(quote(old, safe="")), after.url) if re.search(r"\d", old) else [after.url]
        url = quote(new, safe="").join(parts)
        seen = replace(after, nodes=reworded_everywhere(after.nodes, whole(old), new), url=url)
        yield Mutant(Kind.OTHER_RECORD, f"{name} {old[:40]!r} is now {new[:40]!r}", seen)


def _variants(seen: Observation, targets: list[int]) -> Iterator[Mutant]:
    nodes = seen.nodes

    def page(kind: Kind, change: str, made: tuple[Node, ...]) -> Mutant:
        return Mutant(kind, change, replace(seen, nodes=made))

    if not nodes:
        return
    yield page(Kind.TEXT_ADDED, "first", added(nodes, "paragraph", "", _ASIDE, first=True))
    yield page(Kind.TEXT_ADDED, "last", added(nodes, "paragraph", "", _ASIDE, first=False))
    yield page(Kind.BANNER_ADDED, f"status {_NEWS!r}", added(nodes, "status", "", _NEWS, first=True))
    yield page(Kind.REORDERED, "rows, items and options", reordered(nodes))
    yield page(Kind.RENUMBERED, "handles", renumbered(nodes))
    for at in targets:
        yield page(Kind.WRAPPED, f"around {nodes[at].role} {nodes[at].name[:40]!r}", wrapped(nodes, at))
    if targets:
        yield page(Kind.SPACES, "blanks doubled", reworded(nodes, targets, re.compile(r"(?<=\S) (?=\S)"), "  "))
        yield page(Kind.CASE, "capitals", _capitals(nodes, targets))


def _capitals(nodes: tuple[Node, ...], targets: list[int]) -> tuple[Node, ...]:
    made = nodes
    words = {word for at in targets for word in re.findall(r"\w+", f"{nodes[at].name} {nodes[at].text}")}
    for word in sorted(words):
        made = reworded(made, targets, re.compile(rf"(?<!\w){re.escape(word)}(?!\w)"), word.upper())
    return made

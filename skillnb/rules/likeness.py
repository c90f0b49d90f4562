"""How like each element of a page is to one that was recorded: a row of evidence per candidate, all computed at once.

A page is turned into columns once; a question then costs a few passes over its distinct strings and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from skillnb.rules.elementkind import attribute, grade, kind, said, takes
from skillnb.terms.fingerprint import Box, Fingerprint

__all__ = [
    "Bags",
    "Columns",
    "Evidence",
    "evidence",
    "FEATURES",
    "Floats",
    "Places",
    "prepare",
    "Ranking",
    "ranking",
    "Strings",
]

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]

FEATURES = (
    "tag",
    "grade",
    "said",
    "said alike",
    "id",
    "marks",
    "class",
    "address",
    "address words",
    "landmarks",
    "anchor",
    "steps",
    "beside",
    "above",
    "near",
    "height",
    "size",
)
"""The columns of the evidence, each between 0 and 1, where 1 speaks for the same element."""

_NEAR = 200.0
"""CSS pixels after which two places are no longer near."""
_TOP = 100.0
"""CSS pixels added to heights before their ratio is taken, so that the top of a page is one place."""
_STEP = re.compile(r"[^/]+")
_WORD = re.compile(r"\w+")
_ADDRESS_PART = re.compile(r"[^\W_]+")
_LONGEST_WORD = 15
_ANCHOR = re.compile(r"//\*\[@id='([^']*)'\]/")
_LANDMARKS = frozenset({"header", "footer", "nav", "main", "aside", "form", "dialog", "table"})
_MARKS = ("name", "alt", "title", "placeholder", "aria-label", "data-testid", "data-test", "data-test-id", "data-cy")
_FIRST = 0x10000
"""Code point of the first step of a path; each step is one character, so that comparing paths is comparing strings."""
_UNKNOWN = chr(0xE000)


class Strings(NamedTuple):
    """A column of text."""

    distinct: tuple[str, ...]
    at: Places
    """Of each candidate, the place of its text among the distinct ones."""


class Bags(NamedTuple):
    """A column of sets of words, each word weighing more the fewer candidates have it."""

    holders: dict[str, Places]
    """The candidates that have a word."""
    total: Floats
    """Of each candidate, what its words weigh."""


class Columns(NamedTuple):
    """All candidates of a page, made ready to be compared."""

    candidates: tuple[Fingerprint, ...]
    kinds: Strings
    frames: Strings
    tags: Strings
    grades: Strings
    said: Strings
    ids: Strings
    marks: Bags
    classes: Bags
    addresses: Strings
    """Of links, without query."""
    address_words: Bags
    landmarks: Bags
    anchors: Strings
    """The id from which the short path starts."""
    steps: dict[str, str]
    """The character that stands for each step of the paths."""
    paths: Strings
    beside: Bags
    above: Bags
    boxes: Floats
    """x, y, width and height in four rows; not a number where a candidate has no box."""


class Evidence(NamedTuple):
    values: Floats
    """One row for each candidate, one column for each of ``FEATURES``."""
    known: Floats
    """For each of ``FEATURES`` 1, or 0 where the recorded element has nothing to compare."""


class Ranking(NamedTuple):
    """Candidates to which can be done what was done to the element, best first; equals in the order of their paths."""

    order: tuple[int, ...]
    scores: tuple[float, ...]
    attainable: float
    """What a candidate that agrees in all would score."""


def prepare(candidates: Iterable[Fingerprint]) -> Columns:
    """Once per page."""
    found = tuple(candidates)
    steps: dict[str, str] = {}
    for one in found:
        for step in _STEP.findall(one.path):
            if step not in steps:
                steps[step] = chr(_FIRST + len(steps))
    return Columns(
        candidates=found,
        kinds=_strings(kind(one) for one in found),
        frames=_strings("\n".join(one.frame) for one in found),
        tags=_strings(one.tag for one in found),
        grades=_strings(grade(one) for one in found),
        said=_strings(said(one) for one in found),
        ids=_strings(attribute(one, "id") for one in found),
        marks=_bags([_marks(one) for one in found]),
        classes=_bags([_classes(one) for one in found]),
        addresses=_strings(_address(one) for one in found),
        address_words=_bags([_address_words(one) for one in found]),
        landmarks=_bags([_landmarks(one) for one in found]),
        anchors=_strings(_anchor(one) for one in found),
        steps=steps,
        paths=_strings(_spelt(one, steps) for one in found),
        beside=_bags([_words(one.neighbours) for one in found]),
        above=_bags([_words(one.ancestors[:1]) for one in found]),
        boxes=_boxes(found),
    )


def evidence(was: Fingerprint, columns: Columns) -> Evidence:
    words, own_id, address, landmarks = said(was), attribute(was, "id"), _address(was), _landmarks(was)
    named, classes, address_words = _marks(was), _classes(was), _address_words(was)
    beside, above = _words(was.neighbours), _words(was.ancestors[:1])
    near, height, size = _placed(was.box, columns.boxes)
    rows: tuple[tuple[Floats, object], ...] = (
        (_equal(was.tag, columns.tags), True),
        (_equal(grade(was), columns.grades), True),
        (_equal(words, columns.said), True),
        (_alike(words, columns.said), words),
        (_alike(own_id, columns.ids), own_id),
        (_shared(named, columns.marks), named),
        (_shared(classes, columns.classes), classes),
        (_equal(address, columns.addresses) if address else _nothing(columns), address),
        (_shared(address_words, columns.address_words), address_words),
        (_shared(landmarks, columns.landmarks) if landmarks else np.equal(columns.landmarks.total, 0), True),
        (_equal(_anchor(was), columns.anchors) if _anchor(was) else _nothing(columns), _anchor(was)),
        (_alike(_spelt(was, columns.steps), columns.paths), was.path),
        (_shared(beside, columns.beside), beside),
        (_shared(above, columns.above), above),
        (near, was.box),
        (height, was.box),
        (size, was.box),
    )
    known = np.array([float(bool(has)) for _, has in rows])
    return Evidence(np.column_stack([values for values, _ in rows]).astype(np.float64), known)


def ranking(was: Fingerprint, columns: Columns, weights: Sequence[float]) -> Ranking:
    table = np.asarray(weights, dtype=np.float64)
    found = evidence(was, columns)
    scores = np.round(found.values @ table, 9)
    kinds = takes(was)
    fits = np.array([other in kinds for other in columns.kinds.distinct], dtype=bool)[columns.kinds.at]
    fits &= _equal("\n".join(was.frame), columns.frames) > 0
    places = np.flatnonzero(fits)
    order = sorted(places.tolist(), key=lambda at: (-scores[at], columns.candidates[at].path))
    return Ranking(tuple(order), tuple(float(scores[at]) for at in order), float(found.known @ table))


def _strings(texts: Iterable[str]) -> Strings:
    known: dict[str, int] = {}
    at = [known.setdefault(text, len(known)) for text in texts]
    return Strings(tuple(known), np.array(at, dtype=np.intp))


def _bags(bags: Sequence[frozenset[str]]) -> Bags:
    holders: dict[str, list[int]] = {}
    for at, bag in enumerate(bags):
        for word in bag:
            holders.setdefault(word, []).append(at)
    total = np.zeros(len(bags))
    made = {word: np.array(places, dtype=np.intp) for word, places in holders.items()}
    for word in sorted(made):  # sums of floats depend on their order, and the order of a set on the process
        total[made[word]] += _rarity(len(made[word]), len(bags))
    return Bags(made, total)


def _rarity(holders: int, candidates: int) -> float:
    return float(np.log1p(candidates / (1 + holders)))


def _boxes(found: Sequence[Fingerprint]) -> Floats:
    nowhere = (np.nan,) * 4
    rows = [nowhere if one.box is None else (one.box.x, one.box.y, one.box.width, one.box.height) for one in found]
    return np.array(rows, dtype=np.float64).reshape(-1, 4).T


def _nothing(columns: Columns) -> Floats:
    return np.zeros(len(columns.candidates))


def _equal(text: str, column: Strings) -> Floats:
    return np.array([float(other == text) for other in column.distinct], dtype=np.float64)[column.at]


def _alike(text: str, column: Strings) -> Floats:
    """By the longest common subsequence; 0 where either is empty."""
    if not text or not column.distinct:
        return np.zeros(len(column.at))
    row: Floats = cdist([text], column.distinct, scorer=Indel.normalized_similarity, dtype=np.float64)[0]
    return row[column.at]


def _shared(bag: frozenset[str], column: Bags) -> Floats:
    """Words of both among the words of either, each by its rarity on the page."""
    size = len(column.total)
    if not bag or not size:
        return np.zeros(size)
    common, own = np.zeros(size), 0.0
    for word in sorted(bag):
        places = column.holders.get(word)
        weight = _rarity(0 if places is None else len(places), size)
        own += weight
        if places is not None:
            common[places] += weight
    answer: Floats = common / (own + column.total - common)
    return answer


def _placed(box: Box | None, boxes: Floats) -> tuple[Floats, Floats, Floats]:
    """Near the old place; as far down the page; of the old size."""
    x, y, width, height = boxes
    if box is None:
        nothing = np.zeros(len(x))
        return nothing, nothing, nothing
    near = np.exp(-np.hypot(x - box.x, y - box.y) / _NEAR)
    down = _ratio(np.maximum(y, 0), max(box.y, 0), _TOP)
    size = np.sqrt(_ratio(width, box.width, 1) * _ratio(height, box.height, 1))
    return np.nan_to_num(near), np.nan_to_num(down), np.nan_to_num(size)


def _ratio(sides: Floats, side: float, more: float) -> Floats:
    answer: Floats = (np.minimum(sides, side) + more) / (np.maximum(sides, side) + more)
    return answer


def _classes(one: Fingerprint) -> frozenset[str]:
    return frozenset(attribute(one, "class").split())


def _marks(one: Fingerprint) -> frozenset[str]:
    return frozenset(f"{item.name}={item.value}" for item in one.attributes if item.name in _MARKS and item.value)


def _address(one: Fingerprint) -> str:
    bare = one.href.partition("#")[0].partition("?")[0]
    return bare.rstrip("/") or bare


def _address_words(one: Fingerprint) -> frozenset[str]:
    if not one.href:
        return frozenset()
    return frozenset(part.casefold() for part in _ADDRESS_PART.findall(unquote(one.href)) if _readable(part))


def _readable(part: str) -> bool:
    """A word or a number, not a token: those change with every page."""
    if len(part) > _LONGEST_WORD:
        return False
    return part.isdigit() or (part.isalpha() and (part.islower() or part.isupper() or part.istitle()))


def _landmarks(one: Fingerprint) -> frozenset[str]:
    return _LANDMARKS.intersection(step.partition("[")[0] for step in _STEP.findall(one.path))


def _anchor(one: Fingerprint) -> str:
    start = _ANCHOR.match(one.id_path)
    return start[1] if start else ""


def _words(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(_WORD.findall(" ".join(texts).casefold())) if texts else frozenset()


def _spelt(one: Fingerprint, steps: dict[str, str]) -> str:
    return "".join(steps.get(step, _UNKNOWN) for step in _STEP.findall(one.path))

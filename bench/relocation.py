"""How often an element is found again on a page that changed, and how often a wrong one is given.

    python -m bench.relocation FOLDER [--leave-one-out] [--gone] [--json]

Each element of the folder's files (``bench/changedpages.py`` tells the format) is looked for among all candidates of
its page. A hit is the right element, its parent or its child. *Forced* is the likeliest candidate whether it is given
or not; *right*, *wrong* and *abstained* are what ``relocate`` answers at its operating point.

The weights are those shipped, which were fitted on public pages and may have seen the folder's. ``--leave-one-out``
fits them anew for each site on all the others, operating point included. ``--gone`` asks each question once more with
the element taken away, where only an abstention is right.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.changedpages import Page, hit, read
from bench.fitting import Fitting, questions
from skillnb.rules.likeness import Columns
from skillnb.rules.relocating import Relocated, prepare, relocate
from skillnb.rules.relocationweights import SHIPPED, Weights
from skillnb.rules.sameness import is_same

__all__ = ["main"]

ROUNDS = 3
PUBLISHED = ("similo", "robula", "aus")
"""Algorithms whose answers the files tell."""


class Counts(NamedTuple):
    n: int = 0
    forced_right: int = 0
    right: int = 0
    wrong: int = 0
    abstained: int = 0

    def __add__(self, other: tuple[int, ...]) -> Counts:  # type: ignore[override]
        return Counts(*(one + two for one, two in zip(self, other, strict=True)))


class Measured(NamedTuple):
    site: str
    candidates: int
    counts: Counts
    published: dict[str, int | None]
    """None where a file does not tell."""
    prepare_ms: float
    element_ms: list[float]
    gone_given: int
    gone_alike: int
    """Of those, answers that bear the same name and lead to the same address, or that nothing tells apart."""


def measured(page: Page, weights: Weights, *, gone: bool) -> Measured:
    columns = prepare(page.candidates)
    counts = Counts()
    for case in page.cases:
        answer = relocate(case.was, columns, weights)
        given = isinstance(answer, Relocated)
        at = answer.at if isinstance(answer, Relocated) else answer.best.at if answer.best else None
        right = at is not None and hit(page.candidates[at].path, case.truth)
        counts += (1, right, given and right, given and not right, not given)
    given_gone = [answer for answer in _gone(page, weights) if answer[1]] if gone else []
    return Measured(
        site=page.site,
        candidates=len(page.candidates),
        counts=counts,
        published={name: _published(page, name) for name in PUBLISHED},
        prepare_ms=_milliseconds(lambda: prepare(page.candidates)),
        element_ms=[_timed(page, at, columns, weights) for at in range(len(page.cases))],
        gone_given=len(given_gone),
        gone_alike=sum(alike for alike, _ in given_gone),
    )


def _gone(page: Page, weights: Weights) -> list[tuple[bool, bool]]:
    """For each element, whether the answer on the page without it is the same by name, and whether one was given."""
    found = []
    for question in questions(page):
        answer = relocate(question.was, question.gone, weights)
        if isinstance(answer, Relocated):
            found.append((is_same(question.was, answer.element).verdict == "same", True))
        else:
            found.append((False, False))
    return found


def _published(page: Page, name: str) -> int | None:
    told = [case.baselines[name] for case in page.cases if name in case.baselines]
    return sum(told) if len(told) == len(page.cases) else None


def _timed(page: Page, at: int, columns: Columns, weights: Weights) -> float:
    return _milliseconds(lambda: relocate(page.cases[at].was, columns, weights))


def _milliseconds(work: Callable[[], object]) -> float:
    """The median of a few rounds."""
    taken = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)


def summed(sites: Sequence[Measured], weights: str, *, gone: bool) -> dict[str, object]:
    counts = sum((site.counts for site in sites), Counts())
    elements = [taken for site in sites for taken in site.element_ms]
    pages = [site.prepare_ms for site in sites]
    per_element = statistics.fmean(elements) if elements else 0.0
    return {
        **counts._asdict(),
        "ms_per_element": round(per_element, 3),
        "ms_per_page_prepared": round(statistics.fmean(pages), 3),
        "ms_per_element_with_its_share_of_pages": round((sum(elements) + sum(pages)) / max(1, len(elements)), 3),
        "candidates_per_page": round(statistics.fmean(site.candidates for site in sites)),
        "sites": len(sites),
        "weights": weights,
        **({"gone_given": sum(site.gone_given for site in sites)} if gone else {}),
        **({"gone_given_same_by_name": sum(site.gone_alike for site in sites)} if gone else {}),
    }


def table(sites: Sequence[Measured], total: dict[str, object]) -> str:
    lines = [
        "site               n  forced   right   wrong  abstained | Similo  Robula+     aus",
        *(_row(site.site, site.counts, site.published) for site in sites),
        _row("all", sum((site.counts for site in sites), Counts()), _all_published(sites)),
        "",
    ]
    given = sum(site.counts.right + site.counts.wrong for site in sites)
    right = sum(site.counts.right for site in sites)
    lines.append(f"right of the {given} answers given: {right / given:.1%}" if given else "no answer was given")
    lines += [f"{key}: {value}" for key, value in total.items() if key not in Counts._fields]
    return "\n".join(lines)


def _row(name: str, counts: Counts, published: dict[str, int | None]) -> str:
    ours = f"{name:<15} {counts.n:>4}{counts.forced_right:>8}{counts.right:>8}{counts.wrong:>8}{counts.abstained:>11}"
    told = ["-" if published[key] is None else str(published[key]) for key in PUBLISHED]
    return f"{ours} | {told[0]:>6} {told[1]:>8} {told[2]:>7}"


def _all_published(sites: Sequence[Measured]) -> dict[str, int | None]:
    columns = {name: [site.published[name] for site in sites] for name in PUBLISHED}
    return {
        name: None if None in told else sum(one for one in told if one is not None) for name, told in columns.items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.relocation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--leave-one-out", action="store_true")
    parser.add_argument("--gone", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    pages = list(read(given.folder))
    if not any(page.cases for page in pages):
        parser.error(f"{given.folder} holds no *.json or *.json.gz with cases: name the folder of the sites' files")
    if given.leave_one_out and len(pages) < 3:
        parser.error(f"--leave-one-out fits on the other sites, and needs three: {given.folder} has {len(pages)}")
    fitting = Fitting(pages) if given.leave_one_out else None
    sites = [measured(page, fitting.weights(page.site) if fitting else SHIPPED, gone=given.gone) for page in pages]
    told = "fitted for each site on the others" if fitting else "shipped"
    total = summed(sites, told, gone=given.gone)
    print(json.dumps(total) if given.json else table(sites, total))


if __name__ == "__main__":
    main()

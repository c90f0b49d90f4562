"""Fits the weights of relocation on pages that changed.

    python -m bench.fitting FOLDER            # prints them as they stand in skillnb/rules/relocationweights.py

1. What each piece of evidence weighs: a softmax over all candidates of a page that could take the element's place, the
   likelihood of the right one as high as can be, weights not negative and drawn to nothing (ridge).
2. How sure an answer is: a logistic curve over the lead and the clash of answers given on sites that the
   weights had not seen; with them, at less weight, answers on pages from which the element was taken away.
3. The operating point: as strict as a budget of abstentions on sites not seen allows.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from bench.changedpages import Page, hit, read
from skillnb.rules.elementkind import kind, takes
from skillnb.rules.likeness import FEATURES, Columns, Floats, evidence, prepare
from skillnb.rules.relocating import Standing, confidence, standing
from skillnb.rules.relocationweights import Weights
from skillnb.rules.sameness import another
from skillnb.terms.fingerprint import Fingerprint

RIDGE = 0.003
RIDGE_OF_CURVE = 0.003
GONE = 0.25
"""What an answer on a page without the element weighs against one on a page with it."""
BUDGET = 0.08
"""Share of the elements that may be abstained from."""
LIKELIEST = 150
"""Candidates that a fit looks at, by the plain sum of the evidence."""
ABOVE_LIKE = "said"
"""The evidence whose weight ``above`` gets, which these pages don't tell."""


class Question(NamedTuple):
    """One element, on the page with it and on the page without it."""

    site: str
    was: Fingerprint
    truth: str
    there: Columns
    gone: Columns


class Example(NamedTuple):
    site: str
    values: Floats
    right: int


class Answer(NamedTuple):
    site: str
    there: bool
    right: bool
    stands: Standing
    refused: bool
    """Whatever the confidence."""


class Fitting:
    """All weights that can be fitted on the pages, with any sites left out."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.questions = [question for page in pages for question in questions(page)]
        self.sites = sorted({question.site for question in self.questions})
        self._examples = [example for example in map(exampled, self.questions) if example is not None]
        self.features = lru_cache(maxsize=None)(self._features)

    def weights(self, without: str = "") -> Weights:
        left = frozenset({without} - {""})
        answers = [
            answer
            for site in self.sites
            if site not in left
            for answer in self.answers(site, self.features(left | {site}))
        ]
        lead, clash, constant = curve(answers)
        fitted = Weights(self.features(left), lead, clash, constant, accept=0.0)
        return fitted._replace(accept=operating_point(answers, fitted))

    def answers(self, site: str, features: tuple[float, ...]) -> list[Answer]:
        plain = Weights(features, 0.0, 0.0, 0.0, 0.0)
        return [
            answer
            for question in self.questions
            if question.site == site
            for answer in (answered(question, plain, there=True), answered(question, plain, there=False))
            if answer is not None
        ]

    def _features(self, without: frozenset[str]) -> tuple[float, ...]:
        start = np.ones(len(FEATURES)) if not without else np.array(self.features(frozenset()))
        return fitted_features([one for one in self._examples if one.site not in without], start)


def questions(page: Page) -> Iterable[Question]:
    there = prepare(page.candidates)
    for case in page.cases:
        left = [one for one in page.candidates if not on_one_line(one.path, case.truth)]
        yield Question(page.site, case.was, case.truth, there, prepare(left))


def on_one_line(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def exampled(question: Question) -> Example | None:
    """None where the right element is not among those that could take the place."""
    kinds = takes(question.was)
    values = evidence(question.was, question.there).values
    usable = [at for at, one in enumerate(question.there.candidates) if kind(one) in kinds]
    right = [at for at in usable if question.there.candidates[at].path == question.truth]
    if not right:
        return None
    likeliest = sorted(usable, key=lambda at: -values[at].sum())[:LIKELIEST]
    kept = sorted({*likeliest, *right})
    return Example(question.site, values[kept], kept.index(right[0]))


def fitted_features(examples: Sequence[Example], start: Floats) -> tuple[float, ...]:
    above, like = FEATURES.index("above"), FEATURES.index(ABOVE_LIKE)

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 0.0, np.zeros(len(weights))
        for one in examples:
            scores = one.values @ weights
            scores -= scores.max()
            chances = np.exp(scores) / np.exp(scores).sum()
            total -= float(np.log(chances[one.right]))
            slope += chances @ one.values - one.values[one.right]
        return total / len(examples) + RIDGE / 2 * float(weights @ weights), slope / len(examples) + RIDGE * weights

    found = minimum(loss, start, [(0.0, None)] * len(start))
    found[above] = found[like]
    return tuple(round(float(weight), 2) for weight in found)


def answered(question: Question, weights: Weights, *, there: bool) -> Answer | None:
    columns = question.there if there else question.gone
    stands = standing(question.was, columns, weights)
    if stands is None:
        return None
    element = columns.candidates[stands.best.at]
    right = there and hit(element.path, question.truth)
    refused = stands.equals > 0 or bool(another(question.was, element))
    return Answer(question.site, there, right, stands, refused)


def curve(answers: Sequence[Answer]) -> tuple[float, float, float]:
    table = np.array([(one.stands.lead, one.stands.clash, 1.0) for one in answers])
    right = np.array([float(one.right) for one in answers])
    heft = np.array([1.0 if one.there else GONE for one in answers])
    heft /= heft.sum()
    drawn = np.array([1.0, 0.1, 0.0]) * RIDGE_OF_CURVE

    def loss(slopes: Floats) -> tuple[float, Floats]:
        odds = table @ slopes
        off = 1 / (1 + np.exp(-odds)) - right
        total = heft @ (np.logaddexp(0, odds) - right * odds) + drawn @ slopes**2 / 2
        return float(total), table.T @ (heft * off) + drawn * slopes

    lead, clash, constant = (round(float(slope), 2) for slope in minimum(loss, np.zeros(3), None))
    return lead, clash, constant


def operating_point(answers: Sequence[Answer], weights: Weights) -> float:
    """The highest confidence that keeps the abstentions, those for a tie or a name among them, within the budget."""
    there = [one for one in answers if one.there]
    refused = sum(one.refused for one in there)
    sure = sorted(confidence(one.stands, weights) for one in there if not one.refused)
    more = max(0, int(BUDGET * len(there)) - refused)
    return int(sure[more] * 1000) / 1000


def minimum(
    loss: Callable[[Floats], tuple[float, Floats]], start: Floats, bounds: list[tuple[float, None]] | None
) -> Floats:
    found: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.fitting", description=__doc__)
    parser.add_argument("folder", type=Path)
    weights = Fitting(read(parser.parse_args(arguments).folder)).weights()
    for feature, weight in zip(FEATURES, weights.features, strict=True):
        print(f"# {feature}: {weight}")
    print(weights)


if __name__ == "__main__":
    main()

"""What every embedder keeps to, whatever it understands: run each of CHECKS on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from skillnb.llm.protocol import Embedder

__all__ = [
    "CHECKS",
    "gives_a_unit_vector_for_each_text",
    "gives_nothing_for_nothing",
    "gives_the_same_vector_in_any_company",
    "likeness",
    "says_what_it_is",
    "takes_any_text",
    "tells_the_near_from_the_far",
]

_TEXTS = ("Log in with user name and password", "Add the product to the shopping cart", "Ü", "漢字 🙂", "a" * 2_000)


def likeness(one: Sequence[float], other: Sequence[float]) -> float:
    return math.fsum(mine * theirs for mine, theirs in zip(one, other, strict=True))


def says_what_it_is(embedder: Embedder) -> None:
    assert embedder.name.strip() == embedder.name != ""
    assert embedder.dimension > 0


def gives_a_unit_vector_for_each_text(embedder: Embedder) -> None:
    vectors = embedder.embed(_TEXTS)
    assert [len(vector) for vector in vectors] == [embedder.dimension] * len(_TEXTS)
    assert all(math.isclose(likeness(vector, vector), 1.0, rel_tol=1e-6) for vector in vectors)


def gives_nothing_for_nothing(embedder: Embedder) -> None:
    assert embedder.embed([]) == ()
    assert embedder.embed(["", " \n"]) == ((0.0,) * embedder.dimension,) * 2


def gives_the_same_vector_in_any_company(embedder: Embedder) -> None:
    alone = [embedder.embed([text])[0] for text in _TEXTS]
    together = embedder.embed([*_TEXTS, *reversed(_TEXTS)])
    assert list(together[: len(_TEXTS)]) == alone
    assert list(together[len(_TEXTS) :]) == alone[::-1]


def takes_any_text(embedder: Embedder) -> None:
    for text in ("\0\ud83d x", "\u2028 y", "</s> [CLS] [SEP] z", "\u0301 n"):
        [vector] = embedder.embed([text])
        assert all(math.isfinite(number) for number in vector)


def tells_the_near_from_the_far(embedder: Embedder) -> None:
    asked, near, far = embedder.embed(
        ["add a product to the cart", "adding products to the shopping cart", "reset a forgotten password"]
    )
    assert likeness(asked, near) > likeness(asked, far)


CHECKS: tuple[Callable[[Embedder], None], ...] = (
    says_what_it_is,
    gives_a_unit_vector_for_each_text,
    gives_nothing_for_nothing,
    gives_the_same_vector_in_any_company,
    takes_any_text,
    tells_the_near_from_the_far,
)

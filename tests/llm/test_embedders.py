"""Embeddings without a model and from a server keep to one contract; the local one is in test_real_models.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.llm.compatible import CompatibleEmbedder, Endpoint
from skillnb.llm.hashed import HashedEmbedder
from skillnb.llm.protocol import Embedder
from skillnb.llm.wordpiece import WordPiece
from skillnb.testing.chats.wire import wired
from skillnb.testing.embedders.contract import CHECKS

PIECES = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "un",
    "##want",
    "##ed",
    "want",
    "run",
    "##ning",
    ",",
    "low",
    "l",
    "o",
    "w",
    "!",
    "東",
)
VOCABULARY = {piece: at for at, piece in enumerate(PIECES)}


def hashed() -> Iterator[Embedder]:
    yield HashedEmbedder()


def served() -> Iterator[Embedder]:
    with wired(embed=lambda text: HashedEmbedder(256).embed([text])[0]) as wire:
        embedder = CompatibleEmbedder(Endpoint(wire.url, "some-embedding", ""), 256)
        yield embedder
        embedder.close()


@pytest.fixture(params=[hashed, served], ids=lambda opened: opened.__name__)
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    yield from request.param()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_to_the_contract(embedder: Embedder, check: Callable[[Embedder], None]) -> None:
    check(embedder)


def pieces(text: str, longest: int = 20) -> list[str]:
    return [PIECES[at] for at in WordPiece(VOCABULARY, longest).ids(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("UNwanted, running!", ["un", "##want", "##ed", ",", "run", "##ning", "!"]),
        ("wänt\u0301\tlöw\u200b", ["want", "low"]),
        ("wanting run", ["[UNK]", "run"]),
        ("東run", ["東", "run"]),
        ("[CLS]", ["[UNK]", "[UNK]", "[UNK]"]),
        ("want" * 30, ["[UNK]"]),
        ("", []),
    ],
)
def test_words_are_cut_into_their_longest_pieces(text: str, expected: list[str]) -> None:
    assert pieces(text) == ["[CLS]", *expected, "[SEP]"]


def test_a_long_text_is_cut_off_and_still_closed() -> None:
    assert pieces("run " * 50, 5) == ["[CLS]", "run", "run", "run", "[SEP]"]


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_its_two_ends_and_is_not_too_long(text: str) -> None:
    made = WordPiece(VOCABULARY, 12).ids(text)
    assert 2 <= len(made) <= 12
    assert (made[0], made[-1]) == (VOCABULARY["[CLS]"], VOCABULARY["[SEP]"])
    assert VOCABULARY["[CLS]"] not in made[1:]

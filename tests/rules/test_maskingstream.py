from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from itertools import pairwise
from time import perf_counter
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skillnb.rules.masking import Masker
from skillnb.rules.maskingstream import StreamMasker

SECRETS = {"password": "p w+%'\"&<é12", "word": "word", "longer": "word of 日本", "pin": "7", "odd": "x[secret:"}
ENCODINGS: tuple[Callable[[str], str], ...] = (
    str,
    lambda text: quote(text, safe=""),
    lambda text: json.dumps(text)[1:-1],
    lambda text: json.dumps(json.dumps(text))[3:-3],
    html.escape,
    lambda text: base64.b64encode(b"u:" + text.encode()).decode(),
    lambda text: "\x1b[31m".join(text),
    lambda text: text[:-1] + "…",
    lambda text: text[:-1],
    lambda _text: "[secret:word]",
)
MASKER = Masker(SECRETS)
pieces = st.one_of(
    st.builds(
        lambda secret, encode: encode(secret), st.sampled_from(sorted(SECRETS.values())), st.sampled_from(ENCODINGS)
    ),
    st.text(st.sampled_from("pwor x[secret:]%\\&25u0\n…"), max_size=6),
)
texts = st.lists(pieces, max_size=6).map("".join)


def streamed(masker: Masker, chunks: list[str]) -> str:
    stream = StreamMasker(masker)
    return "".join([*map(stream.feed, chunks), stream.end()])


@settings(deadline=None, max_examples=300)
@given(text=texts, data=st.data())
@example(text="x[secret:word]", data=None)
def test_wherever_a_text_is_cut_it_is_masked_as_the_whole(text: str, data: st.DataObject | None) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8))) if data else range(len(text))
    edges = [0, *cuts, len(text)]
    chunks = [text[start:stop] for start, stop in pairwise(edges)]
    assert MASKER.text(text) == streamed(MASKER, chunks)
    assert MASKER.text(text) == "".join(MASKER.pieces(chunks))
    assert MASKER.text(text) == streamed(MASKER, list(text))


@pytest.mark.parametrize("encode", ENCODINGS[:7])
def test_a_secret_over_two_chunks_is_masked_in_every_encoding(encode: Callable[[str], str]) -> None:
    written = encode(SECRETS["password"])
    for cut in range(len(written)):
        out = streamed(MASKER, ["a ", written[:cut], written[cut:], " b"])
        assert MASKER.found(out.encode()) == ()
        assert "[secret:password]" in out


def test_only_what_may_be_a_beginning_is_held_back() -> None:
    stream = StreamMasker(Masker({"p": "hunter22"}))
    assert [stream.feed(text) for text in ("hello h", "ello hunter", "22 hunter2", "3", " [secre", "t:p] [s", "?")] == [
        "hello ",
        "hello ",
        "[secret:p] ",
        "hunter23",
        " ",
        "[secret:p] ",
        "[s?",
    ]
    assert stream.end() == ""


def test_pieces_keep_their_own_text() -> None:
    masker = Masker({"p": "hunter22"})
    assert masker.pieces(["help", "x hunt", "er", "22", " y"]) == ["help", "x [secret:p]", "", "", " y"]
    assert masker.pieces(["h", "unter23"]) == ["h", "unter23"]


def test_two_megabytes_take_less_than_half_a_second() -> None:
    masker = Masker({"a": "pw12345!", "b": "Xy99!zzpq", "c": "käse & brot"})
    line = json.dumps({"cell": 'await page.get_by_label("Name").fill("x")\n\t%20', "n": 17}) + "\n"
    text = line * (2_000_000 // len(line))
    begun = perf_counter()
    assert masker.text(text) == text
    assert perf_counter() - begun < 0.5

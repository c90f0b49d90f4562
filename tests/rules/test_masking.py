from __future__ import annotations

import base64
import dataclasses
import html
import json
import pickle
import re
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from skillnb.codec import canonical, decode
from skillnb.rules.masking import Masker
from skillnb.terms.cascade import Happened, Move
from skillnb.terms.outcome import Outcome, Path, Verdict
from skillnb.terms.record import Evidence, StepResult
from skillnb.terms.trace import RunStarted

ENCODINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "percent": lambda text: quote(text, safe=""),
    "percent, lower case": lambda text: quote(text, safe="").lower() if text == text.lower() else quote(text),
    "percent, twice": lambda text: quote(quote(text, safe=""), safe=""),
    "form": quote_plus,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON, UTF-8": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "JSON in JSON": lambda text: json.dumps(json.dumps(text))[3:-3],
    "JSON, every character": lambda text: "".join(
        f"\\u{int.from_bytes(text.encode('utf-16-be')[at : at + 2], 'big'):04X}"
        for at in range(0, len(text.encode("utf-16-be")), 2)
    ),
    "HTML": lambda text: html.escape(text),
    "HTML in decimal": lambda text: "".join(f"&#{ord(mark)};" for mark in text),
    "HTML in hexadecimal": lambda text: "".join(f"&#x{ord(mark):X};" for mark in text),
    "Python": lambda text: repr(text)[1:-1],
}
secrets = st.text(st.sampled_from("aB3 /+&%\"'\\<>=?é日😀-_.~!"), min_size=4, max_size=12).filter(
    lambda text: text == text.strip() and len(text) >= 4
)
plain_text = st.text(st.sampled_from("xyz \n{}[]:,0"), max_size=20)


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=60)
@given(secret=secrets, before=plain_text, after=plain_text)
def test_no_secret_survives(encoding: str, secret: str, before: str, after: str) -> None:
    masker = Masker({"password": secret})
    written = before + ENCODINGS[encoding](secret) + after
    masked = masker.text(written)
    assert before + "[secret:password]" + after == masked
    assert masker.found(written.encode()) == ("password",)
    assert masker.found(masked.encode()) == ()


@settings(deadline=None)
@given(secret=secrets, before=st.binary(max_size=7), after=st.binary(max_size=7), urlsafe=st.booleans())
def test_no_secret_survives_in_base64(secret: str, before: bytes, after: bytes, urlsafe: bool) -> None:
    data = before + secret.encode() + after
    written = (base64.urlsafe_b64encode if urlsafe else base64.b64encode)(data).decode()
    masker = Masker({"password": secret})
    masked = masker.text(f'<img src="data:x;base64,{written}">')
    assert "[secret:password]" in masked
    assert masker.found(written.encode()) == ("password",)
    assert masker.found(masked.encode()) == ()


@settings(deadline=None)
@given(st.text(st.sampled_from("xyz \n\\%&;#0")), secrets)
def test_text_without_the_secret_is_unchanged(text: str, secret: str) -> None:
    assume(any(mark not in text and mark in "aB3é日😀" for mark in secret))
    assert Masker({"password": secret}).text(text) == text


@given(st.text(), st.text(max_size=3))
def test_a_short_secret_never_changes_text(text: str, secret: str) -> None:
    masker = Masker({"pin": secret})
    assert masker.text(text) == text
    assert masker.found(text.encode("utf-8", "surrogatepass")) == ()


def test_a_short_secret_is_masked_as_a_whole_json_string_only() -> None:
    value = {"pin": "1", "page": 1, "text": "11 of 1", "list": ["1", ("1",)], "1": None}
    assert Masker({"pin": "1"}).json(value) == {
        "pin": "[secret:pin]",
        "page": 1,
        "text": "11 of 1",
        "list": ["[secret:pin]", ("[secret:pin]",)],
        "[secret:pin]": None,
    }


def test_json_masks_keys_and_values_and_keeps_both_of_two_equal_keys() -> None:
    masker = Masker({"a": "hunter22", "b": "pass word"})
    assert masker.json({"hunter22": ["x hunter22"], "hunter%32%32": True, "n": 1.5, "z": None}) == {
        "[secret:a]": ["x [secret:a]"],
        "[secret:a] 2": True,
        "n": 1.5,
        "z": None,
    }


def test_the_longest_secret_wins_where_secrets_overlap() -> None:
    masker = Masker({"short": "hunter", "long": "hunter22", "other": "22 and more"})
    assert masker.text("hunter22 hunter") == "[secret:long] [secret:short]"
    assert masker.text("hunter22 and more") == "[secret:other]"


def test_white_space_that_a_page_folds_does_not_hide_a_secret() -> None:
    masker = Masker({"phrase": "correct  horse\nbattery"})
    assert masker.text("x correct horse battery y") == "x [secret:phrase] y"


def test_other_accents_do_not_hide_a_secret() -> None:
    assert Masker({"p": "caf\u00e9s"}).text("cafe\u0301s") == "[secret:p]"


@pytest.mark.parametrize("secret", ["secret", "secret:p", "[secret:p]", "cret", "password"])
def test_masking_twice_changes_nothing_even_when_the_secret_is_a_word_of_the_mark(secret: str) -> None:
    masker = Masker({"p": secret, "password": "hunter22"})
    once = masker.text(f"a {secret} b hunter22")
    assert once == "a [secret:p] b [secret:password]"
    assert masker.text(once) == once
    assert masker.found(once.encode()) == ()


def test_empty_and_blank_secrets_mask_nothing() -> None:
    assert Masker({"a": "", "b": "     "}).text("x     y") == "x     y"


def test_bytes_of_other_encodings_are_searched_too() -> None:
    masker = Masker({"p": "caf\u00e9s"})
    assert masker.found("caf\u00e9s".encode("latin-1")) == ("p",)
    assert masker.found(b"\xff\x00caf\xc3\xa9s\xfe") == ("p",)


def test_a_masker_shows_and_pickles_nothing() -> None:
    masker = Masker({"p": "hunter22"})
    assert repr(masker) == "Masker(1 secrets)"
    with pytest.raises(TypeError, match="never pickled"):
        pickle.dumps(masker)


def test_colours_of_a_terminal_do_not_hide_a_secret() -> None:
    masker = Masker({"p": "tok-42&x"})
    coloured = "x = \x1b[33mtok\x1b[39m-\x1b[38;5;9m42\x1b[0m\x1b[39m&x\x1b[39m"
    assert masker.text(coloured) == "x = \x1b[33m[secret:p]\x1b[39m"
    assert masker.found(json.dumps(coloured).encode()) == ("p",)


@pytest.mark.parametrize("shown", ["hunt…", "hunter2…", "x hunter2... y", 'saw "x hunter…"', "%68unt…"])
def test_what_is_left_of_a_secret_before_a_mark_of_omission_is_masked(shown: str) -> None:
    assert "hunt" not in Masker({"p": "hunter22"}).text(shown)
    assert re.search(r"\[secret:p\](…|\.\.\.)", Masker({"p": "hunter22"}).text(shown))


@pytest.mark.parametrize("shown", ["hun…", "hunter2", "hunter2 …", "more … hunt"])
def test_what_tells_nothing_is_left_alone(shown: str) -> None:
    assert Masker({"p": "hunter22"}).text(shown) == shown


def test_base64_of_json_and_folded_base64_are_found() -> None:
    masker = Masker({"p": 'a"b\\c日d'})
    token = base64.b64encode(json.dumps({"u": "me", "p": 'a"b\\c日d'}).encode()).decode()
    folded = base64.encodebytes(b"x" * 50 + 'a"b\\c日d'.encode() + b"y" * 50).decode()
    assert [masker.found(text.encode()) for text in (token, folded, json.dumps(folded))] == [("p",)] * 3


def test_a_term_keeps_its_words_and_loses_the_secrets_in_its_texts() -> None:
    result = StepResult(
        step="passed",
        workflow="shop/code",
        outcome=Outcome.PASSED,
        path=Path.CODE,
        failure=None,
        reason="it passed with hunter22",
        seconds=1.0,
        tokens=0,
        gates=(),
        happened=(Happened(move=Move.CODE, verdict=Verdict.PASSED, reason="code"),),
        evidence=Evidence(url="http://x/?q=hunter%32%32", snapshot="sha256:" + "1234" * 16),
    )
    masked = Masker({"word": "passed", "other": "code", "p": "hunter22", "pin": "1234"}).term(result)
    assert masked == dataclasses.replace(
        result,
        reason="it [secret:word] with [secret:p]",
        happened=(Happened(move=Move.CODE, verdict=Verdict.PASSED, reason="[secret:other]"),),
        evidence=Evidence(url="http://x/?q=[secret:p]", snapshot="sha256:" + "1234" * 16),
    )
    assert decode(StepResult, canonical(masked), "here") == masked


def test_secrets_learnt_later_are_masked_from_then_on() -> None:
    masker = Masker({"p": "hunter22"})
    assert masker.learn({"p": "other word", "again": "hunter22", "blank": " "}) == {"p": "other word"}
    assert masker.text("hunter22, other word") == "[secret:p], [secret:p 2]"


def test_an_environment_without_what_holds_a_secret() -> None:
    masker = Masker({"p": "usr/bin", "pin": "7"})
    given = {"PATH": "/usr/bin", "URL": "http://me:usr%2Fbin@x", "PIN": "7", "PINS": "77", "HOME": "usr/bin"}
    assert masker.without(given, frozenset({"PATH", "HOME"})) == {"PATH": "/usr/bin", "PINS": "77"}


def test_parameters_in_a_term_stay_json_and_keep_their_names() -> None:
    started = RunStarted(
        workflow="shop/x",
        version=1,
        version_id="",
        calls=(),
        parameters=canonical({"password": "[secret]", "step": "a hunter22", "quoted": '"x"'}),
        base_url="",
        task_type="",
        site="shop",
        options=(),
        machine="",
        path="",
        resumes="",
    )
    masked = Masker({"p": "hunter22", "word": "password", "odd": '","quoted":"'}).term(started)
    assert json.loads(masked.parameters) == {"password": "[secret]", "step": "a [secret:p]", "quoted": '"x"'}

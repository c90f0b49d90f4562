from __future__ import annotations

import base64
import json

from skillnb.codec import decode
from skillnb.rules.bundles import gate_bundle
from skillnb.rules.masking import Masker
from skillnb.rules.outputs import masked_outputs
from skillnb.terms.gate import Gate, GateKind, GateResult, Moment
from skillnb.terms.outcome import Verdict

MASK = Masker({"p": "hunter22", "word": "error", "kind": "stdout", "verdict": "failed"})


def stream(text: str, name: str = "stdout") -> dict[str, object]:
    return {"output_type": "stream", "name": name, "text": text}


def shown(**data: object) -> dict[str, object]:
    return {"output_type": "display_data", "metadata": {}, "data": data}


def test_one_stream_is_one_text_whatever_stands_between() -> None:
    given = [stream("a hun"), shown(plain="x"), stream("hun", "stderr"), stream("ter22 b"), stream("ter22", "stderr")]
    assert [output.get("text") for output in masked_outputs(given, MASK)] == [
        "a [secret:p]",
        None,
        "[secret:p]",
        " b",
        "",
    ]


def test_words_of_the_format_stay() -> None:
    given = [
        stream("stdout"),
        {"output_type": "error", "ename": "E", "evalue": "an error", "traceback": ["error", "x"]},
    ]
    assert masked_outputs(given, MASK) == [
        stream("[secret:kind]"),
        {"output_type": "error", "ename": "E", "evalue": "an [secret:word]", "traceback": ["[secret:word]", "x"]},
    ]


def test_a_secret_over_two_lines_of_a_traceback_is_masked() -> None:
    given = {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["at one", "two", "end"]}
    [masked] = masked_outputs([given], Masker({"p": "one\ntwo"}))
    assert masked["traceback"] == ["at [secret:p]", "", "end"]


def test_results_stay_readable() -> None:
    result = GateResult(
        gate=Gate(kind=GateKind.TEXT, expression='gate.text(contains="hunter22")'),
        moment=Moment.POST,
        verdict=Verdict.FAILED,
        expected="hunter22",
        actual="an error",
        seconds=0.1,
    )
    [masked] = masked_outputs([shown(**gate_bundle(result))], MASK)
    kept = decode(GateResult, json.dumps(masked["data"]["application/vnd.skillnb.gate.v1+json"]), "here")
    assert (kept.verdict, kept.expected, kept.actual) == (Verdict.FAILED, "[secret:p]", "an [secret:word]")


def test_pictures_are_searched_as_bytes_and_not_as_base64() -> None:
    picture = base64.b64encode(b"\x89PNG\x00\x01 some bytes").decode()
    leaking = base64.b64encode(b"\x89PNG tEXt hunter22 \x00").decode()
    [masked] = masked_outputs([shown(**{"image/png": picture, "image/gif": leaking})], MASK)
    assert masked["data"]["image/png"] == picture
    assert base64.b64decode(masked["data"]["image/gif"]) == b"[secret:p]"

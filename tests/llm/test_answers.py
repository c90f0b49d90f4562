from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.llm.answers import fitting
from skillnb.llm.protocol import ModelFailed
from skillnb.testing.chats.contract import CHOICE

ANY: dict[str, object] = {"type": "object"}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=5), json_values, max_size=4), st.booleans())
def test_an_object_fits_as_it_is_and_in_a_fenced_block(value: dict[str, object], fenced: bool) -> None:
    text = json.dumps(value)
    assert fitting(f"\n```json\n{text}\n```\n" if fenced else f" {text}\n", ANY) == text


@settings(deadline=None)
@given(st.text())
def test_any_text_is_an_answer_or_malformed(text: str) -> None:
    try:
        assert isinstance(json.loads(fitting(text, ANY)), dict)
    except ModelFailed as failed:
        assert failed.kind == "malformed"  # noqa: PT017 - either outcome is right


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"element": "link"}', r"\$\.element: 'link' is not one of"),
        ("{}", "'element' is a required property"),
        ('{"element": NaN}', "NaN is no number of JSON"),
        ('{"a": 1, "a": 2}', "a key is given twice"),
        ("[]", "not a JSON object"),
        ('{"a": 1} and more', "not JSON"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_does_not_fit_is_told(text: str, problem: str) -> None:
    with pytest.raises(ModelFailed, match=problem) as told:
        fitting(text, CHOICE)
    assert len(told.value.message) < 700


@pytest.mark.parametrize("schema", [{"type": "thing"}, {"$ref": "https://elsewhere.example/schema"}])
def test_a_schema_that_is_none_is_a_mistake_of_ours_and_nothing_is_fetched(schema: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not a JSON schema"):
        fitting("{}", schema)

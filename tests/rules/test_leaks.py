from __future__ import annotations

import json

import pytest

from skillnb.rules.leaks import free_texts, is_word


def test_lists_of_lines_are_put_together() -> None:
    assert free_texts(b'{"source": ["a\\n", "b"]}') == ["a\nb", "a\n\nb"]


def test_words_numbers_digests_times_and_names_of_steps_are_no_free_texts() -> None:
    value = {
        "step": "log-in",
        "verdict": "passed",
        "screenshot": "sha256:" + "ab" * 32,
        "iopub": {"seconds": 1234.5},
        "reason": "why",
        "at": "2026-01-01T00:00:00.000000Z",
        "data": {"application/json": {"own key": "2026-01-01T00:00:00Z"}},
    }
    assert free_texts(json.dumps(value).encode()) == ["iopub", "why", "own key"]


def test_json_lines_are_read_line_by_line() -> None:
    assert free_texts(b'{"reason":"a"}\n{"reason":"b"}\n') == ["a", "b"]


@pytest.mark.parametrize("data", [b"\xff\xd8", b"not json", b'{"torn": '])
def test_other_bytes_have_none(data: bytes) -> None:
    assert free_texts(data) is None


def test_a_secret_can_be_a_word_of_ours() -> None:
    assert (is_word("passed"), is_word("hunter22")) == (True, False)

from __future__ import annotations

from skillnb.rules.nearest import did_you_mean, nearest


def test_finds_the_word_that_was_meant() -> None:
    assert nearest("Visibel", ["visible", "value"]) == "visible"
    assert nearest("zzz", ["visible", "value"]) == ""


def test_lists_the_words_when_none_is_near() -> None:
    assert did_you_mean("vlaue", ["visible", "value"]) == "did you mean 'value'?"
    assert did_you_mean("zzz", ["visible", "value"]) == "known: value, visible"
    assert did_you_mean("zzz", []) == "known: none"

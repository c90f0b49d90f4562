"""An answer is asked for once, and only the very same question finds it."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest

from skillnb.llm.cached import CachedChat
from skillnb.llm.protocol import ModelFailed, Reply
from skillnb.testing.chats.contract import CHOICE, NESTED
from skillnb.testing.chats.filling import filled
from skillnb.testing.chats.scripted import ScriptedChat

ONE = {"model": "one", "url": "http://127.0.0.1:1/v1"}


def asked(
    inner: ScriptedChat,
    folder: Path,
    user: str = "u",
    schema: dict[str, object] = CHOICE,
    identity: dict[str, str] = ONE,
    system: str = "s",
) -> Reply:
    return asyncio.run(CachedChat(inner, folder, identity).ask(system, user, schema, seconds=5))


def test_the_second_answer_is_the_first_and_says_so(tmp_path: Path) -> None:
    inner = ScriptedChat(filled)
    first, second = asked(inner, tmp_path), asked(inner, tmp_path)
    assert not first.cached
    assert second == Reply(first.text, 0, 0, cost=0.0, cached=True)
    assert len(inner.asked) == 1
    [path] = tmp_path.rglob("*.json")
    assert json.loads(path.read_text()) == {"answer": first.text}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_every_part_of_the_question_counts(tmp_path: Path) -> None:
    inner = ScriptedChat(filled)
    asked(inner, tmp_path)
    asked(inner, tmp_path, user="other")
    asked(inner, tmp_path, system="other")
    asked(inner, tmp_path, schema=NESTED)
    asked(inner, tmp_path, identity=ONE | {"model": "two"})
    asked(inner, tmp_path, identity=ONE | {"url": "http://127.0.0.1:2/v1"})
    asked(inner, tmp_path, user="s", system="u")
    assert len(inner.asked) == 7


@pytest.mark.parametrize(
    "torn", ["", '{"answer": "{', "[]", '{"answer": 3}', '{"answer": "{\\"element\\": \\"no\\"}"}']
)
def test_an_answer_that_is_none_is_asked_for_anew(tmp_path: Path, torn: str) -> None:
    inner = ScriptedChat(filled)
    first = asked(inner, tmp_path)
    [path] = tmp_path.rglob("*.json")
    path.write_text(torn)
    assert asked(inner, tmp_path) == first
    assert len(inner.asked) == 2
    assert asked(inner, tmp_path).cached


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ModelFailed):
        asked(ScriptedChat([]), tmp_path)
    assert list(tmp_path.rglob("*")) == []

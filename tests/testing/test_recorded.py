"""Recorded answers are played to the very questions they were given to, and to no others."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from skillnb.llm.protocol import ModelFailed, Reply
from skillnb.testing.chats.contract import CHOICE, NESTED
from skillnb.testing.chats.filling import filled
from skillnb.testing.chats.recorded import NotRecorded, RecordedChat
from skillnb.testing.chats.scripted import ScriptedChat


def asked(chat: RecordedChat | ScriptedChat, user: str, schema: dict[str, object] = CHOICE) -> Reply:
    return asyncio.run(chat.ask("s", user, schema, seconds=5))


def test_what_was_recorded_is_played_without_asking(tmp_path: Path) -> None:
    path, inner = tmp_path / "deep" / "record.jsonl", ScriptedChat(filled)
    recorder = RecordedChat(path, inner)
    first = asked(recorder, "one\u2028\n")
    assert asked(recorder, "one\u2028\n") == first
    assert asked(RecordedChat(path), "one\u2028\n") == first
    assert len(inner.asked) == 1
    assert len(path.read_text("utf-8").split("\n")) == 2


def test_another_question_is_refused_and_the_nearest_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    asked(RecordedChat(path, ScriptedChat(filled)), "first line\nsecond line")
    with pytest.raises(NotRecorded) as told:
        asked(RecordedChat(path), "first line\nanother line")
    assert "-second line\n+another line" in str(told.value)
    assert not isinstance(told.value, ModelFailed)
    with pytest.raises(NotRecorded, match="the nearest of 1 differs"):
        asked(RecordedChat(path), "first line\nsecond line", NESTED)
    with pytest.raises(NotRecorded, match="nothing is recorded"):
        asked(RecordedChat(tmp_path / "none.jsonl"), "first line")


def test_an_edited_record_is_held_to_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    asked(RecordedChat(path, ScriptedChat(filled)), "one")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"answer": '{"element": "none of them"}'}) + "\n")
    with pytest.raises(ModelFailed, match="does not fit"):
        asked(RecordedChat(path), "one")


def test_a_scripted_chat_remembers_and_runs_out() -> None:
    chat = ScriptedChat(['{"element": "button \\"Delete\\""}'], small=True)
    assert json.loads(asked(chat, "which?").text) == {"element": 'button "Delete"'}
    assert [(each.user, each.schema) for each in chat.asked] == [("which?", CHOICE)]
    with pytest.raises(ModelFailed, match="has 1 replies, and this is question 2"):
        asked(chat, "and now?")
    with pytest.raises(ModelFailed, match="does not fit"):
        asked(ScriptedChat(["{}"]), "which?")

from __future__ import annotations

import asyncio
import json

import pytest

from skillnb.agent.judge import judge
from skillnb.llm.protocol import ModelFailed
from skillnb.rules.judging import Case
from skillnb.terms.judgement import Judged
from skillnb.testing.chats.scripted import ScriptedChat
from tests.pages import page

CASE = Case("t-1", "Save it", ("click Save",), "Done (really)", page("- status [ref=e1]: Saved"))


def test_a_judge_is_asked_once_and_named_with_its_slash() -> None:
    said = json.dumps({"verdict": "success", "evidence": ["final-page"], "reason": "it says so"})
    chat = ScriptedChat([said], name="family/judge:1")
    made, use = asyncio.run(judge(CASE, chat, lambda text: text, seconds=5))
    assert (made.verdict, made.judge, made.evidence) == (Judged.SUCCESS, "family/judge:1", ("final-page",))
    assert (use.calls, use.model, len(chat.asked)) == (1, "family/judge:1", 1)
    assert "Done (really)" in chat.asked[0].user


@pytest.mark.parametrize("kind", ["unreachable", "timeout", "malformed", "limit", "refused"])
def test_a_judge_that_fails_has_said_nothing(kind: str) -> None:
    def fails(*_: object) -> str:
        raise ModelFailed(kind, "for this test", prompt_tokens=3)

    made, use = asyncio.run(judge(CASE, ScriptedChat(fails), lambda text: text, seconds=5))
    assert (made.verdict, use.prompt_tokens) == (Judged.UNKNOWN, 3)
    assert kind in made.reason


def test_an_empty_answer_is_unknown() -> None:
    made, _ = asyncio.run(judge(CASE, ScriptedChat([""]), lambda text: text, seconds=5))
    assert made.verdict is Judged.UNKNOWN

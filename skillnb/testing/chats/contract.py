"""What every chat keeps to, real or not: run each of CHECKS on it."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Awaitable, Callable
from typing import Any

from skillnb.llm.answers import fitting
from skillnb.llm.protocol import Chat, ModelFailed, Reply

__all__ = [
    "answers_the_same_question_twice",
    "answers_two_at_once",
    "answers_with_nested_objects",
    "answers_with_one_of_the_choices",
    "CHECKS",
    "CHOICE",
    "NESTED",
    "says_what_it_is",
    "SYSTEM",
    "takes_any_text",
    "without_time_it_does_not_answer",
]

SYSTEM = "Answer with one JSON object."
CHOICE: dict[str, object] = {
    "type": "object",
    "properties": {"element": {"enum": ['button "Füge hinzu" (1)', 'button "Delete"', 'link "a\\b"']}},
    "required": ["element"],
    "additionalProperties": False,
}
NESTED: dict[str, object] = {
    "type": "object",
    "properties": {
        "done": {"type": "boolean"},
        "steps": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {"verb": {"enum": ["click", "fill"]}},
                "required": ["verb"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["done", "steps"],
    "additionalProperties": False,
}
_LIMIT = 300.0
"""A small model on a busy machine."""


def _sound(reply: Reply, schema: dict[str, object]) -> Any:
    assert fitting(reply.text, schema) == reply.text.strip()
    assert reply.prompt_tokens >= 0
    assert reply.completion_tokens >= 0
    assert reply.cost is None or reply.cost >= 0
    assert not reply.cached or (reply.prompt_tokens, reply.completion_tokens, reply.cost) == (0, 0, 0)
    return json.loads(reply.text)


async def says_what_it_is(chat: Chat) -> None:
    assert chat.name.strip() == chat.name != ""
    assert chat.small in (True, False)


async def answers_with_one_of_the_choices(chat: Chat) -> None:
    question = copy.deepcopy(CHOICE)
    answer = _sound(await chat.ask(SYSTEM, "Which one deletes?", question, seconds=_LIMIT), CHOICE)
    assert set(answer) == {"element"}
    assert question == CHOICE


async def answers_with_nested_objects(chat: Chat) -> None:
    answer = _sound(await chat.ask(SYSTEM, "Plan: press Delete.", NESTED, seconds=_LIMIT), NESTED)
    assert {step["verb"] for step in answer["steps"]} <= {"click", "fill"}


async def answers_the_same_question_twice(chat: Chat) -> None:
    for _ in range(2):
        _sound(await chat.ask(SYSTEM, "Which one adds?", CHOICE, seconds=_LIMIT), CHOICE)


async def answers_two_at_once(chat: Chat) -> None:
    first, second = await asyncio.gather(
        chat.ask(SYSTEM, "Which one is a link?", CHOICE, seconds=_LIMIT),
        chat.ask(SYSTEM, "Plan: fill in a name.", NESTED, seconds=_LIMIT),
    )
    _sound(first, CHOICE)
    _sound(second, NESTED)


async def takes_any_text(chat: Chat) -> None:
    _sound(await chat.ask("", 'Ü "quoted" \\ {"a": [1]}\n\t\u2028 </s> 漢字 🙂', CHOICE, seconds=_LIMIT), CHOICE)


async def without_time_it_does_not_answer(chat: Chat) -> None:
    for seconds in (0.0, -1.0):
        assert await _failure(chat, seconds) == "timeout"


async def _failure(chat: Chat, seconds: float) -> str:
    try:
        await chat.ask(SYSTEM, f"Too late by {seconds}?", CHOICE, seconds=seconds)
    except ModelFailed as failed:
        return failed.kind
    return ""


CHECKS: tuple[Callable[[Chat], Awaitable[None]], ...] = (
    says_what_it_is,
    answers_with_one_of_the_choices,
    answers_with_nested_objects,
    answers_the_same_question_twice,
    answers_two_at_once,
    takes_any_text,
    without_time_it_does_not_answer,
)

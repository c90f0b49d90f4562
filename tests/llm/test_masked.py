"""No secret leaves, and none comes back."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.llm.cached import CachedChat
from skillnb.llm.compatible import CompatibleChat, Endpoint
from skillnb.llm.masked import MaskedChat
from skillnb.llm.protocol import ModelFailed, Reply
from skillnb.rules.masking import Masker
from skillnb.testing.chats.filling import filled
from skillnb.testing.chats.scripted import ScriptedChat
from skillnb.testing.chats.wire import wired

SECRET = "hunter2-é"
MASKER = Masker({"password": SECRET})
TEXT: dict[str, object] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


def asked(chat: ScriptedChat, *, system: str = "", user: str = "", schema: dict[str, object] = TEXT) -> Reply:
    return asyncio.run(MaskedChat(chat, MASKER).ask(system, user, schema, seconds=5))


def test_prompts_and_words_of_the_schema_are_masked() -> None:
    schema: dict[str, object] = {
        "type": "object",
        "title": f"With {SECRET}",
        "properties": {"element": {"enum": [f'button "{SECRET}"', "link"], "description": SECRET}},
        "required": ["element"],
    }
    inner = ScriptedChat(filled)
    reply = asked(inner, system=f"is {SECRET}", user="and hunter2-%C3%A9", schema=schema)
    assert inner.asked[0].system == "is [secret:password]"
    assert inner.asked[0].user == "and [secret:password]"
    assert json.loads(reply.text) == {"element": 'button "[secret:password]"'}
    assert MASKER.found(json.dumps(inner.asked[0].schema).encode()) == ()


@pytest.mark.parametrize(
    "said",
    [SECRET, "hunter2-\\u00e9", "\\u0068unter2-é", "aHVudGVyMi3DqQ==", "hunter2-%C3%A9", f"it is {SECRET}!"],
)
def test_an_answer_brings_no_secret_back(said: str) -> None:
    reply = asked(ScriptedChat([f'{{"text": "{said}"}}']))
    assert "[secret:password]" in json.loads(reply.text)["text"]
    assert MASKER.found(reply.text.encode()) == ()


def test_a_mark_in_an_answer_stays_a_mark() -> None:
    assert asked(ScriptedChat(['{"text": "[secret:password]"}'])).text == '{"text": "[secret:password]"}'


def test_a_secret_number_in_an_answer_is_refused() -> None:
    chat = MaskedChat(ScriptedChat(['{"text": 48151623}']), Masker({"pin": "48151623"}))
    with pytest.raises(ModelFailed) as told:
        asyncio.run(chat.ask("", "", {"type": "object"}, seconds=5))
    assert told.value.kind == "refused"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {SECRET: {"type": "string"}}},
        {"type": "object", "required": [SECRET]},
        {"type": "object", "properties": {"a": {"enum": [SECRET, "hunter2-%C3%A9"]}}},
        {"type": "object", "properties": {"a": {"pattern": SECRET}}},
    ],
)
def test_a_schema_that_masked_would_mean_something_else_is_not_asked(schema: dict[str, object]) -> None:
    inner = ScriptedChat(filled)
    with pytest.raises(ModelFailed) as told:
        asked(inner, schema=schema)
    assert told.value.kind == "refused"
    assert inner.asked == []
    assert SECRET not in str(told.value)


def test_a_failure_that_quotes_a_secret_is_masked_and_keeps_its_tokens() -> None:
    def fail(system: str, user: str, schema: dict[str, object]) -> str:
        raise ModelFailed("refused", f"you said {SECRET}", prompt_tokens=7, cost=None)

    with pytest.raises(ModelFailed, match=r"you said \[secret:password\]") as told:
        asked(ScriptedChat(fail))
    assert (told.value.prompt_tokens, told.value.cost) == (7, None)
    assert told.value.__cause__ is None
    assert told.value.__suppress_context__


def test_outermost_nothing_unmasked_reaches_wire_or_disk(tmp_path: Path) -> None:
    async def ask() -> None:
        chat = CompatibleChat(Endpoint(wire.url, "some-model", ""))
        masked = MaskedChat(CachedChat(chat, tmp_path, {"model": "some-model"}), MASKER)
        for _ in range(2):
            await masked.ask(SECRET, SECRET, TEXT, seconds=5)
        await chat.close()

    with wired(lambda system, user, schema: json.dumps({"text": f"{user} {SECRET}"})) as wire:
        asyncio.run(ask())
    assert len(wire.asked) == 1
    assert MASKER.found(json.dumps(wire.asked).encode()) == ()


@settings(deadline=None)  # a secret's patterns are compiled when they are first used
@given(
    st.text(min_size=4, max_size=12).filter(lambda text: text.strip() != ""), st.text(max_size=20), st.text(max_size=20)
)
def test_whatever_the_secret_it_is_not_asked_with_it(secret: str, before: str, after: str) -> None:
    masker = Masker({"it": secret})
    inner = ScriptedChat(lambda system, user, schema: json.dumps({"text": f"{before}{secret}{after}"}))
    chat = MaskedChat(inner, masker)
    try:
        said = asyncio.run(chat.ask(before + secret, secret + after, TEXT, seconds=5)).text
    except ModelFailed as failed:
        said = failed.message
    assert masker.found(said.encode("utf-8", "surrogatepass")) == ()
    for each in inner.asked:
        assert masker.text(each.system) == each.system
        assert masker.text(each.user) == each.user

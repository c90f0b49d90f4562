"""Every chat, real or not, keeps to one contract."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import date
from pathlib import Path

import pytest

from skillnb.llm.bounded import BoundedChat
from skillnb.llm.cached import CachedChat
from skillnb.llm.compatible import CompatibleChat, Endpoint
from skillnb.llm.daybook import Daybook
from skillnb.llm.limits import Limits
from skillnb.llm.masked import MaskedChat
from skillnb.llm.protocol import Chat
from skillnb.rules.masking import Masker
from skillnb.testing.chats.contract import CHECKS
from skillnb.testing.chats.filling import filled
from skillnb.testing.chats.recorded import RecordedChat
from skillnb.testing.chats.scripted import ScriptedChat
from skillnb.testing.chats.wire import wired


@asynccontextmanager
async def compatible(folder: Path) -> AsyncIterator[Chat]:
    with wired() as wire:
        chat = CompatibleChat(Endpoint(wire.url, "some-model", "a key"))
        try:
            yield chat
        finally:
            await chat.close()


@asynccontextmanager
async def scripted(folder: Path) -> AsyncIterator[Chat]:
    yield ScriptedChat(filled)


@asynccontextmanager
async def recording(folder: Path) -> AsyncIterator[Chat]:
    yield RecordedChat(folder / "record.jsonl", ScriptedChat(filled))


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[Chat]:
    """What is asked was recorded by running the whole contract once."""
    recorder = RecordedChat(folder / "record.jsonl", ScriptedChat(filled))
    for check in CHECKS:
        await check(recorder)
    yield RecordedChat(folder / "record.jsonl")


@asynccontextmanager
async def cached(folder: Path) -> AsyncIterator[Chat]:
    yield CachedChat(ScriptedChat(filled), folder / "cache", {"model": "scripted"})


@asynccontextmanager
async def masked(folder: Path) -> AsyncIterator[Chat]:
    yield MaskedChat(ScriptedChat(filled), Masker({"password": "quoted", "word": "Plan: "}))


@asynccontextmanager
async def bounded(folder: Path) -> AsyncIterator[Chat]:
    book = Daybook(folder / "book", lambda: date(2026, 3, 1))
    plenty = Limits(calls=100, tokens=10_000, dollars=1.0, seconds=60.0)
    yield BoundedChat(
        ScriptedChat(filled), step=plenty, run=plenty, day=plenty, daybook=book, most=lambda size: size / 1e6
    )


@asynccontextmanager
async def all_of_them(folder: Path) -> AsyncIterator[Chat]:
    async with compatible(folder) as chat:
        within = BoundedChat(chat, run=Limits(calls=100))
        yield MaskedChat(CachedChat(within, folder / "cache", {"model": "some"}), Masker({"password": "xyzzy"}))


CHATS: tuple[Callable[[Path], AbstractAsyncContextManager[Chat]], ...] = (
    compatible,
    scripted,
    recording,
    playing,
    cached,
    masked,
    bounded,
    all_of_them,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("opened", CHATS, ids=lambda opened: opened.__name__)
def test_it_keeps_to_the_contract(
    opened: Callable[[Path], AbstractAsyncContextManager[Chat]],
    check: Callable[[Chat], Awaitable[None]],
    tmp_path: Path,
) -> None:
    async def checked() -> None:
        async with opened(tmp_path) as chat:
            await check(chat)

    asyncio.run(checked())

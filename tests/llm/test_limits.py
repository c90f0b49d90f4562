"""Limits hold: of a step, a run and a day, with a price and without, after a kill and with many at once."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from skillnb.llm.bounded import BoundedChat
from skillnb.llm.daybook import Daybook
from skillnb.llm.limits import Limits, Usage
from skillnb.llm.protocol import Chat, ModelFailed, Reply
from skillnb.testing.chats.contract import CHOICE
from skillnb.testing.chats.filling import filled
from skillnb.testing.chats.scripted import ScriptedChat

DAY = date(2026, 3, 1)


class Costly:
    """Answers after a moment and tells a cost."""

    name, small = "costly", False

    def __init__(self, cost: float | None, wait: float = 0.0) -> None:
        self.cost, self.wait, self.asked = cost, wait, 0

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        self.asked += 1
        if self.wait > seconds:
            await asyncio.sleep(seconds)
            raise ModelFailed("timeout", "too slow", cost=self.cost)
        await asyncio.sleep(self.wait)
        return Reply(filled(system, user, schema), 10, 5, self.cost)


def asked(chat: Chat, times: int, seconds: float = 5.0) -> list[str]:
    """The kind of each outcome; empty for an answer."""

    async def ask() -> list[str]:
        kinds = []
        for _ in range(times):
            try:
                await chat.ask("", "", CHOICE, seconds=seconds)
                kinds.append("")
            except ModelFailed as failed:
                kinds.append(failed.kind)
        return kinds

    return asyncio.run(ask())


def book(folder: Path) -> Daybook:
    return Daybook(folder, lambda: DAY)


def test_calls_of_a_step_and_of_a_run_are_counted_apart() -> None:
    inner = ScriptedChat(filled)
    chat = BoundedChat(inner, step=Limits(calls=2), run=Limits(calls=3))
    assert asked(chat, 3) == ["", "", "limit"]
    chat.begin_step()
    assert asked(chat, 2) == ["", "limit"]
    assert len(inner.asked) == 3


def test_a_call_that_fails_counts() -> None:
    chat = BoundedChat(ScriptedChat([]), run=Limits(calls=2))
    assert asked(chat, 3) == ["unreachable", "unreachable", "limit"]


def test_tokens_are_counted_and_the_one_that_crosses_is_the_last() -> None:
    chat = BoundedChat(Costly(None), run=Limits(tokens=20))
    assert asked(chat, 3) == ["", "", "limit"]
    assert chat.used_in_run.tokens == 30
    assert chat.used_in_run.unpriced == 2


def test_dollars_are_never_passed() -> None:
    inner = Costly(0.4)
    chat = BoundedChat(inner, run=Limits(dollars=1.0), most=lambda size: 0.5)
    assert asked(chat, 3) == ["", "", "limit"]
    assert chat.used_in_run.dollars == pytest.approx(0.8)


def test_dollars_are_never_passed_by_many_at_once() -> None:
    inner = Costly(0.5, wait=0.1)
    chat = BoundedChat(inner, run=Limits(dollars=1.0), most=lambda size: 0.5)

    async def many() -> list[object]:
        return await asyncio.gather(*(chat.ask("", "", CHOICE, seconds=5) for _ in range(5)), return_exceptions=True)

    outcomes = asyncio.run(many())
    assert sum(isinstance(each, Reply) for each in outcomes) == 2
    assert inner.asked == 2


def test_a_limit_that_could_not_be_kept_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="needs a price"):
        BoundedChat(Costly(None), run=Limits(dollars=1.0))
    with pytest.raises(ValueError, match="needs a daybook"):
        BoundedChat(Costly(None), day=Limits(calls=1))


def test_a_cost_that_turns_out_unknown_stops_a_limit_in_dollars() -> None:
    chat = BoundedChat(Costly(None), run=Limits(dollars=1.0), most=lambda size: 0.1)
    assert asked(chat, 2) == ["", "limit"]


def test_seconds_are_cut_to_what_is_left() -> None:
    chat = BoundedChat(Costly(0.0, wait=30.0), run=Limits(seconds=0.3))
    before = time.monotonic()
    assert asked(chat, 2) == ["timeout", "limit"]
    assert time.monotonic() - before < 5


def test_the_day_goes_on_in_the_next_run_and_ends_at_midnight(tmp_path: Path) -> None:
    day = DAY
    kept = Daybook(tmp_path, lambda: day)
    for expected in (["", ""], ["", "limit"]):
        assert asked(BoundedChat(Costly(0.0), day=Limits(calls=3), daybook=kept), 2) == expected
    assert kept.used()._replace(seconds=0.0) == Usage(calls=3, tokens=45)
    day = date(2026, 3, 2)
    assert asked(BoundedChat(Costly(0.0), day=Limits(calls=3), daybook=kept), 1) == [""]


def test_a_line_that_can_not_be_read_stops_the_spending(tmp_path: Path) -> None:
    kept = book(tmp_path)
    kept.begin(Limits(), Usage(calls=1))
    path = tmp_path / "2026-03-01.jsonl"
    for bad in ('{"calls": 1', '{"dollars": true, "more": 1}\n', '{"calls": "1"}\n', "[]\n"):
        text = path.read_text()
        path.write_text(text + bad)
        with pytest.raises(ModelFailed, match=r"2026-03-01.jsonl:2 can't be read") as told:
            kept.begin(Limits(), Usage(calls=1))
        assert told.value.kind == "limit"
        path.write_text(text)


def test_a_book_that_can_not_be_written_stops_the_spending(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    inner = Costly(0.0)
    chat = BoundedChat(inner, day=Limits(calls=3), daybook=book(tmp_path / "file"))
    assert asked(chat, 1) == ["limit"]
    assert inner.asked == 0


KILLED = """
import asyncio, sys
from datetime import date
from pathlib import Path
from skillnb.llm.bounded import BoundedChat
from skillnb.llm.daybook import Daybook
from skillnb.llm.limits import Limits

class Endless:
    name, small = "endless", False
    async def ask(self, system, user, schema, *, seconds):
        print("asked", flush=True)
        await asyncio.sleep(60)

book = Daybook(Path(sys.argv[1]), lambda: date(2026, 3, 1))
chat = BoundedChat(Endless(), day=Limits(dollars=1.0), daybook=book, most=lambda size: 0.75)
asyncio.run(chat.ask("", "", {}, seconds=60))
"""


def test_a_killed_call_stays_counted_at_its_most(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"asked\n"
        os.kill(process.pid, signal.SIGKILL)
    assert book(tmp_path).used() == Usage(calls=1, dollars=0.75)
    chat = BoundedChat(Costly(0.1), day=Limits(dollars=1.0), daybook=book(tmp_path), most=lambda size: 0.5)
    assert asked(chat, 1) == ["limit"]


MANY = """
import sys
from datetime import date
from pathlib import Path
from skillnb.llm.daybook import Daybook
from skillnb.llm.limits import Limits, Usage
from skillnb.llm.protocol import ModelFailed

book, made = Daybook(Path(sys.argv[1]), lambda: date(2026, 3, 1)), 0
for _ in range(40):
    try:
        book.begin(Limits(calls=50), Usage(calls=1))
        book.settle(Usage(tokens=1))
        made += 1
    except ModelFailed:
        break
print(made)
"""


def test_processes_share_the_day_and_never_pass_it(tmp_path: Path) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", MANY, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    made = [int(process.communicate()[0]) for process in running]
    assert sum(made) == 50
    assert book(tmp_path).used() == Usage(calls=50, tokens=50)

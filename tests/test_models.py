"""The wiring of a chat: what is picked, in which order it stands, and what is said where nothing is there."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillnb.config import ModelSettings, model_settings
from skillnb.errors import ModelNotReady, UsageError
from skillnb.llm import keys, llamacpp, minilm
from skillnb.llm.protocol import ModelFailed, Reply
from skillnb.models import models, open_chat, open_embedder
from skillnb.rules.masking import Masker
from skillnb.testing.chats.contract import CHECKS, CHOICE
from skillnb.testing.chats.wire import Wire, wired

SECRET = "hunter2-secret"


@pytest.fixture
def wire() -> Iterator[Wire]:
    with wired() as wire:
        yield wire


def environment(wire: Wire, folder: Path, **more: str) -> dict[str, str]:
    given = {"SKILLNB_MODEL": "some-model", "SKILLNB_BASE_URL": wire.url, "SKILLNB_CACHE": str(folder)}
    return given | {f"SKILLNB_{name}": value for name, value in more.items()}


def asked(given: dict[str, str], users: list[str], masker: Masker | None = None) -> list[Reply | str]:
    async def ask() -> list[Reply | str]:
        outcomes: list[Reply | str] = []
        async with open_chat(model_settings(given), masker or Masker({}), given) as chat:
            for user in users:
                try:
                    outcomes.append(await chat.ask("", user, CHOICE, seconds=10))
                except ModelFailed as failed:
                    outcomes.append(failed.kind)
        return outcomes

    return asyncio.run(ask())


def test_what_is_opened_keeps_to_the_contract(wire: Wire, tmp_path: Path) -> None:
    given = environment(wire, tmp_path, MODEL_CACHE="on", LIMIT_DAY="calls=1000")

    async def checked() -> None:
        async with open_chat(model_settings(given), Masker({}), given) as chat:
            for check in CHECKS:
                await check(chat)

    asyncio.run(checked())


def test_kept_answers_are_free_and_count_against_no_limit(wire: Wire, tmp_path: Path) -> None:
    given = environment(wire, tmp_path, MODEL_CACHE="on", LIMIT_RUN="calls=1")
    first, again, other = asked(given, ["a", "a", "b"])
    assert isinstance(first, Reply)
    assert isinstance(again, Reply)
    assert (first.cached, again.cached, other) == (False, True, "limit")
    assert len(wire.asked) == 1


def test_without_the_setting_nothing_is_kept(wire: Wire, tmp_path: Path) -> None:
    asked(environment(wire, tmp_path), ["a", "a"])
    assert len(wire.asked) == 2
    assert list(tmp_path.rglob("*")) == []


def test_neither_a_secret_nor_the_key_reaches_wire_or_disk(wire: Wire, tmp_path: Path) -> None:
    given = environment(wire, tmp_path, MODEL_CACHE="on", LIMIT_DAY="calls=9", API_KEY="the-servers-key")
    masker = Masker({"password": SECRET})
    asked(given, [f"{SECRET} and the-servers-key"], masker)
    assert wire.keys == ["the-servers-key"]
    assert wire.asked[0]["messages"][1]["content"] == "[secret:password] and [secret:model key]"
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert masker.found(written + json.dumps(wire.asked).encode()) == ()


def test_a_step_begins_anew_and_the_run_goes_on(wire: Wire, tmp_path: Path) -> None:
    given = environment(wire, tmp_path, LIMIT_STEP="calls=1", LIMIT_RUN="calls=2")

    async def ask() -> None:
        async with open_chat(model_settings(given), Masker({}), given) as chat:
            await chat.ask("", "", CHOICE, seconds=10)
            with pytest.raises(ModelFailed, match="limit of the step"):
                await chat.ask("", "", CHOICE, seconds=10)
            chat.begin_step()
            await chat.ask("", "", CHOICE, seconds=10)
            chat.begin_step()
            with pytest.raises(ModelFailed, match="limit of the run"):
                await chat.ask("", "", CHOICE, seconds=10)
            assert chat.used.calls == len(wire.asked) == 2

    asyncio.run(ask())


def test_the_limit_of_a_day_holds_from_run_to_run(wire: Wire, tmp_path: Path) -> None:
    given = environment(wire, tmp_path, LIMIT_DAY="calls=3")
    assert "limit" not in asked(given, ["a", "b"])
    assert asked(given, ["c", "d"])[1] == "limit"
    assert len(wire.asked) == 3


def test_a_question_that_may_cost_more_than_is_left_is_not_sent(wire: Wire, tmp_path: Path) -> None:
    given = environment(wire, tmp_path, LIMIT_DAY="dollars=0.001", MODEL_PRICE="1,2")
    assert asked(given, ["a"]) == ["limit"]
    assert wire.asked == []
    [reply] = asked(given | {"SKILLNB_LIMIT_DAY": "dollars=0.02"}, ["a"])
    assert isinstance(reply, Reply)
    assert 0 < (reply.cost or 0) < 0.001


def test_nothing_configured_says_what_to_do() -> None:
    with pytest.raises(ModelNotReady, match="no language model is configured; set SKILLNB_MODEL"):
        open_chat(model_settings({}), Masker({}), {})


def test_a_limit_in_dollars_needs_a_price(wire: Wire, tmp_path: Path) -> None:
    given = environment(wire, tmp_path, LIMIT_RUN="dollars=1")
    with pytest.raises(UsageError, match="no price of some-model"):
        open_chat(model_settings(given), Masker({}), given)
    assert isinstance(asked(given | {"SKILLNB_MODEL_PRICE": "0.5,1"}, ["a"])[0], Reply)


def test_a_local_model_that_is_not_there_says_how_to_get_it(tmp_path: Path) -> None:
    given = {"SKILLNB_MODEL": "local:qwen05", "SKILLNB_CACHE": str(tmp_path)}
    with pytest.raises(ModelNotReady, match="run `skillnb model fetch qwen05`"):
        open_chat(model_settings(given), Masker({}), given)
    with pytest.raises(ModelNotReady, match="no such model; there are: smollm2"):
        open_chat(model_settings(given, "local:none"), Masker({}), given)


def test_a_missing_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("xllamacpp", "onnxruntime"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModelNotReady, match=r"pip install 'skillnb\[local\]'"):
        llamacpp.LocalServer(tmp_path)
    (tmp_path / "tokenizer.json").write_text('{"model": {"vocab": {}}}')
    with pytest.raises(ModelNotReady, match=r"pip install 'skillnb\[embed\]'"):
        minilm.MiniLmEmbedder(tmp_path, tmp_path / "tokenizer.json")


def test_the_key_of_one_maker_is_not_handed_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    given = {"OPENAI_API_KEY": "sk-makers"}
    assert keys.key_for("api.openai.com", given) == "sk-makers"
    assert keys.key_for("elsewhere.example", given) == ""
    assert keys.key_for("elsewhere.example", given | {"SKILLNB_API_KEY": "own"}) == "own"
    settings = ModelSettings(model="m", url="https://elsewhere.example/v1")
    with pytest.raises(ModelNotReady, match=r"no key for elsewhere\.example; set SKILLNB_API_KEY"):
        open_chat(settings, Masker({}), given)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BASE_URL", "http://elsewhere.example/v1"),
        ("BASE_URL", "https://user:key@elsewhere.example/v1"),
        ("BASE_URL", "elsewhere"),
        ("MODEL_CACHE", "yes"),
        ("MODEL_PRICE", "1"),
        ("MODEL_PRICE", "nan,1"),
        ("MODEL_SECONDS", "-1"),
        ("MODEL_THREADS", "many"),
        ("LIMIT_RUN", "calls"),
        ("LIMIT_DAY", "euros=1"),
        ("LIMIT_STEP", "calls=-1"),
        ("LIMIT_STEP", "dollars=nan"),
    ],
)
def test_a_setting_that_is_none_is_named(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"SKILLNB_{name}"):
        model_settings({f"SKILLNB_{name}": value})


def test_settings_are_read() -> None:
    read = model_settings(
        {"SKILLNB_MODEL": "m", "SKILLNB_LIMIT_STEP": "calls=off, dollars=0.5", "SKILLNB_LIMIT_DAY": "tokens=9"},
        "local:n",
    )
    assert (read.model, read.try_seconds) == ("local:n", 300)
    assert (read.step, read.run, read.day) == ({"dollars": 0.5}, {"calls": 100}, {"tokens": 9})


def test_embedders_are_opened_by_name(wire: Wire, tmp_path: Path) -> None:
    given = environment(wire, tmp_path)
    assert open_embedder(model_settings(given), given).name == "hashed-4096"
    served = open_embedder(model_settings(given | {"SKILLNB_EMBEDDING": "org/some/2"}), given)
    assert (served.name, served.dimension, len(served.embed(["a"])[0])) == ("org/some", 2, 2)
    with pytest.raises(ModelNotReady, match="run `skillnb model fetch minilm`"):
        open_embedder(model_settings(given | {"SKILLNB_EMBEDDING": "minilm"}), given)
    with pytest.raises(UsageError, match="no such embedding"):
        open_embedder(model_settings(given | {"SKILLNB_EMBEDDING": "else"}), given)


def test_what_is_here_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "smollm2"
    folder.mkdir(parents=True)
    (folder / "model.gguf").touch()
    told = {each.name: each.fetched for each in models({"SKILLNB_CACHE": str(tmp_path)})}
    assert told == {"smollm2": True, "qwen05": False, "qwen15": False, "minilm": False}

"""Real models on this machine: the contracts hold for them too. Where one can't be had, the test says why.

The weights are looked for in ``$SKILLNB_TEST_MODELS`` and in ``~/.cache/skillnb/models``, and fetched there if they are
missing and the extra (`local`, `embed`) is installed.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from skillnb.config import model_settings
from skillnb.errors import ModelNotFetched
from skillnb.llm.llamacpp import LocalServer
from skillnb.llm.minilm import MiniLmEmbedder
from skillnb.llm.protocol import Embedder, ModelFailed
from skillnb.llm.weights import fetch, file_of, weights_named
from skillnb.llm.wordpiece import WordPiece
from skillnb.models import open_chat
from skillnb.rules.masking import Masker
from skillnb.testing.chats.contract import CHECKS as CHAT_CHECKS
from skillnb.testing.chats.contract import CHOICE, SYSTEM
from skillnb.testing.embedders.contract import CHECKS, likeness

EXPECTED: dict[str, list[int]] = {
    "Add the product to the cart": [101, 5587, 1996, 4031, 2000, 1996, 11122, 102],
    "Füge 2× „Größe“ hinzu: 漢字!": [
        101,
        11865,
        3351,
        1016,
        26306,
        1525,
        24665,
        2080,
        17499,
        1523,
        7632,
        14191,
        2226,
        1024,
        1904,
        100,
        999,
        102,
    ],
    "don't-stop $5.00 + 3^2 ~`|": [
        101,
        2123,
        1005,
        1056,
        1011,
        2644,
        1002,
        1019,
        1012,
        4002,
        1009,
        1017,
        1034,
        1016,
        1066,
        1036,
        1064,
        102,
    ],
    "İstanbul ẞΣ ﬁ": [101, 9960, 1096, 29733, 1984, 102],
    "unbelievableness\u2073\xad\u200b 🙂": [101, 100, 100, 102],
}
HOME = Path(os.environ.get("SKILLNB_TEST_MODELS") or Path.home() / ".cache" / "skillnb")


def had(model: str, extra: str, module: str) -> None:
    """Skips, with the reason printed, where the model can't be had."""
    if find_spec(module) is None:
        pytest.skip(f"{model} is not tried: {module} is not installed (pip install 'skillnb[{extra}]')")
    try:
        fetch(weights_named(model), HOME / "models", print)
    except ModelNotFetched as error:
        pytest.skip(f"{model} is not tried: {error}")


@pytest.fixture(scope="module")
def smollm2() -> Path:
    had("smollm2", "local", "xllamacpp")
    return file_of(weights_named("smollm2"), ".gguf", HOME / "models")


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    had("minilm", "embed", "onnxruntime")
    weights, folder = weights_named("minilm"), HOME / "models"
    return MiniLmEmbedder(file_of(weights, ".onnx", folder), file_of(weights, ".json", folder))


def test_a_real_model_in_this_process_keeps_to_the_contract(smollm2: Path) -> None:
    async def checked() -> None:
        settings, environment = model_settings({}, "local:smollm2"), {"SKILLNB_CACHE": str(HOME)}
        async with open_chat(settings, Masker({}), environment) as chat:
            assert chat.small
            for check in CHAT_CHECKS:
                await check(chat)
            assert chat.used.calls > 5
            assert chat.used.tokens > 100
            assert chat.used.dollars == chat.used.unpriced == 0

    asyncio.run(checked())


def test_the_server_answers_nobody_without_its_key_and_ends_when_it_is_closed(smollm2: Path) -> None:
    server = LocalServer(smollm2)
    parts = urlsplit(server.base_url)
    assert parts.hostname == "127.0.0.1"
    with socket.create_connection((parts.hostname, parts.port or 0), timeout=5) as line:
        line.sendall(b"POST /v1/chat/completions HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}")
        assert b" 401 " in line.recv(1000).splitlines()[0]
    server.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((parts.hostname, parts.port or 0), timeout=5)


def test_a_real_model_that_is_too_slow_is_left_in_time(smollm2: Path) -> None:
    async def asked() -> None:
        async with open_chat(model_settings({}, "local:smollm2"), Masker({}), {"SKILLNB_CACHE": str(HOME)}) as chat:
            with pytest.raises(ModelFailed) as told:
                await chat.ask(SYSTEM, "Which? " * 1_500, CHOICE, seconds=0.2)
            assert told.value.kind == "timeout"
            assert told.value.cost == 0.0

    asyncio.run(asked())


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_real_embeddings_keep_to_the_contract(minilm: Embedder, check: Callable[[Embedder], None]) -> None:
    check(minilm)


def test_real_embeddings_know_what_words_mean(minilm: Embedder) -> None:
    asked, near, far = minilm.embed(["sign in", "enter user name and password", "sort the list by price"])
    assert likeness(asked, near) > likeness(asked, far) + 0.1


def test_the_real_vocabulary_cuts_as_its_own_tokenizer_says(minilm: Embedder) -> None:
    """The numbers were read off the `tokenizers` library, which is no dependency."""
    path = file_of(weights_named("minilm"), ".json", HOME / "models")
    words = WordPiece(json.loads(path.read_text("utf-8"))["model"]["vocab"], 128)
    assert {text: words.ids(text) for text in EXPECTED} == EXPECTED

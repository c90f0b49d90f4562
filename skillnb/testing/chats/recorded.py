"""A chat that plays recorded questions and answers, and knows no others."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import NamedTuple

from skillnb.codec import canonical
from skillnb.llm.answers import fitting
from skillnb.llm.protocol import Chat, ModelFailed, Reply

__all__ = ["NotRecorded", "RecordedChat"]


class NotRecorded(LookupError):
    """Not a ModelFailed, which a caller may take for an outcome: the recording and the code no longer agree."""


class _Line(NamedTuple):
    system: str
    user: str
    schema: dict[str, object]
    answer: str
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


class RecordedChat:
    """One JSON line an answer. With ``through`` questions that are not recorded yet are asked of it, and recorded.

    A question that was recorded several times gets its last answer.
    """

    def __init__(self, path: Path, through: Chat | None = None, *, name: str = "recorded", small: bool = False) -> None:
        self.name, self.small = (through.name, through.small) if through else (name, small)
        self._path, self._through = path, through
        lines = path.read_text("utf-8").removesuffix("\n").split("\n") if path.exists() else []
        self._lines = {_key(line.system, line.user, line.schema): line for line in map(_read, lines)}

    async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float) -> Reply:
        if seconds <= 0:
            raise ModelFailed("timeout", f"no time was left to ask {self.name}")
        line = self._lines.get(_key(system, user, schema))
        if line is not None:
            return Reply(fitting(line.answer, schema), line.prompt_tokens, line.completion_tokens, line.cost)
        if self._through is None:
            raise NotRecorded(self._difference(system, user, schema))
        reply = await self._through.ask(system, user, schema, seconds=seconds)
        self._record(_Line(system, user, schema, reply.text, reply.prompt_tokens, reply.completion_tokens, reply.cost))
        return reply

    def _record(self, line: _Line) -> None:
        self._lines[_key(line.system, line.user, line.schema)] = line
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line._asdict(), ensure_ascii=False) + "\n")

    def _difference(self, system: str, user: str, schema: dict[str, object]) -> str:
        asked = _key(system, user, schema)
        near = difflib.get_close_matches(asked, self._lines, n=1, cutoff=0.0)
        if not near:
            return f"nothing is recorded in {self._path}"
        shown = "\n".join(difflib.unified_diff(_shown(near[0]), _shown(asked), "recorded", "asked", lineterm=""))
        return f"{self._path} does not have this question; the nearest of {len(self._lines)} differs so:\n{shown}"


def _key(system: str, user: str, schema: dict[str, object]) -> str:
    return canonical([system, user, schema])


def _shown(key: str) -> list[str]:
    system, user, schema = json.loads(key)
    return [*system.splitlines(), *user.splitlines(), *json.dumps(schema, indent=1).splitlines()]


def _read(line: str) -> _Line:
    """Raises TypeError or ValueError for a line of another shape."""
    return _Line(**json.loads(line))

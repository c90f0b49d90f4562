"""Trace files: canonical JSON lines, one writer per file, appended as the run goes and read back strictly."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from skillnb.codec import canonical, decode
from skillnb.errors import BadTraceLine, Undecodable
from skillnb.terms.trace import FORMAT, Event, TraceLine

__all__ = ["read_trace", "TraceFile", "TraceRead"]


class TraceFile:
    """The one place that dresses events: format, run id, gap-free sequence, time. ``mask`` stands before it."""

    def __init__(self, path: Path, run: str, now: Callable[[], str], mask: Callable[[Any], Any]) -> None:
        """Raises FileExistsError: a run id is never used twice."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("xb")
        self._run, self._now, self._mask, self._seq = run, now, mask, 0

    def write(self, event: Event) -> None:
        line = TraceLine(
            format=FORMAT,
            run=self._run,
            seq=self._seq,
            at=self._now(),
            kind=type(event).__name__,
            event=self._mask(event),
        )
        self._seq += 1
        self._file.write(canonical(line).encode("utf-8", "replace") + b"\n")
        self._file.flush()

    def flush(self) -> None:
        self._file.flush()
        os.fdatasync(self._file.fileno()) if hasattr(os, "fdatasync") else os.fsync(self._file.fileno())

    def close(self) -> None:
        if not self._file.closed:
            self.flush()
            self._file.close()


class TraceRead(NamedTuple):
    """A trace as read. ``torn`` is True when the last line broke off, which is reported once and left out."""

    lines: tuple[TraceLine, ...]
    torn: bool


def read_trace(path: Path) -> TraceRead:
    """Raises BadTraceLine for any other unreadable line, an unknown format version, or a gap in the sequence."""
    data = path.read_bytes()
    torn = bool(data) and not data.endswith(b"\n")
    texts = data.split(b"\n")[:-1]
    return TraceRead(tuple(_lines(texts, path)), torn)


def _lines(texts: list[bytes], path: Path) -> Iterator[TraceLine]:
    for number, text in enumerate(texts):
        where = f"{path}:{number + 1}"
        try:
            line = decode(TraceLine, text, where)
        except Undecodable as error:
            raise BadTraceLine(where=where, problem=str(error)) from None
        if line.format != FORMAT:
            raise BadTraceLine(where=where, problem=f"format {line.format}, and this skillnb reads {FORMAT}")
        if line.seq != number:
            raise BadTraceLine(where=where, problem=f"sequence {line.seq} where {number} was expected")
        yield line

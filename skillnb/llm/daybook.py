"""What a day's runs have asked of models: one file a day, one line a call, written before it and after it."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from skillnb.codec import canonical
from skillnb.llm.limits import NOTHING, Limits, Usage
from skillnb.llm.lock import exclusive
from skillnb.llm.protocol import ModelFailed

__all__ = ["Daybook"]


class Daybook:
    """Shared by all processes; a lock is held for the moment of a look and a line. A killed run's calls stay counted.

    ``today`` is asked anew at each call, so that a run that lasts past midnight begins a new day.
    """

    def __init__(self, folder: Path, today: Callable[[], date]) -> None:
        self._folder, self._today = folder, today

    def used(self) -> Usage:
        with self._opened() as descriptor:
            return self._read(descriptor)

    def begin(self, limits: Limits, reserved: Usage) -> Usage:
        """Count a call that is about to be made, at the most it can cost; returns what was used before it.

        Raises ModelFailed (``limit``) where nothing is left, or where a line can't be read: what is not known is not
        spent on.
        """
        with self._opened() as descriptor:
            used = self._read(descriptor)
            problem = limits.reached(used, None if reserved.unpriced else reserved.dollars)
            if problem:
                raise ModelFailed("limit", f"the limit of the day is reached: {problem} ({self._path()})")
            _append(descriptor, reserved)
        return used

    def settle(self, change: Usage) -> None:
        """By what the call was other than was reserved for it."""
        with self._opened() as descriptor:
            _append(descriptor, change)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        try:
            with exclusive(self._path()) as descriptor:
                yield descriptor
        except OSError as error:
            raise ModelFailed("limit", f"the book of the day's spending can't be kept: {error}") from error

    def _path(self) -> Path:
        return self._folder / f"{self._today().isoformat()}.jsonl"

    def _read(self, descriptor: int) -> Usage:
        used = NOTHING
        with open(os.dup(descriptor), "rb") as file:
            file.seek(0)
            for count, line in enumerate(file, 1):
                try:
                    used = used.plus(_usage(json.loads(line)))
                except (TypeError, ValueError) as error:
                    where = f"{self._path()}:{count}"
                    raise ModelFailed(
                        "limit", f"{where} can't be read, so what the day has used is not known"
                    ) from error
        return used


def _usage(line: dict[str, Any]) -> Usage:
    """Raises TypeError or ValueError for a line of another shape."""
    usage = Usage(**line)
    if not all(isinstance(value, (int, float)) and math.isfinite(value) for value in usage):
        raise ValueError("not numbers")
    return usage


def _append(descriptor: int, usage: Usage) -> None:
    line = f"{canonical(usage._asdict())}\n".encode()
    if os.write(descriptor, line) != len(line):
        raise OSError("the daybook's disk is full")

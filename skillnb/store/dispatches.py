"""The dispatch journal: what a run's ``once`` steps were about to send, on disk before it could leave the browser.

Written by the kernel, which owns the page, beside the trace that the runner writes; each has one writer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

__all__ = ["dispatched_steps", "DispatchFile"]


class DispatchFile:
    """``<run id>.dispatched.jsonl``; made with the first line."""

    def __init__(self, path: Path, mask: Callable[[str], str]) -> None:
        self._path, self._mask = path, mask

    def append(self, step: str, request: str) -> None:
        """Returns when the line would survive a crash of the machine."""
        line = json.dumps({"step": step, "request": self._mask(request)}, ensure_ascii=False, sort_keys=True)
        with self._path.open("ab") as file:
            file.write(line.encode("utf-8", "replace") + b"\n")
            file.flush()
            os.fsync(file.fileno())


def dispatched_steps(path: Path) -> frozenset[str]:
    """Steps named in a journal. A line that broke off never let its request go, so it is none."""
    if not path.exists():
        return frozenset()
    whole = path.read_bytes().split(b"\n")[:-1]
    return frozenset(str(json.loads(line)["step"]) for line in whole)

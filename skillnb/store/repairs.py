"""How often a day's runs of a site have tried to repair: one line each, on disk before it is tried.

So a run that is killed and started again and again can't repair without end.
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

__all__ = ["RepairFile"]


class RepairFile:
    """``repairs.jsonl`` in the folder of a site's day, shared by all its runs."""

    def __init__(self, path: Path, run: str, per_run: int, per_day: int) -> None:
        self._path, self._run, self._per_run, self._per_day = path, run, per_run, per_day

    def take(self, step: str) -> str:
        """Why there may be no other repair; empty where there may, which then counts."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            whole = file.read()
            lines = whole.split(b"\n")[:-1]  # one that broke off was never tried
            mine = sum(json.loads(line)["run"] == self._run for line in lines)
            if mine >= self._per_run:
                return f"this run has tried {mine} repairs, as many as it may (SKILLNB_REPAIRS_PER_RUN)"
            if len(lines) >= self._per_day:
                return f"today's runs have tried {len(lines)} repairs, as many as they may (SKILLNB_REPAIRS_PER_DAY)"
            if whole and not whole.endswith(b"\n"):
                file.truncate(len(whole) - len(whole.rpartition(b"\n")[2]))
            file.write(json.dumps({"run": self._run, "step": step}, ensure_ascii=False).encode("utf-8", "replace"))
            file.write(b"\n")
            file.flush()
            os.fsync(file.fileno())
        return ""

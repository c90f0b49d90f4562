"""The processes of one run found by what only they have: its own folder for temporary files in their environment."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

__all__ = ["browser_of", "end_all", "kernel_of", "owned", "wait_for_none"]


def owned(marker: str) -> dict[int, str]:
    """Live processes whose environment names ``marker``, each with its command line."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            environment = (entry / "environ").read_bytes()
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if os.fsencode(marker) in environment and command:  # a zombie has no command line
            found[int(entry.name)] = command
    return found


def kernel_of(marker: str) -> int:
    return next(pid for pid, command in owned(marker).items() if "ipykernel_launcher" in command)


def browser_of(marker: str) -> int:
    """The leading process of the Chromium."""
    return next(
        pid for pid, command in owned(marker).items() if "--user-data-dir=" in command and "--type=" not in command
    )


def wait_for_none(marker: str, seconds: float) -> dict[int, str]:
    """Empty once all are gone; else what is left after ``seconds``."""
    deadline = time.monotonic() + seconds
    while (left := owned(marker)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def end_all(marker: str) -> None:
    for pid in owned(marker):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue

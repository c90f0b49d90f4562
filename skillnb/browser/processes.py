"""Processes of other programs looked up by number: what they run, since when, and whether they still do."""

from __future__ import annotations

import subprocess
from pathlib import Path

__all__ = ["command_line", "command_lines", "started_at"]

_PROC = Path("/proc")


def command_line(pid: int) -> str:
    """Of a live process; empty for one that is gone or a zombie."""
    if _PROC.is_dir():
        return _read(pid)
    return _ps("-p", str(pid), "-o", "command=").strip()


def command_lines() -> dict[int, str]:
    """Of every process that this user may look at."""
    if _PROC.is_dir():
        return {int(entry.name): _read(int(entry.name)) for entry in _PROC.iterdir() if entry.name.isdigit()}
    lines = (line.strip().partition(" ") for line in _ps("-axo", "pid=,command=").splitlines())
    return {int(pid): command for pid, _, command in lines if pid.isdigit()}


def started_at(pid: int) -> str:
    """When it began, in whatever way the system says so: with the number it names one process. Empty: none is there."""
    if not _PROC.is_dir():
        return _ps("-p", str(pid), "-o", "lstart=").strip()
    try:
        # the second field is the program's name in brackets, which may hold anything
        fields = (_PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def _read(pid: int) -> str:
    try:
        return (_PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def _ps(*arguments: str) -> str:
    return subprocess.run(["ps", *arguments], capture_output=True, text=True, check=False).stdout

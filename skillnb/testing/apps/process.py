"""Processes of ours, told from others by pid *and* start: a number used again by a stranger is never killed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from skillnb.terms import term

__all__ = ["alive", "end", "exit_status", "Process", "spawn"]

_children: dict[int, subprocess.Popen[bytes]] = {}
"""Started by this very process, which has to collect them when they end."""


@term
class Process:
    pid: int
    started: str
    """When it started, as the system tells it; empty when it was gone before one could look."""


def spawn(command: Sequence[str], *, folder: Path, environment: Mapping[str, str], log: Path) -> Process:
    """Start ``command`` in a process group of its own, which outlives this process; both its outputs go to ``log``."""
    with log.open("ab") as output:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    _children[child.pid] = child
    return Process(pid=child.pid, started=_started(child.pid))


def exit_status(process: Process) -> int | None:
    """Its exit status, if it is a child of this process that has ended."""
    child = _children.get(process.pid)
    return child.poll() if child is not None else None


def alive(process: Process) -> bool:
    return bool(process.started) and _started(process.pid) == process.started


def end(process: Process, *, grace: float = 5.0) -> bool:
    """End the process and its group: ask, then after ``grace`` seconds kill. False when it was not running any more."""
    was_alive = alive(process)
    if was_alive:
        for request in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, request)
            except ProcessLookupError:  # it ended by itself meanwhile
                break
            if _gone_within(process, grace):
                break
    _collect(process)
    return was_alive


def _collect(process: Process) -> None:
    """Take a dead child's exit status, without which the system keeps its number."""
    if not alive(process) and (child := _children.pop(process.pid, None)) is not None:
        child.wait()


def _gone_within(process: Process, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while alive(process):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def _started(pid: int) -> str:
    """The start of process ``pid``; empty when there is none or when only its exit status is left of it."""
    if Path("/proc/self/stat").exists():
        return _started_by_proc(pid)
    asked = subprocess.run(["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    state, _, started = asked.stdout.strip().partition(" ")
    return "" if state.startswith("Z") else started.strip()


def _started_by_proc(pid: int) -> str:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    state, ticks = fields[0], fields[19]
    return "" if state in "ZX" else f"{boot}:{ticks}"

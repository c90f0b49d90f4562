"""One run by the very command that a person types, in a process group of its own."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

__all__ = ["Answer", "ask", "shown"]

_GRACE_SECONDS = 20.0
"""For a run that is told to end: it records that it was aborted and stops its browser and kernel."""


class Answer(NamedTuple):
    exit_status: int
    told: Mapping[str, Any]
    """The JSON object it printed; empty if it printed none."""


def ask(command: Sequence[str], variables: Mapping[str, str]) -> Answer:
    """Run ``command``, its progress on our stderr. If we are interrupted, it is told once to end, and waited for."""
    child = subprocess.Popen(
        command,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,  # a Ctrl-C at the terminal reaches us alone, so it gets our one request to end
    )
    try:
        output, _ = child.communicate()
    except BaseException:
        _end(child)
        raise
    return Answer(child.returncode, _object(output))


def shown(command: Sequence[str]) -> str:
    return f"$ {shlex.join(command)}"


def _end(child: subprocess.Popen[str]) -> None:
    child.terminate()
    try:
        child.communicate(timeout=_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):  # it ended at the last moment
            os.killpg(child.pid, signal.SIGKILL)
        child.communicate()


def _object(output: str) -> Mapping[str, Any]:
    try:
        told = json.loads(output)
    except json.JSONDecodeError:
        return {}
    return told if isinstance(told, dict) else {}

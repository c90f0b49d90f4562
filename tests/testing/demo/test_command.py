"""A run as a process: its JSON, its status, and that it is told to end when we are."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from skillnb.testing.demo.command import Answer, ask, shown

WAITS = """
import os, pathlib, signal, sys, time
def end(number, frame):
    pathlib.Path(sys.argv[1]).write_text("told to end")
    sys.exit(4)
signal.signal(signal.SIGTERM, end)
os.kill(os.getppid(), signal.SIGINT)
time.sleep(60)
"""


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def test_the_object_it_prints_and_its_status() -> None:
    code = "import os; print('{\"outcome\": \"' + os.environ['WORD'] + '\"}'); raise SystemExit(3)"
    assert ask(python(code), {"WORD": "unverified"}) == Answer(3, {"outcome": "unverified"})


@pytest.mark.parametrize("printed", ["", "no JSON", "[1]"])
def test_anything_else_is_no_answer(printed: str) -> None:
    assert ask(python(f"print({printed!r})"), {}) == Answer(0, {})


def test_an_interruption_ends_the_run_before_it_goes_on_to_us(tmp_path: Path) -> None:
    assert threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            ask(python(WAITS, str(tmp_path / "said")), {"HOME": os.environ.get("HOME", "/")})
    finally:
        signal.signal(signal.SIGINT, before)
    assert (tmp_path / "said").read_text(encoding="utf-8") == "told to end"


def test_the_command_is_shown_as_it_can_be_pasted() -> None:
    assert shown(["skillnb", "run", "-p", "title=Opening hours"]) == "$ skillnb run -p 'title=Opening hours'"

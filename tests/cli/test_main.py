"""The command starts quickly, because it loads what a command needs only when it is given."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

MAIN = "from skillnb.cli.main import main; main()"
HEAVY = ("nbformat", "playwright", "nbclient", "papermill", "pydantic")


def spent(*arguments: str) -> float:
    """Processor seconds of one command: unlike the time on the wall they do not grow when the machine is busy."""
    before = os.times()
    subprocess.run([sys.executable, "-c", MAIN, *arguments], check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def test_help_takes_less_than_half_a_second() -> None:
    assert min(spent("--help") for _ in range(5)) < 0.5


@pytest.mark.parametrize("module", ["skillnb", "skillnb.cli.main"])
def test_what_every_command_loads_holds_no_heavy_library(module: str) -> None:
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert [name for name in HEAVY if name in json.loads(answer.stdout)] == []


def test_the_version_is_printed() -> None:

    answer = subprocess.run([sys.executable, "-c", MAIN, "--version"], check=True, capture_output=True, text=True)
    assert answer.stdout == "skillnb 0.1.0\n"


def test_an_error_of_ours_is_one_line_and_its_status() -> None:

    bad = ["check", "no-such-file.ipynb"]
    answer = subprocess.run([sys.executable, "-c", MAIN, *bad], check=False, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == "skillnb: no-such-file.ipynb: no such file; name a .ipynb file or a folder of them\n"

"""The Chromium of a run: started, adopted, owned, ended."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillnb.browser.chromium import Chromium, find_chromium
from skillnb.browser.leftovers import Leftover, end_leftover, leftovers
from skillnb.browser.processes import command_line, started_at
from skillnb.errors import BrowserNotFound, BrowserNotReady


@pytest.fixture(autouse=True)
def _temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of this test's own, short as sockets need it: other tests have browsers too."""
    folder = tempfile.mkdtemp(prefix="sk-", dir="/tmp")
    monkeypatch.setattr(tempfile, "tempdir", folder)
    yield
    shutil.rmtree(folder)


def started(executable: Path | None = None, seconds: float = 20.0) -> Chromium:
    return asyncio.run(
        Chromium.start(
            executable or find_chromium(os.environ),
            headed=False,
            locale="de-CH",
            timezone="Asia/Tokyo",
            environment=os.environ,
            seconds=seconds,
        )
    )


def test_it_is_adopted_by_number_profile_and_address_and_ended_with_its_profile() -> None:
    browser = started()
    assert leftovers() == ()
    assert Chromium.adopt(browser.pid, browser.profile.with_name("other"), browser.endpoint) is None
    assert Chromium.adopt(os.getpid(), browser.profile, browser.endpoint) is None
    assert Chromium.adopt(browser.pid, browser.profile, "http://127.0.0.1:1") is None
    adopted = Chromium.adopt(browser.pid, browser.profile, browser.endpoint)
    assert adopted is not None
    with urllib.request.urlopen(f"{adopted.endpoint}/json/version", timeout=5) as answer:
        assert "Chrome" in json.load(answer)["Browser"]
    browser.stop()
    browser.stop()
    assert not adopted.alive
    assert not browser.profile.exists()


def test_a_browser_whose_owner_is_gone_is_left_over_and_can_be_ended() -> None:
    script = (
        "import asyncio, os, sys, tempfile; from pathlib import Path;"
        "from skillnb.browser.chromium import Chromium, find_chromium;"
        "b = asyncio.run(Chromium.start(find_chromium(os.environ), headed=False, locale='en', timezone='UTC',"
        " environment=os.environ)); print(b.pid); sys.stdout.flush(); os._exit(0)"
    )
    environment = {**os.environ, "TMPDIR": tempfile.gettempdir()}
    told = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    (found,) = leftovers()
    assert found.pid == int(told.stdout)
    end_leftover(found)
    assert (command_line(found.pid), found.profile.exists(), leftovers()) == ("", False, ())


def test_a_process_that_is_not_its_chromium_is_never_ended(tmp_path: Path) -> None:
    profile = tmp_path / "skillnb-chromium-x"
    profile.mkdir()
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as other:
        end_leftover(Leftover(profile, other.pid))
        assert other.poll() is None
        assert started_at(other.pid) != ""
        other.kill()
    assert not profile.exists()


def test_a_long_name_of_the_temporary_folder_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    browser = started()
    assert browser.alive
    browser.stop()


def test_a_program_that_opens_no_port_is_told_with_what_it_said(tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\necho no display here >&2\nsleep 5\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(BrowserNotReady, match="no display here"):
        started(program, seconds=0.5)
    assert list(Path(tempfile.gettempdir()).iterdir()) == []


def test_a_missing_one_is_told_with_where_it_was_looked_for() -> None:
    with pytest.raises(BrowserNotFound, match="SKILLNB_CHROMIUM=/none"):
        find_chromium({"SKILLNB_CHROMIUM": "/none"})

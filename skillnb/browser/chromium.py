"""The Chromium process that a run owns: started in its own process group, reached over a port, always ended."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from skillnb.browser.processes import command_line, started_at
from skillnb.errors import BrowserNotFound, BrowserNotReady

__all__ = ["Chromium", "end_browser", "find_chromium", "owned_by_the_living", "place_for_profiles", "PREFIX", "uses"]

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
PREFIX = "skillnb-chromium-"
_OWNER = "skillnb-owner"
_NEW_SECONDS = 10.0
_SOCKET_FOLDER_BYTES = 32
_FLAGS = (
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-popup-blocking",
    "--window-size=1280,900",
    "--hide-scrollbars",
)


def find_chromium(environment: Mapping[str, str]) -> Path:
    """SKILLNB_CHROMIUM, else the system's Chromium or Chrome, else one that Playwright has downloaded."""
    named = environment.get("SKILLNB_CHROMIUM", "")
    if named:
        if Path(named).is_file():
            return Path(named)
        raise BrowserNotFound(looked=(f"SKILLNB_CHROMIUM={named}",))
    search = environment.get("PATH", os.defpath)
    for name in _NAMES:
        found = shutil.which(name, path=search)
        if found:
            return Path(found)
    cache = Path(environment.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    for pattern in ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium"):
        for candidate in sorted(cache.glob(pattern), reverse=True):
            return candidate
    raise BrowserNotFound(looked=(*_NAMES, str(cache)))


def place_for_profiles() -> str:
    """Chromium makes a socket in there, whose whole name systems limit to about 100 bytes."""
    usual = tempfile.gettempdir()
    fits = len(os.fsencode(usual)) <= _SOCKET_FOLDER_BYTES
    return usual if fits or not os.access("/tmp", os.W_OK) else "/tmp"


class _Process(Protocol):
    """What is needed of a process, whether it is a child of ours or not."""

    pid: int

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class _Orphan:
    """A process whose parent is gone: it can be asked and ended, but not waited for as a child."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        return None if command_line(self.pid) else 0

    def wait(self, timeout: float | None = None) -> int:
        deadline = time.monotonic() + (timeout or 0.0)
        while self.poll() is None:
            if time.monotonic() >= deadline:
                raise subprocess.TimeoutExpired("chromium", timeout or 0.0)
            time.sleep(0.02)
        return 0


class Chromium:
    """A running Chromium. ``endpoint`` is the address that clients connect to."""

    def __init__(self, process: _Process, profile: Path, endpoint: str) -> None:
        self._process = process
        self.profile = profile
        self.endpoint = endpoint

    @classmethod
    def adopt(cls, pid: int, profile: Path, endpoint: str) -> Chromium | None:
        """The Chromium that a killed run left behind; ``None`` unless it is that very process and still answers."""
        if not uses(command_line(pid), profile):
            return None
        try:
            with urllib.request.urlopen(f"{endpoint}/json/version", timeout=3):
                _own(profile)
                return cls(_Orphan(pid), profile, endpoint)
        except OSError:
            return None

    @classmethod
    async def start(
        cls,
        executable: Path,
        *,
        headed: bool,
        locale: str,
        timezone: str,
        environment: Mapping[str, str],
        seconds: float = 20.0,
    ) -> Chromium:
        """Start it with a fresh profile, locale and zone pinned. Raises BrowserNotReady."""
        profile = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place_for_profiles()))
        _own(profile)
        stderr = profile / "stderr.log"
        arguments = [str(executable), *_FLAGS, f"--user-data-dir={profile}", f"--lang={locale}"]
        arguments.append(f"--accept-lang={locale}")
        if not headed:
            arguments.append("--headless=new")
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium refuses to run its sandbox as root
        with stderr.open("wb") as log:
            process = subprocess.Popen(  # noqa: ASYNC220 - returns at once; asyncio's own would tie the child to a loop
                [*arguments, "about:blank"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**environment, "TZ": timezone, "LANGUAGE": locale, "TMPDIR": str(profile)},
            )
        try:
            port = await _control_port(process, profile, seconds)
        except BaseException:
            _end(process, profile)
            raise
        if port is None:
            message = stderr.read_text("utf-8", "replace")
            _end(process, profile)
            raise BrowserNotReady(executable=str(executable), seconds=seconds, stderr=message)
        return cls(process, profile, f"http://127.0.0.1:{port}")

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        """End the whole process group and remove the profile; safe to call twice."""
        _end(self._process, self.profile)


async def _control_port(process: subprocess.Popen[bytes], profile: Path, seconds: float) -> int | None:
    announced = profile / "DevToolsActivePort"
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        if announced.exists():
            lines = announced.read_text("utf-8").splitlines()
            if len(lines) >= 2:
                return int(lines[0])
        await asyncio.sleep(0.01)
    return None


def _own(profile: Path) -> None:
    """Note whose the browser is: the runner's, or by hand the kernel's. A process number alone may be used again."""
    (profile / _OWNER).write_text(f"{os.getpid()} {started_at(os.getpid())}", encoding="utf-8")


def owned_by_the_living(profile: Path) -> bool:
    try:
        pid, _, began = (profile / _OWNER).read_text("utf-8").partition(" ")
    except OSError:
        return _is_new(profile)
    return bool(began) and started_at(int(pid)) == began


def _is_new(profile: Path) -> bool:
    """It is made a moment before its owner is noted."""
    try:
        return time.time() - profile.stat().st_mtime < _NEW_SECONDS
    except OSError:
        return False


def uses(line: str, profile: Path) -> bool:
    """Is this the command line of a Chromium with that very profile?"""
    return f"--user-data-dir={profile} " in f"{line} "


def end_browser(pid: int, profile: Path) -> None:
    """End the Chromium ``pid``, if it is the one of this profile, and remove the profile."""
    if pid and uses(command_line(pid), profile):
        _end(_Orphan(pid), profile)
    else:
        shutil.rmtree(profile, ignore_errors=True)


def _end(process: _Process, profile: Path) -> None:
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            break
        try:
            process.wait(3)
        except subprocess.TimeoutExpired:
            continue
    if process.poll() is None:
        process.wait(5)
    # the group's last helpers may still be writing when the leader is gone
    for _ in range(20):
        shutil.rmtree(profile, ignore_errors=True)
        if not profile.exists():
            return
        time.sleep(0.05)

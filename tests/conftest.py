"""For every test: nothing of the person's own settings leaks in. For those that ask: a workspace, a small site."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

from skillnb.workspace import Workspace

settings.register_profile("untimed", deadline=None)  # how long an example takes says how busy the machine is
settings.load_profile("untimed")


class Site(NamedTuple):
    """Files of ``folder`` served on loopback; what is written there is served from then on."""

    url: str
    folder: Path


class _Quiet(SimpleHTTPRequestHandler):
    """Every answer is fresh, and no line of a log is written."""

    def log_message(self, *_arguments: Any) -> None:
        return

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of skillnb or of an application comes from outside, but for where Chromium is."""
    for name in os.environ:
        if name.startswith(("SKILLNB_", "DJANGO_", "PAPERMILL_")) and name != "SKILLNB_CHROMIUM":
            monkeypatch.delenv(name)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty project folder."""
    (tmp_path / "workflows").mkdir()
    return Workspace(tmp_path)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A folder served over HTTP while the test lasts: ``site.folder`` is empty at first."""
    folder = tmp_path / "site"
    folder.mkdir()
    with served(folder) as site:
        yield site


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    with ExitStack() as ending:
        server = ending.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))))
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        ending.callback(thread.join)
        ending.callback(server.shutdown)
        yield Site(f"http://127.0.0.1:{server.server_port}", folder)

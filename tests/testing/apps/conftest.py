from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from skillnb.testing.apps.catalogue import Release, find
from skillnb.testing.apps.home import Home
from skillnb.testing.apps.instance import discard, instances

TOY_SERVER = """\
import http.server, pathlib, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(int(pathlib.Path("status").read_text()))
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
"""


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Environments and snapshots, made once for all tests and apart from the user's."""
    return tmp_path_factory.mktemp("apps")


@pytest.fixture
def home(shared: Path, tmp_path: Path) -> Iterator[Home]:
    """A home whose instances are gone after the test."""
    made = Home(shared=shared, own=tmp_path / "own")
    yield made
    for instance in instances(made):
        discard(instance, replace(find("django-admin", "3.2"), app=instance.app, version=instance.version), made)


@pytest.fixture(params=["3.2", "5.2"])
def release(request: pytest.FixtureRequest) -> Release:
    return find("django-admin", request.param)


@pytest.fixture
def toy(tmp_path: Path) -> Release:
    """The smallest application: no requirements, one file that holds the status it answers with."""
    files = tmp_path / "files"
    files.mkdir()
    (files / "server.py").write_text(TOY_SERVER)
    (files / "status").write_text("200")
    return Release(
        app="toy",
        version="1",
        title="A toy",
        licence="Apache-2.0",
        requirements=(),
        files=files,
        seed=(("{bin}/python", "-c", "open('seeded', 'w').write('{site}')"),),
        serve=("{bin}/python", "server.py", "{port}"),
        environment=(("TOY_SITE", "{site}"),),
        credentials=(),
        database="",
        start="/",
        ready="/",
        ready_seconds=10.0,
        port=8999,
    )


@pytest.fixture
def own_home(tmp_path: Path) -> Iterator[Home]:
    """A home of this test alone, environments included."""
    made = Home(shared=tmp_path / "home", own=tmp_path / "home")
    yield made
    for instance in instances(made):
        discard(instance, replace(find("django-admin", "3.2"), app=instance.app, version=instance.version), made)

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from skillnb.cli.apps import app
from skillnb.errors import AppNotRunning, AppUnknown
from skillnb.testing.apps.port import free_port


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def _in_that_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SKILLNB_HOME", str(home))
    yield
    for instance in answer("status")["instances"]:
        said("stop", instance["app"], instance["version"], "--port", str(instance["port"]))


def said(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def answer(*arguments: str) -> dict[str, Any]:
    return dict(json.loads(said(*arguments, "--json")))


def test_list_shows_every_release() -> None:
    assert [(row["app"], row["version"]) for row in answer("list")["releases"]] == [
        ("django-admin", "3.2"),
        ("django-admin", "4.2"),
        ("django-admin", "5.2"),
    ]
    assert "django-admin" in said("list")


def test_install_tells_what_it_did_and_does_it_once() -> None:
    made = {"app": "django-admin", "version": "3.2", "environment": "installed", "data": "seeded"}
    assert {"releases": [made]} == answer("install", "django-admin", "3.2")
    there = made | {"environment": "was there", "data": "was there"}
    assert {"releases": [there]} == answer("install", "django-admin", "3.2")


def test_a_release_is_started_reset_and_stopped() -> None:
    port = free_port()
    started = answer("start", "django-admin", "3.2", "--port", str(port))
    assert f"http://127.0.0.1:{port}/admin/" == started["start_url"]
    assert started["credentials"] == {"DJANGO_ADMIN_USER": "admin", "DJANGO_ADMIN_PASSWORD": "pw12345!"}
    assert [(port, True, started["pid"])] == [
        (row["port"], row["running"], row["pid"]) for row in answer("status")["instances"]
    ]
    again = answer("reset", "django-admin", "3.2")
    assert (port, True) == (again["port"], again["running"])
    assert again["pid"] != started["pid"]
    stopped = answer("stop", "django-admin", "3.2")["stopped"]
    assert (port, False) == (stopped["port"], stopped["running"])
    assert answer("stop", "django-admin", "3.2") == {"stopped": None}
    assert answer("status") == {"instances": []}


def test_what_people_read() -> None:
    port = free_port()
    assert (
        f"http://127.0.0.1:{port}/admin/\nexport DJANGO_ADMIN_USER=admin\nexport DJANGO_ADMIN_PASSWORD='pw12345!'\n"
    ) == said("start", "django-admin", "3.2", "--port", str(port))
    assert f"http://127.0.0.1:{port}" in said("status")
    assert f"stopped django-admin 3.2 on port {port}\n" == said("stop", "django-admin", "3.2")
    assert said("stop", "django-admin", "3.2") == "django-admin 3.2 was not running\n"
    assert said("status") == "nothing was started\n"


def test_bad_names_are_errors_of_ours() -> None:
    with pytest.raises(AppUnknown):
        said("start", "wagtail", "1")
    with pytest.raises(AppNotRunning):
        said("reset", "django-admin", "3.2")

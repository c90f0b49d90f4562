from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from skillnb.errors import AppUnknown
from skillnb.testing.apps.catalogue import Release, find, releases, versions_of

MINIMAL = """\
name = "wiki"
title = "A wiki"
licence = "MIT"
files = "files"
database = "db.sqlite3"
start = "/"
ready = "/up"
ready_seconds = 5
seed = []
serve = ["{bin}/wiki", "{host}", "{port}"]
[versions."1.0"]
port = 8999
requirements = ["wiki==1.0"]
"""


def test_the_shipped_application_has_three_versions_oldest_first() -> None:
    assert [release.version for release in versions_of("django-admin")] == ["3.2", "4.2", "5.2"]


def test_every_requirement_of_every_release_is_pinned_exactly() -> None:
    loose = [
        (release.name, requirement)
        for release in releases()
        for requirement in release.requirements
        if not re.fullmatch(r"[a-z0-9._-]+==[0-9][0-9a-z.]*", requirement)
    ]
    assert loose == []


def test_preferred_ports_differ() -> None:
    ports = [release.port for release in releases()]
    assert len(ports) == len(set(ports))


def test_an_application_is_added_by_adding_a_folder(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki" / "app.toml").write_text(MINIMAL)
    release = find("wiki", "1.0", tmp_path)
    assert ("wiki-1.0", ("wiki==1.0",), tmp_path / "wiki" / "files", "/up", 5.0, ()) == (
        release.name,
        release.requirements,
        release.files,
        release.ready,
        release.ready_seconds,
        release.credentials,
    )
    assert (
        " ".join(release.fill(part, programs=Path("/env"), site=Path("/site"), port=81) for part in release.serve)
        == "/env/wiki 127.0.0.1 81"
    )


@pytest.mark.parametrize(
    ("app", "version", "said"),
    [
        ("django", "3.2", "no application django; there are: django-admin"),
        (
            "django-admin",
            "3.1",
            "no application django-admin 3.1; there are: django-admin 3.2, django-admin 4.2, django-admin 5.2",
        ),
    ],
)
def test_an_unknown_application_or_version_is_refused_with_what_there_is(app: str, version: str, said: str) -> None:
    with pytest.raises(AppUnknown) as caught:
        find(app, version)
    assert said == str(caught.value)
    assert caught.value.exit_status == 2


def test_the_digest_changes_with_files_and_commands_and_not_with_what_python_leaves(toy: Release) -> None:
    before = toy.site_digest
    (toy.files / "__pycache__").mkdir()
    (toy.files / "__pycache__" / "server.pyc").write_bytes(b"x")
    assert before == toy.site_digest
    assert before != replace(toy, seed=()).site_digest
    (toy.files / "status").write_text("204")
    assert before != toy.site_digest

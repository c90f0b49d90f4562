from __future__ import annotations

import sqlite3
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from skillnb.errors import AppUnknown
from skillnb.testing.apps import find, running
from skillnb.testing.apps.home import Home
from skillnb.testing.apps.instance import instances

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@pytest.mark.parametrize("version", ["3.2", "5.2"])
def test_an_application_runs_within_the_block_and_leaves_nothing(version: str, shared: Path) -> None:
    with running("django-admin", version, shared=shared) as app:
        url, site = app.url, app.site
        with DIRECT.open(app.start_url, timeout=5) as answer:
            assert f"{url}/admin/login/?next=/admin/" == answer.url
        assert (site / find("django-admin", version).database).is_file()
        assert app.credentials == {"DJANGO_ADMIN_USER": "admin", "DJANGO_ADMIN_PASSWORD": "pw12345!"}
        assert instances(Home(shared=shared, own=shared)) == ()
    assert not site.exists()
    with pytest.raises(OSError, match="refused"):
        DIRECT.open(url, timeout=5)


def test_reset_gives_the_seeded_data_again(shared: Path) -> None:
    with running("django-admin", "5.2", shared=shared) as app:
        url = app.url
        with closing(sqlite3.connect(app.site / "db.sqlite3")) as database, database:
            database.execute("delete from django_flatpage")
        app.reset()
        with closing(sqlite3.connect(app.site / "db.sqlite3")) as database:
            assert database.execute("select count(*) from django_flatpage").fetchone() == (8,)
        assert url == app.url


def test_two_blocks_at_once_have_their_own_data(shared: Path) -> None:
    with (
        running("django-admin", "3.2", shared=shared) as one,
        running("django-admin", "3.2", shared=shared) as other,
    ):
        assert one.url != other.url
        assert one.site != other.site


def test_it_stops_also_when_the_block_fails(shared: Path) -> None:
    sites: list[Path] = []

    def fail() -> None:
        with running("django-admin", "5.2", shared=shared) as app:
            sites.append(app.site)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [site.exists() for site in sites] == [False]


def test_an_unknown_version_is_refused_before_anything_starts(shared: Path) -> None:
    with pytest.raises(AppUnknown), running("django-admin", "1.0", shared=shared):
        pytest.fail("it started")

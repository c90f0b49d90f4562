"""The checks on real seeded databases, changed here the way the admin changes them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from skillnb.testing.apps.catalogue import find
from skillnb.testing.apps.django_admin.oracle import CHECKS, check
from skillnb.testing.apps.environment import install
from skillnb.testing.apps.home import Home
from skillnb.testing.apps.site import build, restore

LOG = (
    "insert into django_admin_log (action_time, user_id, content_type_id, object_id, object_repr, action_flag,"
    " change_message) values ('2026-01-01', 1, (select id from django_content_type where model = '{}'),"
    " '1', '{}', {}, '')"
)
LOGGED_IN = (
    "update auth_user set last_login = '2026-01-01' where username = 'admin'",
    "insert into django_session values ('k', 'd', '2026-01-01')",
)
ADDED = (
    "insert into auth_user (id, password, is_superuser, username, first_name, last_name, email, is_staff, is_active,"
    " date_joined) values (500, 'x', 0, 'nora', 'Nora', 'New', 'nora@example.org', 1, 1, '2026-01-01')",
    "insert into auth_user_groups (user_id, group_id) select 500, id from auth_group where name = 'Editors'",
    "insert into auth_user_groups (user_id, group_id) select 500, id from auth_group where name = 'Auditors'",
    LOG.format("user", "nora", 1),
    LOG.format("user", "nora", 2),
)
EDITED = (
    "update django_flatpage set title = 'Three', registration_required = 1, template_name = 't' where url = '/p3/'",
    LOG.format("flatpage", "/p3/ -- Three", 2),
)
DELETED = ("delete from auth_group where name = 'Interns'", LOG.format("group", "Interns", 3))
NORA = {
    "username": "nora",
    "first_name": "Nora",
    "last_name": "New",
    "email": "nora@example.org",
    "first_group": "Editors",
    "second_group": "Auditors",
}
DONE = {
    "log-in": (LOGGED_IN, {"user": "admin"}),
    "search-users": (LOGGED_IN, {"term": "x"}),
    "add-user": (ADDED, NORA),
    "edit-flat-page": (EDITED, {"page_url": "/p3/", "title": "Three", "template": "t"}),
    "delete-group": (DELETED, {"group": "Interns"}),
}


@pytest.fixture(params=["3.2", "5.2"])
def site(request: pytest.FixtureRequest, shared: Path, tmp_path: Path) -> Path:
    release = find("django-admin", request.param)
    home = Home(shared=shared, own=tmp_path)
    install(release, home)
    build(release, home)
    restore(release, home, tmp_path / "site")
    return tmp_path / "site"


def do(site: Path, *statements: str) -> None:
    with closing(sqlite3.connect(site / "db.sqlite3")) as database, database:
        for statement in statements:
            database.execute(statement)


def test_there_is_a_case_for_every_check() -> None:
    assert set(CHECKS) == set(DONE)


@pytest.mark.parametrize("workflow", sorted(DONE))
def test_what_was_wanted_has_no_problem(workflow: str, site: Path) -> None:
    statements, parameters = DONE[workflow]
    do(site, *statements)
    assert check(workflow, site, parameters) == ()


@pytest.mark.parametrize("workflow", sorted(DONE))
def test_nothing_done_is_a_problem(workflow: str, site: Path) -> None:
    assert check(workflow, site, DONE[workflow][1])


@pytest.mark.parametrize(
    ("workflow", "also", "said"),
    [
        ("add-user", LOG.format("user", "nora", 2), "logged changes: found [(1, 'user', 'nora'), (2, 'user', 'nora'),"),
        ("add-user", "delete from auth_user_groups where group_id = 1", "groups of nora: found [('Auditors',)],"),
        ("add-user", "update auth_user set is_staff = 0 where id = 500", "user nora: found [('Nora', 'New',"),
        ("delete-group", "delete from auth_group where name = 'Editors'", "groups: found [('Auditors',), ('Moder"),
        ("edit-flat-page", "update django_flatpage set title = 'x' where url = '/p4/'", "flat pages: found "),
        ("search-users", LOG.format("user", "user040", 2), "logged changes: found [(2, 'user', 'user040')], exp"),
        ("log-in", "insert into django_session values ('l', 'd', '2026-01-01')", "sessions: found [(2,)], exp"),
    ],
)
def test_one_thing_more_or_less_is_told(workflow: str, also: str, said: str, site: Path) -> None:
    statements, parameters = DONE[workflow]
    do(site, *statements, also)
    (problem,) = check(workflow, site, parameters)
    assert problem.startswith(said)


def test_a_check_never_makes_a_database(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        check("delete-group", tmp_path, {"group": "Interns"})
    assert list(tmp_path.iterdir()) == []

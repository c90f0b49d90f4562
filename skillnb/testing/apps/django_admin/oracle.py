"""What the application's database says after a workflow: read with sqlite3 alone, no page and nothing of ours between.

Each check returns the problems it found; an empty tuple means that exactly what was wanted happened, once.
The checks count from freshly seeded data.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

__all__ = ["add_user", "check", "CHECKS", "delete_group", "edit_flat_page", "log_in", "search_users"]

_ADDED, _CHANGED, _DELETED = 1, 2, 3
_SEEDED_USERS = 121
_SEEDED_GROUPS = {"Auditors", "Editors", "Interns", "Moderators"}
_SEEDED_PAGES = {f"/p{number}/": (f"Page {number}", 0, "") for number in range(8)}
_Parameters = Mapping[str, object]
_Row = tuple[object, ...]


def check(workflow: str, site: Path, parameters: _Parameters) -> tuple[str, ...]:
    """The problems left by ``workflow`` (its name without the site). Raises KeyError for one that nobody checks."""
    return CHECKS[workflow](site, parameters)


def log_in(site: Path, parameters: _Parameters) -> tuple[str, ...]:
    user = str(parameters.get("user", "admin"))
    logged_in = _rows(site, "select last_login is not null from auth_user where username = ?", user)
    sessions = _rows(site, "select count(*) from django_session")
    return (
        *_differs(f"{user} has logged in", [(1,)], logged_in),
        *_differs("sessions", [(1,)], sessions),
        *_log(site, ()),
    )


def search_users(site: Path, parameters: _Parameters) -> tuple[str, ...]:
    """A search changes nothing but who is logged in."""
    return (
        *log_in(site, parameters),
        *_differs("users", [(_SEEDED_USERS,)], _rows(site, "select count(*) from auth_user")),
    )


def add_user(site: Path, parameters: _Parameters) -> tuple[str, ...]:
    username = str(parameters["username"])
    user = _rows(
        site,
        "select first_name, last_name, email, is_staff, is_superuser, is_active from auth_user where username = ?",
        username,
    )
    wanted = tuple(str(parameters[name]) for name in ("first_name", "last_name", "email"))
    groups = _rows(
        site,
        "select g.name from auth_group g join auth_user_groups m on m.group_id = g.id"
        " join auth_user u on u.id = m.user_id where u.username = ? order by g.name",
        username,
    )
    wanted_groups = sorted({str(parameters["first_group"]), str(parameters["second_group"])})
    return (
        *_differs(f"user {username}", [(*wanted, 1, 0, 1)], user),
        *_differs(f"groups of {username}", [(name,) for name in wanted_groups], groups),
        *_differs("users", [(_SEEDED_USERS + 1,)], _rows(site, "select count(*) from auth_user")),
        *_log(site, ((_ADDED, "user", username), (_CHANGED, "user", username))),
    )


def edit_flat_page(site: Path, parameters: _Parameters) -> tuple[str, ...]:
    address, title = str(parameters["page_url"]), str(parameters["title"])
    template = str(parameters["template"])
    pages = _rows(site, "select url, title, registration_required, template_name from django_flatpage order by url")
    wanted: list[_Row] = [
        (url, *content) for url, content in sorted((_SEEDED_PAGES | {address: (title, 1, template)}).items())
    ]
    return (
        *_differs("flat pages", wanted, pages),
        *_log(site, ((_CHANGED, "flatpage", f"{address} -- {title}"),)),
    )


def delete_group(site: Path, parameters: _Parameters) -> tuple[str, ...]:
    group = str(parameters["group"])
    groups = _rows(site, "select name from auth_group order by name")
    wanted: list[_Row] = [(name,) for name in sorted(_SEEDED_GROUPS - {group})]
    return (
        *_differs("groups", wanted, groups),
        *_log(site, ((_DELETED, "group", group),)),
    )


CHECKS: Mapping[str, Callable[[Path, _Parameters], tuple[str, ...]]] = {
    "log-in": log_in,
    "add-user": add_user,
    "search-users": search_users,
    "edit-flat-page": edit_flat_page,
    "delete-group": delete_group,
}


def _log(site: Path, wanted: tuple[_Row, ...]) -> tuple[str, ...]:
    """The admin's own log of changes: one entry for each, so a double effect shows."""
    entries = _rows(
        site,
        "select l.action_flag, c.model, l.object_repr from django_admin_log l"
        " join django_content_type c on c.id = l.content_type_id order by l.id",
    )
    return _differs("logged changes", list(wanted), entries)


def _differs(what: str, wanted: list[_Row], found: list[_Row]) -> tuple[str, ...]:
    return () if wanted == found else (f"{what}: found {found}, expected {wanted}",)


def _rows(site: Path, query: str, *values: str) -> list[_Row]:
    with closing(sqlite3.connect(f"{(site / 'db.sqlite3').as_uri()}?mode=ro", uri=True)) as database:
        return [tuple(row) for row in database.execute(query, values)]

"""What the demonstration runs: the workflows of Django's admin, with parameters that fit the seeded data."""

from __future__ import annotations

from skillnb.terms import term

__all__ = ["APP", "SECRETS", "Task", "TASKS"]

APP = "django-admin"
SECRETS = (("NEW_USER_PASSWORD", "Xy99!zzpq"),)
"""Of the demo data, beside those of the application itself: where the workflows look for them."""


@term
class Task:
    name: str
    """Of the workflow, without the site."""
    given: tuple[tuple[str, str], ...] = ()
    """Parameters as a person gives them with ``-p``."""
    assumed: tuple[tuple[str, str], ...] = ()
    """Defaults of the workflow that the check of the database has to know."""

    @property
    def workflow(self) -> str:
        return f"{APP}/{self.name}"


TASKS = (
    Task(name="log-in"),
    Task(
        name="add-user",
        given=(("username", "zoe"), ("first_name", "Zoe"), ("last_name", "Li"), ("email", "zoe@example.org")),
        assumed=(("first_group", "Editors"), ("second_group", "Auditors")),
    ),
    Task(name="search-users", given=(("term", "user04"), ("username", "user040"))),
    Task(
        name="edit-flat-page",
        given=(("page_url", "/p3/"), ("title", "Opening hours"), ("template", "flatpages/default.html")),
    ),
    Task(name="delete-group", given=(("group", "Interns"),)),
)

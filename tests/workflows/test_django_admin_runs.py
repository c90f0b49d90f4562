"""The shipped workflows on the application itself, through the runner: outcome, paths, and what the database says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from skillnb.planning import RunOptions
from skillnb.running import run
from skillnb.terms.outcome import Outcome
from skillnb.terms.record import RunResult
from skillnb.testing.apps import RunningApp, running
from skillnb.testing.apps.django_admin.oracle import check

PROJECT = Path(__file__).parents[2]
NEW_PASSWORD = "Xy99!zzpq"
NORA = {
    "username": "nora",
    "first_name": "Nora",
    "last_name": "Núñez",
    "email": "nora@example.org",
    "first_group": "Editors",
    "second_group": "Auditors",
}
PAGE = {"page_url": "/p3/", "title": 'A "third" page & more', "template": "flatpages/default.html"}
CASES: dict[str, Mapping[str, str]] = {
    "log-in": {},
    "add-user": NORA,
    "search-users": {"term": "user04", "username": "user040"},
    "edit-flat-page": PAGE,
    "delete-group": {"group": "Interns"},
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("apps")


@pytest.fixture(scope="module")
def oldest(shared: Path) -> Iterator[RunningApp]:
    with running("django-admin", "3.2", shared=shared) as app:
        yield app


@pytest.fixture(scope="module")
def newest(shared: Path) -> Iterator[RunningApp]:
    with running("django-admin", "5.2", shared=shared) as app:
        yield app


@pytest.fixture(autouse=True)
def _secrets(oldest: RunningApp, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in oldest.credentials.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("NEW_USER_PASSWORD", NEW_PASSWORD)


def run_on(app: RunningApp, workflow: str, parameters: Mapping[str, str], out: Path) -> RunResult:
    app.reset()
    options = RunOptions(base_url=app.url, out=out, frozen=True)
    return run(f"django-admin/{workflow}", parameters, project=PROJECT, options=options)


def ways(result: RunResult) -> dict[str, str]:
    """The steps that were not done by code."""
    return {step.step: str(step.path) for step in result.steps if step.path != "code"}


@pytest.mark.parametrize("workflow", CASES)
def test_on_the_version_it_was_recorded_on_code_alone_does_it(
    workflow: str, oldest: RunningApp, tmp_path: Path
) -> None:
    result = run_on(oldest, workflow, CASES[workflow], tmp_path)
    assert (result.outcome, result.reason) == (Outcome.PASSED, "")
    assert ways(result) == {}
    assert check(workflow, oldest.site, CASES[workflow]) == ()


@pytest.mark.parametrize(
    ("workflow", "expected"),
    [
        ("add-user", {"choose-the-first-group": "procedure", "choose-the-second-group": "procedure"}),
        ("edit-flat-page", {"show-the-advanced-options": "procedure"}),
        ("delete-group", {}),
    ],
)
def test_on_the_newest_version_the_procedure_does_what_the_code_can_not(
    workflow: str, expected: Mapping[str, str], newest: RunningApp, tmp_path: Path
) -> None:
    result = run_on(newest, workflow, CASES[workflow], tmp_path)
    assert (result.outcome, result.reason) == (Outcome.PASSED, "")
    assert ways(result) == expected
    assert check(workflow, newest.site, CASES[workflow]) == ()


def test_no_password_is_left_in_anything_a_run_writes(oldest: RunningApp, tmp_path: Path) -> None:
    run_on(oldest, "add-user", NORA, tmp_path)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    secrets = [oldest.credentials["DJANGO_ADMIN_PASSWORD"].encode(), NEW_PASSWORD.encode()]
    assert written
    assert [path.name for path in written for secret in secrets if secret in path.read_bytes()] == []


def test_a_wrong_password_fails_and_changes_nothing(
    oldest: RunningApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_ADMIN_PASSWORD", "not-the-password")
    result = run_on(oldest, "log-in", {}, tmp_path)
    assert result.outcome is Outcome.FAILED
    assert [problem.partition(":")[0] for problem in check("log-in", oldest.site, {})] == [
        "admin has logged in",
        "sessions",
    ]


def test_a_name_that_is_taken_is_never_a_pass_and_nothing_is_sent_twice(oldest: RunningApp, tmp_path: Path) -> None:
    result = run_on(oldest, "add-user", NORA | {"username": "user001"}, tmp_path)
    assert result.outcome is Outcome.UNVERIFIED
    assert result.steps[-1].step == "create-the-user"
    log = (oldest.site.parents[1] / "run").glob("*.log")
    assert [path.read_text().count('"POST /admin/auth/user/add/ HTTP') for path in log] == [1]

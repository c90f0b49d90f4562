"""The commands of versions, as typed: words or one JSON object, and the exit status."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from skillnb.cli.main import app
from skillnb.errors import HeadMoved, NotAllowed, SkillnbError
from skillnb.notebook import ipynb
from skillnb.notebook.render import render
from skillnb.workspace import Workspace
from tests.test_versioning import NAME, ran, text, written


@pytest.fixture
def stored(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(workspace.root)
    assert told("new", NAME, "--json") == {"name": NAME, "version": 1, "path": f"workflows/{NAME}/versions/0001.ipynb"}
    return workspace


def said(*arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, arguments)
    if isinstance(done.exception, SkillnbError):
        raise done.exception
    assert done.exit_code == status, done.output
    return done.output


def told(*arguments: str, status: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said(*arguments, status=status))
    return found


def test_a_life_of_a_workflow(stored: Workspace) -> None:
    assert told("edit", NAME, "--json") == {"draft": f"workflows/{NAME}/draft.ipynb"}
    ipynb.write(Path(f"workflows/{NAME}/draft.ipynb"), render(text("second")))
    assert told("edit", NAME, "--why", "it says second", "--json") == {
        "name": NAME,
        "version": 2,
        "path": f"workflows/{NAME}/versions/0002.ipynb",
        "cosmetic": False,
        "origin": 1,
        "put_back": "",
    }
    with pytest.raises(NotAllowed, match="no run in"):
        said("release", NAME)
    run = ran(stored, 1)
    first = told("release", f"{NAME}@1", "--json")
    assert (first["state"], first["runs"], first["entry"]["evidence"]) == ("released", 1, [run])
    assert told("release", NAME, "--why", "by eye", "--json")["runs"] == 2
    assert told("rollback", NAME, "--why", "it was worse", "--json")["runs"] == 1
    assert told("undo", NAME, "--json")["runs"] == 2
    assert told("retire", NAME, "--why", "gone", "--json") | {"entry": 0} == {
        "name": NAME,
        "state": "retired",
        "runs": None,
        "entry": 0,
    }
    assert told("restore", NAME, "--why", "back", "--json")["state"] == "probation"
    lines = told("history", NAME, "--json")["entries"]
    assert [(line["event"], line["version"]) for line in lines] == [
        ("created", 1),
        ("edited", 2),
        ("released", 1),
        ("released", 2),
        ("rolled back", 1),
        ("undone", 1),
        ("retired", 2),
        ("restored", 2),
    ]
    assert f"released 1 from 2 by {lines[0]['who']}: passed in 1 recorded runs [1 runs: {run}]" in said("history", NAME)
    assert told("verify", "--json") == {"workflows": [{"name": NAME, "versions": 2, "problems": [], "notes": []}]}
    assert told("gc", "--json") == {"removed": True, "files": []}


def test_an_editor_is_opened_and_what_it_left_is_saved(stored: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "sed -i 's/Log out/Leave/'")
    assert "@2 made from @1" in said("edit", NAME, "--why", "it is called Leave")
    assert "Leave" in stored.shelf.path(NAME, 2).read_text("utf-8")
    Path(f"workflows/{NAME}/draft.ipynb").unlink()
    monkeypatch.setenv("EDITOR", "false")
    with pytest.raises(SkillnbError, match="the editor did not do"):
        said("edit", NAME, "--why", "w")
    assert stored.shelf.versions(NAME) == (1, 2)


def test_list_and_show(stored: Workspace) -> None:
    ran(stored, 1)
    row = told("list", "--json")["workflows"][0]
    assert (row["state"], row["version"], row["verdict"]) == (
        "provisional",
        1,
        "not enough evidence: 1 of 1 runs passed",
    )
    assert (row["burden"], row["runs"][0]["paths"]) == ({"runs": 1, "tokens": 7, "repairs": 0}, ["procedure"])
    assert "provisional" in said("list")
    facts = told("show", NAME, "--json")
    assert [step["step"] for step in facts["steps"]] == ["fill-in-the-form", "log-in"]
    assert (facts["shown"], facts["versions"][0]["runs_now"], facts["without_gates"]) == (1, True, [])
    assert "step log-in: Log in (code, idempotent)" in said("show", f"{NAME}@1")


def test_diff_by_steps_and_beneath_by_cells(stored: Workspace) -> None:
    said("edit", NAME, str(written(stored, text("second"))), "--base", "1", "--why", "w")
    plain = said("diff", f"{NAME}@1", f"{NAME}@2")
    assert "step log-in: changed\n  code\n" in plain
    assert "    +# second" in plain
    assert "\x1b" not in plain
    assert "nbdiff" not in plain
    facts = told("diff", f"{NAME}@1", f"{NAME}@2", "--cells", "--json")
    assert (facts["same"], [step["step"] for step in facts["steps"]]) == (False, ["fill-in-the-form", "log-in"])
    assert "## modified /cells/" in facts["cells"]
    assert told("diff", NAME, f"{NAME}@2", "--json")["steps"] == []


def test_a_draft_that_others_have_overtaken_is_refused(stored: Workspace) -> None:
    said("edit", NAME)
    said("edit", NAME, str(written(stored, text("theirs"))), "--base", "1", "--why", "theirs")
    ipynb.write(Path(f"workflows/{NAME}/draft.ipynb"), render(text("mine")))
    with pytest.raises(HeadMoved, match="version 2"):
        said("edit", NAME, "--why", "mine")


def test_a_torn_history_and_a_changed_version_are_told_and_mended(stored: Workspace) -> None:
    with stored.shelf.history_path(NAME).open("ab") as file:
        file.write(b"{")
    ipynb.write(stored.shelf.path(NAME, 1), render(text("typed")))
    assert said("history", NAME, status=1).count("broke off") == 1
    before = said("verify", status=1)
    assert "history.jsonl:2: the line broke off" in before
    assert "0001.ipynb was changed by hand" in before
    assert "1 in order, 0 not" in said("verify", NAME, "--repair")
    assert told("verify", "--json")["workflows"][0]["problems"] == []


def test_nbdimes_page_is_served_on_loopback_until_it_is_told_to_end(stored: Workspace) -> None:
    said("edit", NAME, str(written(stored, text("second"))), "--base", "1", "--why", "w")
    main = "from skillnb.cli.main import main; main()"
    command = [sys.executable, "-u", "-c", main, "diff", f"{NAME}@1", f"{NAME}@2", "--web"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(url, timeout=30) as answer:
            assert b"0002.ipynb" in answer.read()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(url, timeout=5)


def test_a_port_that_is_taken_is_told(stored: Workspace) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        main = "from skillnb.cli.main import main; main()"
        command = [sys.executable, "-c", main, "diff", NAME, f"{NAME}@1", "--web", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"port {port} on 127.0.0.1 is taken" in done.stderr

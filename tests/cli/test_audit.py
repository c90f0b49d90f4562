"""``skillnb audit secrets`` as a person types it; what it finds is tested in ``tests/test_auditing.py``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from skillnb.codec import canonical
from skillnb.notebook import ipynb
from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.notebook.render import render
from skillnb.rules.parameterlines import parse_parameters
from skillnb.store.traces import TraceFile
from skillnb.terms.trace import RunStarted, StepStarted
from skillnb.workspace import Workspace

RUN = "20260101T000000000Z-abcdef"


@pytest.fixture
def folder(workspace: Workspace) -> Path:
    """A workspace with a run that left one secret in clear, in percent, and in a picture."""
    parameters = parse_parameters('token = "env:TOKEN"  # secret: of the shop').parameters
    step = StepDraft(name="look", intent="Look", procedure=("Look at the page.",), post='await gate.url("**")')
    made = compose(Header(name="shop/look", site="shop"), "# Look", parameters, (step,))
    path = workspace.root / "workflows" / "shop" / "look" / "versions" / "0001.ipynb"
    path.parent.mkdir(parents=True)
    ipynb.write(path, render(made))
    place = workspace.logs / "shop" / "2026-01-01"
    blob = workspace.logs / "blobs" / "ab" / ("ab" * 32 + ".jpg")
    blob.parent.mkdir(parents=True)
    blob.write_bytes(b"\xff\xd8\xff\xe1Exif k%65y-7 & more")
    trace = TraceFile(place / f"{RUN}.jsonl", RUN, lambda: "2026-01-01T00:00:00.000000Z", lambda event: event)
    trace.write(
        RunStarted(
            workflow="shop/look",
            version=1,
            version_id="",
            calls=(),
            parameters=canonical({"token": "[secret]"}),
            base_url="",
            task_type="",
            site="shop",
            options=(),
            machine="",
            path="",
            resumes="",
        )
    )
    trace.write(StepStarted(step="look", intent=f"sha256:{'ab' * 32}"))
    trace.close()
    (place / f"{RUN}.failure.json").write_text(json.dumps({"reason": "it said key-7 & more"}), "utf-8")
    return workspace.root


def audit(folder: Path, *arguments: str, token: str = "key-7 & more") -> subprocess.CompletedProcess[str]:
    code = "from skillnb.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "audit", "secrets", *arguments],
        cwd=folder,
        env={**os.environ, "TOKEN": token},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_found_is_told_by_name_and_file(folder: Path) -> None:
    done = audit(folder, RUN)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"found  token  in replay_logs/shop/2026-01-01/{RUN}.failure.json"
    assert lines[1] == f"found  token  in replay_logs/blobs/ab/{'ab' * 32}.jpg"
    assert lines[2].startswith(f"{RUN}: 2 found in 3 files, ")
    assert "key-7" not in done.stdout


def test_as_json(folder: Path) -> None:
    told = json.loads(audit(folder, f"replay_logs/shop/2026-01-01/{RUN}.jsonl", "--json").stdout)
    assert [(leak["secret"], Path(leak["file"]).suffix) for leak in told["leaks"]] == [
        ("token", ".json"),
        ("token", ".jpg"),
    ]
    assert (told["run_id"], told["secrets"], told["short"], told["words"]) == (RUN, ["token"], [], [])


def test_a_clean_run_is_zero(folder: Path) -> None:
    done = audit(folder, RUN, token="something else")
    assert (done.returncode, done.stderr) == (0, "")


def test_other_secrets_are_looked_for_too(folder: Path) -> None:
    done = audit(folder, RUN, "-p", "card=it said", token="something else")
    assert done.returncode == 1
    assert done.stdout.startswith("found  card  in ")


@pytest.mark.parametrize(
    ("arguments", "token", "told"),
    [
        (["no-such-run"], "x", "there is no trace of it"),
        ([RUN], "", "`token` (secret)"),
        (["workflows/shop/look/versions/0001.ipynb"], "x", "no notebook that a run has left"),
        ([RUN, "-p", "key-7 & more"], "x", "a parameter is given as key=value"),
    ],
)
def test_what_can_not_be_audited_is_a_usage_error(folder: Path, arguments: list[str], token: str, told: str) -> None:
    done = audit(folder, *arguments, token=token)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "key-7" not in done.stderr

"""``skillnb import``, ``export`` and ``record`` as a person calls them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from skillnb.cli.main import main
from skillnb.errors import NotARecording, NotRecorded
from skillnb.importing import Asked, record
from skillnb.workspace import Workspace

RECORDING = """\
await page.goto("http://127.0.0.1:8200/contact")
await page.get_by_label("Message").fill("Where is my lamp?")
await page.get_by_role("button", name="Send").click()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "workflows").mkdir()
    (tmp_path / "recording.py").write_text(RECORDING, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["skillnb", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


def test_a_recording_is_imported_checked_exported_and_taken_back(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out, _ = said(capsys, monkeypatch, "import", "codegen", "recording.py", "--name", "kit/ask", "--json")
    told = json.loads(out)
    assert (status, told["path"]) == (0, "workflows/kit/ask/versions/0001.ipynb")
    assert told["steps"] == [
        {"step": "fill-in-message", "intent": "Fill in Message", "effect": "idempotent", "gated": True},
        {"step": "send", "intent": "Send", "effect": "once", "gated": False},
    ]
    assert [each["name"] for each in told["parameters"]] == ["message"]
    assert {each["line"] for each in told["remarks"]} == {3}
    assert [each["code"] for each in told["findings"]] == ["no-post-gate"]
    assert said(capsys, monkeypatch, "check", "workflows")[0] == 0
    status, out, _ = said(capsys, monkeypatch, "export", "skill", "kit/ask", "--out", "out", "--json")
    exported = json.loads(out)
    assert (status, exported["skill"]) == (0, "kit-ask")
    (folder / "b" / "workflows").mkdir(parents=True)
    status, out, _ = said(capsys, monkeypatch, "import", "skill", "out/kit-ask", "--project", "b", "--json")
    back = json.loads(out)
    assert (status, back["version_id"], back["guidance_only"]) == (0, exported["version_id"], False)


def test_in_words_every_step_parameter_remark_and_finding_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out, _ = said(capsys, monkeypatch, "import", "codegen", "recording.py", "--name", "kit/ask")
    assert status == 0
    assert "once        Send  gate to be written\n" in out
    assert 'parameter   message  string  typed into Message; recorded as "Where is my lamp?"\n' in out
    assert "line 3: gate to be written" in out
    assert "warning: cell send-procedure: step 'send' has no post gate" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["import", "codegen", "recording.py", "--name", "ask"], "site/name"),
        (["import", "codegen", "nowhere.py", "--name", "kit/ask"], "can't be read"),
        (["import", "codegen", "recording.py", "--name", "kit/ask", "-p", "class=x"], "not a parameter with a value"),
        (["import", "codegen", "recording.py", "--name", "kit/ask", "--secret", "pin"], "found are message"),
        (["import", "codegen", "recording.py", "--name", "kit/ask", "--start-url", "shop"], "runs would start at"),
        (["import", "skill", "."], "SKILL.md: can't be read"),
        (["export", "skill", "kit/none", "--out", "out"], "no workflow kit/none"),
    ],
)
def test_what_can_not_be_done_ends_with_2_and_writes_nothing(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    told: str,
) -> None:
    status, out, error = said(capsys, monkeypatch, *arguments)
    assert (status, out) == (2, "")
    assert told in error
    assert list((folder / "workflows").iterdir()) == []


def test_a_second_import_overwrites_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("import", "codegen", "recording.py", "--name", "kit/ask")
    assert said(capsys, monkeypatch, *arguments)[0] == 0
    before = (folder / "workflows/kit/ask/versions/0001.ipynb").read_bytes()
    status, _, error = said(capsys, monkeypatch, *arguments)
    assert status == 1
    assert "nothing was overwritten" in error
    assert (folder / "workflows/kit/ask/versions/0001.ipynb").read_bytes() == before


GENERATOR = """\
import sys, pathlib
at = sys.argv.index("-o")
assert sys.argv[1:at] == ["codegen"] and sys.argv[at + 2] == "http://127.0.0.1:8200/contact"
pathlib.Path(sys.argv[at + 1]).write_text({text!r}, "utf-8")
print("the window was closed", file=sys.stderr)
sys.exit({status})
"""
"""Stands for the generator's process only: what it writes is imported for real."""


def recorded(folder: Path, text: str, status: int = 0, display: str = ":9") -> str:
    script = folder / "generator.py"
    script.write_text(GENERATOR.format(text=text, status=status), "utf-8")
    environment = {**os.environ, "DISPLAY": display, "WAYLAND_DISPLAY": ""}
    url = "http://127.0.0.1:8200/contact"
    made = record(
        Workspace(folder), url, Asked("kit/ask"), "ann", "now", environment, (sys.executable, str(script), "codegen")
    )
    return " ".join(step.name for step in made.workflow.steps)


def test_what_was_recorded_is_imported(folder: Path) -> None:
    assert recorded(folder, RECORDING) == "fill-in-message send"


@pytest.mark.parametrize(
    ("text", "status", "display", "told"),
    [
        (RECORDING, 0, "", "there is no display"),
        (RECORDING, 3, ":9", "the generator ended with status 3: the window was closed"),
        ("", 0, ":9", "the generator wrote nothing"),
    ],
)
def test_nothing_recorded_is_told(folder: Path, text: str, status: int, display: str, told: str) -> None:
    with pytest.raises(NotRecorded, match=told):
        recorded(folder, text, status, display)
    assert list((folder / "workflows").iterdir()) == []


def test_a_recording_that_can_not_be_taken_over_names_its_lines(folder: Path) -> None:
    with pytest.raises(NotARecording, match="line 4: mouse is no part of a locator"):
        recorded(folder, RECORDING + "await page.mouse.move(1, 2)\n")

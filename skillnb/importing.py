"""Wiring of ``skillnb import codegen`` and ``skillnb record``: a recording becomes the first version of a workflow."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from skillnb.browser.chromium import find_chromium
from skillnb.errors import NotARecording, NotRecorded, UsageError, VersionExists
from skillnb.notebook.recorded import from_recording
from skillnb.notebook.render import render
from skillnb.rules.foundvalues import may_be_named
from skillnb.rules.lint import lint
from skillnb.rules.naming import reference
from skillnb.rules.proposing import Proposal, proposed
from skillnb.rules.recordedcalls import Refused
from skillnb.rules.recording import Recording, read_recording
from skillnb.terms.finding import Finding
from skillnb.terms.workflow import Workflow
from skillnb.workspace import Workspace

__all__ = ["Asked", "GENERATOR", "import_recording", "Imported", "record"]

GENERATOR = (sys.executable, "-m", "playwright", "codegen", "--target", "python-async")


class Asked(NamedTuple):
    """What the person says beyond the recording."""

    name: str
    start_url: str = ""
    values: Mapping[str, str] = {}
    secrets: frozenset[str] = frozenset()


class Imported(NamedTuple):
    path: Path
    workflow: Workflow
    proposal: Proposal
    findings: tuple[Finding, ...]
    """What the check of the new notebook found."""


def import_recording(workspace: Workspace, file: Path, asked: Asked, who: str, at: str) -> Imported:
    """Nothing is run and nothing overwritten. Raises NotARecording with every line that can't be taken over."""
    name = reference(asked.name).name
    if workspace.shelf.versions(name):
        raise VersionExists(name=name, version=1)
    bad = [given for given, value in asked.values.items() if not may_be_named(given) or not value.strip()]
    if bad:
        remedy = "write -p name=value, the name in letters, digits and underscores, no word of Python's"
        raise UsageError("not a parameter with a value", where="-p", found=repr(bad[0]), remedy=remedy)
    proposal = _proposal(file, asked)
    workflow = from_recording(name, proposal)
    path = workspace.add(workflow, who, "imported from a recording", at)
    return Imported(path, workflow, proposal, lint(render(workflow), str(path)))


def record(
    workspace: Workspace,
    url: str,
    asked: Asked,
    who: str,
    at: str,
    environment: Mapping[str, str],
    generator: Sequence[str] = GENERATOR,
) -> Imported:
    """Show a browser, let a person do the task, import what was done. Raises NotRecorded."""
    name = reference(asked.name).name
    if workspace.shelf.versions(name):
        raise VersionExists(name=name, version=1)
    if sys.platform.startswith("linux") and not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        remedy = "record on a machine with a screen (`playwright codegen`), then `skillnb import codegen FILE`"
        raise NotRecorded(where=url, problem="there is no display (DISPLAY is not set)", remedy=remedy)
    with tempfile.TemporaryDirectory(prefix="skillnb-") as folder:
        file = Path(folder) / "recording.py"
        _generate([*generator, "-o", str(file), url], url, environment)
        if not file.is_file() or not file.read_bytes().strip():
            remedy = "do the task in the window that opens, then close it"
            raise NotRecorded(where=url, problem="the generator wrote nothing", remedy=remedy)
        return import_recording(workspace, file, asked, who, at)


def _proposal(file: Path, asked: Asked) -> Proposal:
    where = str(file)
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise NotARecording(where=where, findings=(f"can't be read: {error.strerror}",)) from None
    except UnicodeDecodeError as error:
        raise NotARecording(where=where, findings=(f"is not UTF-8 at byte {error.start}: save it again",)) from None
    read = read_recording(text)
    if not isinstance(read, Recording):
        raise NotARecording(where=where, findings=_told(read))
    made = proposed(read, asked.start_url, asked.values, asked.secrets)
    if not isinstance(made, Proposal):
        raise NotARecording(where=where, findings=_told(made))
    return made


def _told(refused: Sequence[Refused]) -> tuple[str, ...]:
    return tuple(f"line {each.line}: {each.reason}; {each.remedy}" for each in refused)


def _generate(command: Sequence[str], url: str, environment: Mapping[str, str]) -> None:
    """The generator ends when the person closes its window. It finds the system's Chromium by a variable of its own."""
    chromium = find_chromium(environment)
    own = {**environment, "PWTEST_CLI_EXECUTABLE_PATH": str(chromium)}
    ended = subprocess.run(command, env=own, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    if ended.returncode:
        problem = f"the generator ended with status {ended.returncode}"
        said = ended.stderr.strip()[-400:] or "no message"
        raise NotRecorded(where=url, problem=f"{problem}: {said}", remedy="run `skillnb doctor`")

"""Wiring of ``skillnb export skill`` and ``skillnb import skill``: a workflow as a SKILL.md folder, and back."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from skillnb.errors import CorruptVersion, NotASkill, UsageError, VersionExists
from skillnb.notebook import ipynb
from skillnb.notebook.foreign import from_foreign
from skillnb.notebook.frontmatter import BadFrontmatter, Frontmatter, read_frontmatter, write_frontmatter
from skillnb.notebook.identity import version_id
from skillnb.notebook.render import render
from skillnb.rules.lint import lint
from skillnb.rules.naming import reference
from skillnb.rules.readings import readings
from skillnb.rules.skillbody import foreign_steps, written_body
from skillnb.rules.skillhead import SkillHead, described, head_problems, skill_head, skill_name
from skillnb.terms.action import Abstain
from skillnb.terms.finding import Finding
from skillnb.terms.workflow import Workflow
from skillnb.workspace import Workspace

__all__ = ["export_skill", "Exported", "import_skill", "ImportedSkill"]

_FILE = "SKILL.md"
_NOTEBOOK = "workflow.ipynb"
_PREFIX = "skillnb-"


class Exported(NamedTuple):
    folder: Path
    skill: str
    version_id: str


class ImportedSkill(NamedTuple):
    path: Path
    workflow: Workflow
    version_id: str
    foreign: bool
    remarks: tuple[str, ...]
    findings: tuple[Finding, ...]


def export_skill(workspace: Workspace, name: str, out: Path) -> Exported:
    """Writes ``<out>/<skill>/``, which must not exist yet."""
    loaded = workspace.load(name)
    skill = skill_name(loaded.workflow.name)
    folder = out / skill
    if folder.exists():
        raise UsageError("there is something already", where=str(folder), remedy="remove it, or name another --out")
    identity = loaded.version.id
    head: dict[str, object] = {
        "name": skill,
        "description": described(loaded.workflow),
        "metadata": {
            f"{_PREFIX}workflow": loaded.workflow.name,
            f"{_PREFIX}version": identity,
            f"{_PREFIX}notebook": _NOTEBOOK,
        },
    }
    body = written_body(loaded.workflow, loaded.version.number, _NOTEBOOK)
    folder.mkdir(parents=True)
    ipynb.write(folder / _NOTEBOOK, render(loaded.workflow))
    (folder / _FILE).write_text(write_frontmatter(Frontmatter(head, body)), encoding="utf-8")
    return Exported(folder, skill, identity)


def import_skill(workspace: Workspace, folder: Path, name: str, start_url: str, who: str, at: str) -> ImportedSkill:
    """``name`` (``site/name``) is needed for a skill without a notebook of ours. Raises NotASkill, CorruptVersion."""
    head, body = _read(folder)
    remarks = tuple(f"the key {key} is not one of the format and was not taken over" for key in head.others)
    ours = head.metadata.get(f"{_PREFIX}notebook", "")
    if ours:
        return _ours(workspace, folder, ours, head, remarks, name, who, at)
    if not name:
        raise NotASkill(
            where=str(folder),
            problem="the skill has no notebook, so it does not say which workflow it is",
            remedy=f"say it: --name site/{head.name}",
        )
    wanted = _free(workspace, name)
    steps = foreign_steps(body, head.description)
    workflow = from_foreign(wanted, start_url, head, body, steps)
    path = workspace.add(workflow, who, f"imported from the skill {head.name}, unverified", at)
    remarks = (*remarks, *_foreign_remarks(workflow, folder))
    return ImportedSkill(path, workflow, version_id(workflow), True, remarks, lint(render(workflow), str(path)))


def _ours(
    workspace: Workspace,
    folder: Path,
    notebook: str,
    head: SkillHead,
    remarks: tuple[str, ...],
    name: str,
    who: str,
    at: str,
) -> ImportedSkill:
    if Path(notebook).name != notebook:
        remedy = "name a file of the folder itself"
        raise NotASkill(where=str(folder / _FILE), problem=f"the notebook is {notebook!r}", remedy=remedy)
    loaded = workspace.load_file(folder / notebook)
    stated = head.metadata.get(f"{_PREFIX}version", "")
    if stated and stated != loaded.version.id:
        where = f"{folder / notebook} (to take it as it is now, remove {_PREFIX}version from {_FILE})"
        raise CorruptVersion(where=where, found=loaded.version.id, expected=f"{stated} ({_FILE})")
    if name and reference(name).name != loaded.workflow.name:
        remedy = "leave out --name: a workflow's name is part of what it is"
        raise UsageError("the notebook has another name", where=name, found=loaded.workflow.name, remedy=remedy)
    _free(workspace, loaded.workflow.name)
    path = workspace.add(loaded.workflow, who, f"imported from the skill {head.name}", at)
    findings = lint(render(loaded.workflow), str(path))
    return ImportedSkill(path, loaded.workflow, loaded.version.id, False, remarks, findings)


def _free(workspace: Workspace, name: str) -> str:
    wanted = reference(name).name
    if workspace.shelf.versions(wanted):
        raise VersionExists(name=wanted, version=1)
    return wanted


def _read(folder: Path) -> tuple[SkillHead, str]:
    file = folder / _FILE
    remedy = "see docs/import.md for the format"
    try:
        text = file.read_bytes().decode("utf-8")
    except OSError as error:
        raise NotASkill(where=str(file), problem=f"can't be read: {error.strerror}", remedy=remedy) from None
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 at byte {error.start}"
        raise NotASkill(where=str(file), problem=problem, remedy="save it again as UTF-8") from None
    read = read_frontmatter(text)
    if isinstance(read, BadFrontmatter):
        raise NotASkill(where=f"{file}, line {read.line}", problem=read.problem, remedy=remedy)
    problems = list(head_problems(read.head, folder.resolve().name))
    if problems:
        raise NotASkill(where=str(file), problem="; ".join(problems), remedy=remedy)
    return skill_head(read.head), read.body


def _foreign_remarks(workflow: Workflow, folder: Path) -> tuple[str, ...]:
    names = frozenset(parameter.name for parameter in workflow.parameters)
    said = [text for step in workflow.steps for text in step.procedure]
    lost = sum(isinstance(readings(text, names), Abstain) for text in said)
    made = [
        "the skill has no notebook: its steps are guidance only (no code, no gates), and runs stay unverified",
        f"{lost} of {len(said)} sentences are not understood without a model; of others a page tells if they fit",
    ]
    others = sorted(file.name for file in folder.iterdir() if file.name != _FILE)
    return (*made, f"not taken over: {', '.join(others)}") if others else tuple(made)

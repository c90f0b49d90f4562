"""A workflow as a skill folder and back; skills of others, which hold no notebook of ours."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.errors import BadName, CorruptVersion, InvalidWorkflow, NotASkill, UsageError, VersionExists
from skillnb.notebook.example import example
from skillnb.notebook.frontmatter import BadFrontmatter, Frontmatter, read_frontmatter, write_frontmatter
from skillnb.notebook.identity import version_id
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.render import render
from skillnb.rules.skillhead import DESCRIPTION_LENGTH, NAME_LENGTH, head_problems, skill_name
from skillnb.skillfolders import ImportedSkill, export_skill, import_skill
from skillnb.terms.workflow import Effect, Workflow
from skillnb.workspace import Workspace
from tests.strategies import workflows

FOREIGN = """\
---
name: tidy-up
description: Tidies the shelf of {customer}. Use it when a shelf is full.
license: Apache-2.0
version: 3
metadata:
  author: somebody
---

# Tidy up

## When to use

- when the shelf is full

## Clear the shelf

1. Open "/shelves/{customer}".
2. Press "Clear".
   and wait for "Cleared"

```
1. not a step
```

## Tell {page} about it

* Go on as seems best to you
"""


def workspace(folder: Path) -> Workspace:
    (folder / "workflows").mkdir(parents=True)
    return Workspace(folder)


def filled(folder: Path, workflow: Workflow) -> Workspace:
    made = workspace(folder)
    made.add(workflow, "ann", "test", "2026-03-02T00:00:00+00:00")
    return made


def taken(into: Workspace, folder: Path, name: str = "", start: str = "") -> ImportedSkill:
    return import_skill(into, folder, name, start, "bo", "2026-03-02T00:00:00+00:00")


def foreign(folder: Path, text: str = FOREIGN, name: str = "tidy-up") -> Path:
    (folder / name).mkdir(parents=True)
    (folder / name / "SKILL.md").write_text(text, "utf-8")
    return folder / name


@given(workflows())
@settings(max_examples=40, deadline=None)
def test_what_is_exported_comes_back_as_the_same_version(
    tmp_path_factory: pytest.TempPathFactory, workflow: Workflow
) -> None:
    tmp_path = tmp_path_factory.mktemp("skill")
    try:
        here = filled(tmp_path / "here", workflow)
    except InvalidWorkflow:
        return  # drafts of the strategy that the check refuses are no workflows
    made = export_skill(here, workflow.name, tmp_path / "out")
    there = workspace(tmp_path / "there")
    got = taken(there, made.folder)
    assert (got.version_id, got.foreign) == (version_id(workflow), False)
    assert there.load(workflow.name).version.id == here.load(workflow.name).version.id
    head = read_frontmatter((made.folder / "SKILL.md").read_text("utf-8"))
    assert isinstance(head, Frontmatter)
    assert list(head_problems(head.head, made.folder.name)) == []
    assert sorted(head.head) == ["description", "metadata", "name"]


def test_the_file_reads_like_the_workflow(tmp_path: Path) -> None:
    made = export_skill(filled(tmp_path / "w", example("kit/log-in", None)), "kit/log-in", tmp_path / "out")
    text = (made.folder / "SKILL.md").read_text("utf-8")
    assert text.startswith(
        "---\nname: kit-log-in\ndescription: 'Log in to the administration. Use it when a task needs"
    )
    assert '### 1. Fill in the log-in form\n\n1. Type {username} into "Username".' in text
    assert '- before: `gate.url("**/login/**")`' in text
    assert "- `password` (secret): read from the environment when the run begins" in text
    assert sorted(file.name for file in made.folder.iterdir()) == ["SKILL.md", "workflow.ipynb"]
    with pytest.raises(UsageError, match="there is something already"):
        export_skill(Workspace(tmp_path / "w"), "kit/log-in", tmp_path / "out")


def test_a_notebook_changed_since_its_export_is_refused_until_the_head_lets_it_pass(tmp_path: Path) -> None:
    made = export_skill(filled(tmp_path / "w", example("kit/log-in", None)), "kit/log-in", tmp_path / "out")
    notebook, head = made.folder / "workflow.ipynb", made.folder / "SKILL.md"
    notebook.write_text(notebook.read_text("utf-8").replace("Log out", "Leave"), "utf-8")
    into = workspace(tmp_path / "there")
    with pytest.raises(CorruptVersion, match="remove skillnb-version"):
        taken(into, made.folder)
    assert into.shelf.names() == ()
    head.write_text(re.sub(r"  skillnb-version: .*\n", "", head.read_text("utf-8")), "utf-8")
    assert taken(into, made.folder).version_id != made.version_id


def test_nothing_is_overwritten_or_renamed(tmp_path: Path) -> None:
    here = filled(tmp_path / "w", example("kit/log-in", None))
    made = export_skill(here, "kit/log-in", tmp_path / "out")
    with pytest.raises(VersionExists):
        taken(here, made.folder)
    with pytest.raises(UsageError, match="another name"):
        taken(workspace(tmp_path / "there"), made.folder, "kit/other")
    moved = shutil.copytree(made.folder, tmp_path / "elsewhere")
    with pytest.raises(NotASkill, match="but the folder is 'elsewhere'"):
        taken(Workspace(tmp_path / "there"), moved)


def test_a_foreign_skill_is_guidance_only_and_says_so(tmp_path: Path) -> None:
    folder = foreign(tmp_path)
    (folder / "helper.py").write_text("print()\n", "utf-8")
    into = workspace(tmp_path / "w")
    got = taken(into, folder, "kit/tidy-up", "http://127.0.0.1/")
    assert got.foreign
    assert got.remarks == (
        "the key version is not one of the format and was not taken over",
        "the skill has no notebook: its steps are guidance only (no code, no gates), and runs stay unverified",
        "0 of 3 sentences are not understood without a model; of others a page tells if they fit",
        "not taken over: helper.py",
    )
    workflow = into.load("kit/tidy-up").workflow
    first, second = workflow.steps
    assert (first.intent, first.procedure) == (
        "Clear the shelf",
        ('Open "/shelves/{customer}".', 'Press "Clear". and wait for "Cleared"'),
    )
    assert (second.intent, second.procedure) == ("Tell (page) about it", ("Go on as seems best to you",))
    assert [parameter.name for parameter in workflow.parameters] == ["customer"]
    for step in workflow.steps:
        assert (step.code, step.post, step.settings.formalized, step.settings.effect) == ((), (), False, Effect.ONCE)
    assert {found.code for found in got.findings} == {"no-post-gate"}
    assert "unverified" in into.shelf.history("kit/tidy-up")[0].why


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: the file does not begin with a line ---"),
        ("---\nname: tidy-up\n", "line 1: the head that begins"),
        ("---\nname: [tidy\n---\n", "line 2: not YAML"),
        ("---\n- a\n---\n", "line 2: the head is no list"),
        ("---\nname: tidy-up\n---\n", "there is no description"),
        ("---\nname: Tidy\ndescription: x\n---\n", "name is 'Tidy', not at most 64"),
        ("---\nname: tidy--up\ndescription: x\n---\n", "single hyphens"),
        (f"---\nname: {'a' * 65}\ndescription: x\n---\n", "not at most 64"),
        (f"---\nname: tidy-up\ndescription: {'x' * 1025}\n---\n", "has 1025 characters, more than 1024"),
        ("---\nname: tidy-up\ndescription: x\nmetadata: y\n---\n", "metadata is no list"),
        ("---\nname: tidy-up\ndescription: x\nmetadata:\n  skillnb-notebook: ../a.ipynb\n---\n", "the notebook is"),
        (FOREIGN, "say it: --name site/tidy-up"),
    ],
)
def test_what_breaks_the_format_is_refused_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    folder, into = foreign(tmp_path, text), workspace(tmp_path / "w")
    with pytest.raises(NotASkill, match=re.escape(told)):
        taken(into, folder)
    assert into.shelf.names() == ()


def test_a_bad_name_and_a_missing_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(BadName):
        taken(workspace(tmp_path / "w"), foreign(tmp_path), "tidy up")
    with pytest.raises(NotASkill, match="can't be read"):
        taken(Workspace(tmp_path / "w"), tmp_path / "nowhere")


@given(st.text(max_size=80), st.text(max_size=80))
@settings(max_examples=60)
def test_any_text_has_a_head_or_a_line_with_what_is_wrong(head: str, body: str) -> None:
    for text in (head, f"---\n{head}\n---\n{body}"):
        read = read_frontmatter(text)
        assert isinstance(read, Frontmatter) or (isinstance(read, BadFrontmatter) and read.problem and read.line > 0)


@given(
    st.dictionaries(st.sampled_from(["name", "description", "x"]), st.text(st.characters(codec="utf-8"), max_size=40))
)
def test_a_head_reads_back_as_it_was_written(head: dict[str, object]) -> None:
    read = read_frontmatter(write_frontmatter(Frontmatter(head, "# Body")))
    assert read == Frontmatter(head, "# Body\n")


@given(st.from_regex(r"[a-z0-9]{1,20}(-[a-z0-9]{1,10}){0,5}/[a-z0-9]{1,20}(-[a-z0-9]{1,10}){0,5}", fullmatch=True))
def test_every_workflow_has_a_name_as_a_skill(name: str) -> None:
    assert list(head_problems({"name": skill_name(name), "description": "x"}, skill_name(name))) == []
    assert len(skill_name(name)) <= NAME_LENGTH < DESCRIPTION_LENGTH


@given(st.text(st.characters(codec="utf-8"), max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_body_of_a_foreign_skill_becomes_a_workflow_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, body: str
) -> None:
    tmp_path = tmp_path_factory.mktemp("foreign")
    folder = foreign(tmp_path, f"---\nname: tidy-up\ndescription: Tidies.\n---\n\n## Go\n\n1. {body}\n\n{body}\n")
    try:
        got = taken(workspace(tmp_path / "w"), folder, "kit/tidy-up")
    except InvalidWorkflow as refused:
        told = refused.findings
    else:
        told = tuple(step.intent for step in parse_workflow(render(got.workflow), "it").steps)
    assert told


def test_the_notebook_inside_is_plain_json_without_outputs(tmp_path: Path) -> None:
    made = export_skill(filled(tmp_path / "w", example("kit/log-in", None)), "kit/log-in", tmp_path / "out")
    nb = json.loads((made.folder / "workflow.ipynb").read_text("utf-8"))
    assert all(not cell.get("outputs") for cell in nb["cells"])

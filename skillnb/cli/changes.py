"""``skillnb edit``, ``release``, ``rollback``, ``undo``, ``retire`` and ``restore``: what a person changes."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import Annotated, Any

import typer

from skillnb.cli.opened import imported, opened
from skillnb.cli.told import print_json
from skillnb.cli.versions import entry_line
from skillnb.errors import UsageError

__all__ = ["edit", "release", "restore", "retire", "rollback", "undo"]

_Name = Annotated[str, typer.Argument(help="site/name")]
_Numbered = Annotated[str, typer.Argument(help="site/name, or site/name@3")]
_Why = Annotated[str, typer.Option(help="for what reason; it is recorded")]
_Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
_Project = Annotated[Path | None, typer.Option(help="the workspace; else found from here")]


def edit(
    name: _Numbered,
    file: Annotated[Path | None, typer.Argument(help="the edited notebook; else the workflow's draft.ipynb")] = None,
    why: _Why = "",
    base: Annotated[int | None, typer.Option(help="the newest version that FILE's writer knew of")] = None,
    as_json: _Json = False,
    project: _Project = None,
) -> None:
    """Save a changed notebook as the next version. Without FILE a draft is made, and saved the next time."""
    workspace, versioning = opened(project, os.environ), imported("skillnb.versioning")
    plain = imported("skillnb.rules.naming").reference(name).name
    draft = versioning.draft_of(workspace, plain)
    if (
        file is None
        and not draft.exists()
        and not _begun(versioning.started_draft(workspace, name), name, why, as_json)
    ):
        return
    made = versioning.save(workspace, plain, file or draft, _who(workspace), why, base=base)
    if as_json:
        print_json({"name": plain, **made._asdict(), "path": str(made.path)})
    elif made.cosmetic:
        typer.echo(f"{plain}@{made.version} means the same: no new version, and what is known of it stays")
    else:
        typer.echo(f"{plain}@{made.version} made from @{made.origin}: {made.path}")
        typer.echo(
            f"see `skillnb diff {plain}@{made.origin} {plain}@{made.version}`, then run it: `skillnb run "
            f"{plain}@{made.version}`"
        )
    if made.put_back and not as_json:
        typer.echo(f"@{made.origin} is as it was written again; what was typed into it is {made.put_back}")


def release(name: _Numbered, why: _Why = "", as_json: _Json = False, project: _Project = None) -> None:
    """Serve the newest version, or the one named, from now on. It needs a passing run, or somebody's word in --why."""
    _change(name, "released", why, as_json, project)


def rollback(
    name: _Name,
    why: _Why,
    to: Annotated[int | None, typer.Option(help="the version; else the one released before", min=1)] = None,
    as_json: _Json = False,
    project: _Project = None,
) -> None:
    """Serve an earlier released version again."""
    _change(name, "rolled back", why, as_json, project, to)


def undo(name: _Name, why: _Why = "", as_json: _Json = False, project: _Project = None) -> None:
    """Take back the last release, roll-back, retirement or restoration."""
    _change(name, "undone", why, as_json, project)


def retire(name: _Name, why: _Why, as_json: _Json = False, project: _Project = None) -> None:
    """Serve it no more; versions and history stay."""
    _change(name, "retired", why, as_json, project)


def restore(name: _Name, why: _Why, as_json: _Json = False, project: _Project = None) -> None:
    """Bring a retired workflow back on probation, until `release` has runs since then to rest on."""
    _change(name, "restored", why, as_json, project)


def _change(name: str, event: str, why: str, as_json: bool, project: Path | None, to: int | None = None) -> None:
    workspace, what = opened(project, os.environ), imported("skillnb.terms.history").What
    entry = imported("skillnb.versioning").changed(workspace, name, what(event), _who(workspace), why, to)
    at = imported("skillnb.versioning").shelved(workspace, name)
    if as_json:
        facts = imported("skillnb.codec").plain(entry)
        print_json({"name": at.name, "state": str(at.now.state), "runs": at.now.version, "entry": facts})
    else:
        runs = f"@{at.now.version} runs" if at.now.version else "nothing runs"
        typer.echo(f"{entry_line(entry)}\n{at.name} is {at.now.state}: {runs}")


def _begun(draft: Path, name: str, why: str, as_json: bool) -> bool:
    """Opened in the person's editor, which has ended when this returns. Is it to be saved at once?"""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR", "")
    if as_json:
        print_json({"draft": str(draft)})
        return False
    if editor:
        try:
            subprocess.run([*shlex.split(editor), str(draft)], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise UsageError(f"the editor did not do: {error}", where=str(draft), remedy="set EDITOR") from None
    if editor and why:
        return True
    typer.echo(f"{draft}\nedit it in JupyterLab, then save it as a version: `skillnb edit {name} --why ...`")
    return False


def _who(workspace: Any) -> str:
    return str(imported("skillnb.authorship").author(workspace.root))

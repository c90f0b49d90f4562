"""A project folder opened: workflows found, checked, written and run. It owns clock, randomness and environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from skillnb.errors import CorruptVersion, NotAllowed, NotAWorkspace, WorkflowNotFound
from skillnb.notebook import ipynb
from skillnb.notebook.example import example
from skillnb.notebook.identity import version_id
from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.render import render
from skillnb.rules.calls import called
from skillnb.rules.naming import reference
from skillnb.rules.nearest import nearest
from skillnb.rules.serving import known_id, standing
from skillnb.store.protocol import Version
from skillnb.store.shelf import Shelf
from skillnb.terms.history import Entry, State, What
from skillnb.terms.workflow import Workflow

__all__ = ["Loaded", "Workspace"]


class Loaded(NamedTuple):
    """A version read, checked against its history, and parsed. ``nb`` is the notebook it was parsed from."""

    version: Version
    workflow: Workflow
    nb: dict[str, Any]


class Workspace:
    """``root`` holds ``workflows`` and ``replay_logs``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.shelf = Shelf(root / "workflows")
        self.logs = root / "replay_logs"

    @classmethod
    def find(cls, start: Path, environment: Mapping[str, str]) -> Workspace:
        """SKILLNB_PROJECT, else the nearest folder from ``start`` up with ``workflows``. Raises NotAWorkspace."""
        named = environment.get("SKILLNB_PROJECT", "")
        if named:
            if not (Path(named) / "workflows").is_dir():
                raise NotAWorkspace(start=f"SKILLNB_PROJECT={named}")
            return cls(Path(named))
        here = start.absolute()
        for folder in (here, *here.parents):
            if (folder / "workflows").is_dir():
                # relative where possible, so that what a run prints is short and can be pasted
                return cls(Path() if folder == Path.cwd() else folder)
        raise NotAWorkspace(start=str(start))

    def load(self, name: str) -> Loaded:
        """``site/name`` as served now, or ``site/name@3``.

        Raises BadName, WorkflowNotFound, InvalidWorkflow, CorruptVersion, CorruptHistory.
        """
        wanted = reference(name)
        self.shelf.finish(wanted.name)
        versions = self.shelf.versions(wanted.name)
        history = self.shelf.history(wanted.name)
        number = wanted.version
        if number is None:
            now = standing(history, versions)
            if now.state is State.RETIRED and now.last:
                reason = f"{now.last.who} has retired it ({now.last.why}); `skillnb restore` it, or run {wanted.name}@N"
                raise NotAllowed(name=wanted.name, change="serve it", reason=reason)
            number = now.version
        if number is None or number not in versions:
            near = nearest(wanted.name, self.shelf.names()) if not versions else ""
            raise WorkflowNotFound(
                name=wanted.name,
                folder=str(self.shelf.folder),
                nearest=(near,) if near else (),
                version=number if versions else None,
            )
        path = self.shelf.path(wanted.name, number)
        loaded = self.load_file(path, number)
        known = known_id(history, number)
        if known and known != loaded.version.id:
            raise CorruptVersion(where=str(path), found=loaded.version.id, expected=f"{known} (history.jsonl)")
        return loaded

    def load_file(self, path: Path, number: int = 0) -> Loaded:
        """Any workflow notebook; ``number`` 0 means that it is no stored version. Raises InvalidWorkflow."""
        nb = ipynb.read(path)
        workflow = parse_workflow(nb, str(path))
        return Loaded(Version(workflow.name, number, str(path), version_id(workflow)), workflow, nb)

    def callees(self, workflow: Workflow) -> tuple[Loaded, ...]:
        """Every workflow that ``workflow`` may call, directly or through others. Raises WorkflowNotFound."""
        found: dict[str, Loaded] = {}
        waiting = list(called(workflow))
        while waiting:
            name = waiting.pop(0)
            if name not in found and name != workflow.name:
                found[name] = self.load(name)
                waiting += called(found[name].workflow)
        return tuple(found.values())

    def workflow_of(self, path: Path) -> Workflow | None:
        """The workflow in a notebook file; ``None`` when the file is not there."""
        return self.load_file(path).workflow if path.is_file() else None

    def new(self, name: str, start_url: str | None, who: str, at: str) -> Path:
        """Write a small good example as version 1. Raises BadName, VersionExists."""
        wanted = reference(name)
        return self.add(example(wanted.name, start_url), who, "new", at)

    def add(self, workflow: Workflow, who: str, why: str, at: str) -> Path:
        """Write a new workflow as version 1. Raises VersionExists, and InvalidWorkflow for one that lint refuses."""
        nb = render(workflow)
        parse_workflow(nb, workflow.name)
        entry = Entry(event=What.CREATED, version=1, id=version_id(workflow), who=who, why=why, at=at)
        return self.shelf.add(workflow.name, 1, lambda path: ipynb.write(path, nb), entry)

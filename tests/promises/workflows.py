"""Workflows written for one test each, saved where a run finds them, and run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from skillnb.notebook import ipynb
from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.notebook.render import render
from skillnb.planning import RunOptions
from skillnb.running import run
from skillnb.terms.record import RunResult
from skillnb.terms.workflow import Effect, Parameter, ParameterType, StepSettings, Workflow

__all__ = ["command", "parameter", "path_of", "ran", "saved", "step", "workflow"]


def step(
    name: str,
    *procedure: str,
    pre: str = "",
    code: str = "",
    post: str = "",
    effect: Effect = Effect.IDEMPOTENT,
    optional: bool = False,
    timeout: float = 30.0,
    fallback: bool = True,
) -> StepDraft:
    settings = StepSettings(effect=effect, formalized=bool(code), optional=optional, timeout=timeout)
    return StepDraft(
        name=name,
        intent=name.replace("-", " ").capitalize(),
        procedure=procedure,
        pre=pre,
        code=code,
        post=post,
        settings=settings,
        fallback=fallback,
    )


def parameter(name: str, type: ParameterType = ParameterType.STRING, **more: object) -> Parameter:  # noqa: A002
    return Parameter(**{"name": name, "type": type, "default": "null", "required": True, **more})  # type: ignore[arg-type]


def workflow(url: str, *steps: StepDraft, name: str = "kit/it", parameters: tuple[Parameter, ...] = ()) -> Workflow:
    return compose(Header(name=name, site="kit", task_type="test", start_url=url), "# It", parameters, steps)


def path_of(project: Path, name: str = "kit/it") -> Path:
    return project / "workflows" / name / "versions" / "0001.ipynb"


def saved(project: Path, *workflows: Workflow) -> Path:
    """Each as the first version of its name; the path of the first one."""
    for item in workflows:
        path = path_of(project, item.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        ipynb.write(path, render(item))
    return path_of(project, workflows[0].name)


def ran(project: Path, *workflows: Workflow, options: RunOptions | None = None, **parameters: object) -> RunResult:
    """Save them, run the first one through the library's own ``run``."""
    saved(project, *workflows)
    return run(workflows[0].name, parameters, project=project, options=options or RunOptions())


def command(
    project: Path, *arguments: str, environment: Mapping[str, str], seconds: float = 60.0
) -> subprocess.CompletedProcess[str]:
    """``skillnb ...`` in a process of its own."""
    main = "from skillnb.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", main, *arguments],
        cwd=project,
        env=dict(environment),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=seconds,
        check=False,
    )

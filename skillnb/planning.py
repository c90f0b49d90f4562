"""Wiring before a run: workflow, parameters and options made into a plan; all bad input is found here."""

from __future__ import annotations

import platform
import secrets as randomness
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any, NamedTuple

from skillnb import __version__
from skillnb.config import model_limits, settings
from skillnb.errors import InvalidParameters, NotAWorkspace
from skillnb.notebook import ipynb
from skillnb.notebook.identity import version_id
from skillnb.notebook.parse import parse_workflow
from skillnb.remembering import patched_cells, recalled
from skillnb.rules.address import rebased
from skillnb.rules.masking import Masker
from skillnb.rules.parameters import is_secret_names, resolve
from skillnb.runner.plan import Plan
from skillnb.store.protocol import Version
from skillnb.terms.workflow import ParameterType, Workflow
from skillnb.workspace import Loaded, Workspace

__all__ = ["planned", "planned_in_place", "RunOptions", "with_parameters"]


class RunOptions(NamedTuple):
    base_url: str = ""
    out: Path | None = None
    """Folder for trace, executed notebook and blobs; ``replay_logs`` of the workspace when not given."""
    frozen: bool = False
    """Nothing is learned from the run: no version, history or fingerprint changes."""
    repair: bool = True
    model: bool = True
    model_name: str = ""
    """Asked in place of SKILLNB_MODEL: see ``models.open_chat``."""
    fail_on_heal: bool = False
    headed: bool = False
    kernel_name: str = ""
    kernel_start_seconds: float | None = None
    run_seconds: float = 1800.0
    """The whole run may take so long."""
    force: bool = False
    """Resume with another version of the notebook than the interrupted run had."""
    done: tuple[str, ...] = ()
    """When resuming: steps that a person has seen to have taken effect."""
    undone: tuple[str, ...] = ()
    """When resuming: steps that a person has seen not to have taken effect."""
    cell_seconds: float | None = None
    """No cell may take longer than this, whatever its step allows."""


def planned(
    workspace: Workspace,
    loaded: Loaded,
    given: Mapping[str, object],
    options: RunOptions,
    environment: Mapping[str, str],
) -> Plan:
    """Everything decided before anything starts. Raises UsageError and its kin for bad input."""
    workflow = _limited(loaded.workflow, options.cell_seconds)
    chosen = settings(environment)
    values = _values(workflow, given, environment)
    callees = workspace.callees(workflow)
    now = datetime.now(UTC)
    run_id, start_url = _run_id(now), rebased(workflow.start_url, options.base_url)
    folder = options.out or workspace.logs / workflow.site / f"{now:%Y-%m-%d}"
    secret_names = is_secret_names(workflow.parameters)
    found = recalled((loaded._replace(workflow=workflow), *callees), repair=options.repair)
    nb = patched_cells(with_parameters(loaded.nb, workflow, values, secret_names), workflow, found.workflows[0])
    return Plan(
        run_id=run_id,
        version=loaded.version,
        workflow=found.workflows[0],
        callees=tuple(zip((item.version for item in callees), found.workflows[1:], strict=True)),
        memories=found.memories,
        notes=found.notes,
        values=values,
        secrets=secret_names,
        start_url=start_url,
        base_url=options.base_url,
        notebook=nb,
        notebook_path=folder / f"{run_id}.ipynb",
        trace_path=folder / f"{run_id}.jsonl",
        failure_path=folder / f"{run_id}.failure.json",
        dispatch_path=folder / f"{run_id}.dispatched.jsonl",
        repairs_path=folder / "repairs.jsonl",
        repairs_limits=(chosen.repairs_per_run, chosen.repairs_per_day),
        run_seconds=options.run_seconds,
        blobs=(options.out or workspace.logs) / "blobs",
        repair=options.repair,
        model=options.model,
        model_name=options.model_name,
        limits=model_limits(environment, start_url),
        fail_on_heal=options.fail_on_heal,
        screenshots=chosen.screenshots,
        gate_seconds=chosen.gate_seconds,
        action_seconds=chosen.action_seconds,
        navigation_seconds=chosen.navigation_seconds,
        options=_told(options),
        machine=_machine(),
    )


def _run_id(now: datetime) -> str:
    return f"{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03d}Z-{randomness.token_hex(3)}"


def _machine() -> str:
    return f"skillnb {__version__}, Python {platform.python_version()}, Playwright {installed('playwright')}"


def planned_in_place(
    nb: Any, input_path: str, output_path: str, options: RunOptions, environment: Mapping[str, str]
) -> Plan:
    """A plan for a notebook that somebody else has read, put parameters into, and will write.

    ``nb`` itself becomes the executed copy. Its injected values are taken as the parameters and then hidden where they
    are secret, before anything is written. Raises UsageError and its kin.
    """
    where = input_path or "the notebook"
    workflow = parse_workflow(nb, where)
    given = dict(nb["metadata"].get("papermill", {}).get("parameters", {}))
    start = Path(input_path).absolute().parent if input_path and "://" not in input_path else Path.cwd()
    try:
        workspace = Workspace.find(Path.cwd(), environment)
    except NotAWorkspace:
        workspace = Workspace.find(start, environment)
    loaded = Loaded(Version(workflow.name, 0, where, version_id(workflow)), workflow, nb)
    plan = planned(workspace, loaded, given, options, environment)
    made = plan.notebook
    nb["cells"][:] = made["cells"]
    mask = Masker({name: str(plan.values[name]) for name in plan.secrets})
    if given:
        nb["metadata"]["papermill"]["parameters"] = {
            name: "[secret]" if name in plan.secrets else mask.json(value) for name, value in given.items()
        }
    return plan._replace(notebook=nb, notebook_path=Path(output_path) if output_path else plan.notebook_path)


def with_parameters(
    nb: dict[str, Any], workflow: Workflow, values: Mapping[str, object], secret_names: frozenset[str]
) -> Any:
    """The executed copy to be: what earlier runs injected taken out, this run's parameters put in, secrets hidden."""
    made = ipynb.executable(nb)
    made["cells"] = [cell for cell in made["cells"] if not _injected(cell)]
    made["metadata"].get("skillnb", {}).pop("run", None)
    if values:
        mask = Masker({name: str(values[name]) for name in secret_names})
        lines = [
            f'{name} = "[secret]"' if name in secret_names else f"{name} = {mask.json(value)!r}"
            for name, value in values.items()
        ]
        cell = ipynb.new_cell(
            "code",
            "injected-parameters",
            "# Parameters\n" + "\n".join(lines),
            {"tags": ["injected-parameters"], "skillnb": {"role": "note", "injected": True}},
        )
        place = next(index for index, item in enumerate(made["cells"]) if item.get("id") == "parameters")
        made["cells"].insert(place + 1, cell)
    return made


def _injected(cell: Any) -> bool:
    tags = cell["metadata"].get("tags", [])
    own = cell["metadata"].get("skillnb", {})
    return bool({"injected-parameters", "papermill-error-cell-tag"} & set(tags)) or bool(own.get("injected"))


def _limited(workflow: Workflow, seconds: float | None) -> Workflow:
    if not seconds:
        return workflow
    steps = tuple(
        replace(step, settings=replace(step.settings, timeout=min(step.settings.timeout, seconds)))
        for step in workflow.steps
    )
    return replace(workflow, steps=steps)


def _values(workflow: Workflow, given: Mapping[str, object], environment: Mapping[str, str]) -> dict[str, object]:
    values = resolve(workflow.parameters, given, environment, workflow.name)
    missing = tuple(
        f"`{item.name}` (file): there is no file {values[item.name]}"
        for item in workflow.parameters
        if item.type is ParameterType.FILE and not Path(str(values[item.name])).is_file()
    )
    if missing:
        declared = tuple(item.name for item in workflow.parameters)
        raise InvalidParameters(workflow=workflow.name, problems=missing, declared=declared)
    return values


def _told(options: RunOptions) -> tuple[str, ...]:
    told = {
        "frozen": options.frozen,
        "no-repair": not options.repair,
        "no-model": not options.model,
        "fail-on-heal": options.fail_on_heal,
        "headed": options.headed,
    }
    return tuple(name for name, given in told.items() if given)

"""Wiring inside the kernel: what the open cell binds, in the runner, by hand and under plain papermill alike."""

from __future__ import annotations

import atexit
import json
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from skillnb.agent.desk import Desk
from skillnb.agent.moves import Limits
from skillnb.agent.session import Session
from skillnb.browser.chromium import Chromium, find_chromium
from skillnb.browser.live import Attached, LivePage, attach
from skillnb.codec import canonical, decode
from skillnb.config import BRIEF, SECRETS, settings
from skillnb.kernel.ipython import IPythonShell
from skillnb.rules.address import rebased
from skillnb.rules.masking import Masker
from skillnb.rules.parameters import resolve
from skillnb.store.blobs import BlobFolder
from skillnb.store.dispatches import DispatchFile
from skillnb.terms.brief import Brief
from skillnb.terms.workflow import Workflow
from skillnb.workspace import Workspace

__all__ = ["bind_session"]


class _Given(NamedTuple):
    brief: Brief
    values: dict[str, object]
    secrets: frozenset[str]


_attached: list[Attached] = []


async def bind_session(name: str) -> tuple[Any, ...]:
    """``page, gate, params, fallback, call`` for the workflow ``name``. Raises whatever makes that impossible."""
    shell = IPythonShell()
    given = _from_runner(os.environ) if BRIEF in os.environ else await _by_hand(name, shell)
    brief = given.brief
    for old in _attached:
        await old.close()
    _attached.clear()
    attached = await attach(
        brief.endpoint, action_seconds=brief.action_seconds, navigation_seconds=brief.navigation_seconds
    )
    _attached.append(attached)
    masker = Masker({name: str(given.values[name]) for name in given.secrets})
    page = LivePage(attached.page, Path(brief.downloads))
    session = Session(
        page=page,
        live_page=attached.page,
        shell=shell,
        workflows={workflow.name: workflow for workflow in brief.workflows},
        main=brief.main,
        values=given.values,
        secrets=given.secrets,
        dispatches=DispatchFile(Path(brief.dispatches)) if brief.dispatches else None,
        limits=Limits(gate_seconds=brief.gate_seconds, repair=brief.repair, model=brief.model),
        resolve_call=_resolve_call,
        clock=time.monotonic,
    )
    shell.on_cell(session.cell_begins)
    shell.namespace["__skillnb__"] = Desk(session, page, BlobFolder(Path(brief.blobs)), masker.json)
    shell.add_page_cells(attached.page, given.values)
    if brief.start_url:
        await attached.page.goto(brief.start_url)
    return tuple(session.bindings(session.params).values())


def _resolve_call(workflow: Workflow, arguments: Mapping[str, object]) -> dict[str, object]:
    return resolve(workflow.parameters, arguments, os.environ, workflow.name)


def _from_runner(environment: os._Environ[str]) -> _Given:
    brief = decode(Brief, Path(environment[BRIEF]).read_text("utf-8"), environment[BRIEF])
    values: dict[str, object] = json.loads(brief.values)
    hidden: dict[str, str] = json.loads(environment.pop(SECRETS, "{}"))
    return _Given(brief, {**values, **hidden}, frozenset(hidden))


async def _by_hand(name: str, shell: IPythonShell) -> _Given:
    """No runner: the notebook's own variables are the parameters, and a Chromium is started for this kernel."""
    workspace = Workspace.find(Path.cwd(), os.environ)
    open_notebook = Path(os.environ.get("JPY_SESSION_NAME", ""))
    workflow = workspace.workflow_of(open_notebook) if open_notebook.suffix == ".ipynb" else None
    if workflow is None or workflow.name != name:
        workflow = workspace.load(name).workflow
    given = {item.name: shell.namespace[item.name] for item in workflow.parameters if item.name in shell.namespace}
    values = resolve(workflow.parameters, given, os.environ, workflow.name)
    secrets = frozenset(item.name for item in workflow.parameters if item.secret)
    chosen = settings(os.environ)
    browser = await Chromium.start(
        find_chromium(os.environ),
        headed="DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ,
        locale=workflow.locale,
        timezone=workflow.timezone,
        environment=os.environ,
    )
    atexit.register(browser.stop)
    downloads = tempfile.mkdtemp(prefix="skillnb-downloads-")
    brief = Brief(
        endpoint=browser.endpoint,
        main=workflow.name,
        workflows=(workflow, *(version.workflow for version in workspace.callees(workflow))),
        values=canonical({key: value for key, value in values.items() if key not in secrets}),
        start_url=rebased(workflow.start_url, os.environ.get("SKILLNB_BASE_URL", "")),
        blobs=str(workspace.logs / workflow.site / "by-hand" / "blobs"),
        downloads=downloads,
        dispatches="",
        gate_seconds=chosen.gate_seconds,
        action_seconds=chosen.action_seconds,
        navigation_seconds=chosen.navigation_seconds,
        repair=False,
        model=True,
    )
    return _Given(brief, values, secrets)

"""Wiring inside the kernel: what the open cell binds, in the runner, by hand and under plain papermill alike."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skillnb.agent.desk import Desk
from skillnb.agent.moves import Limits
from skillnb.agent.session import Session
from skillnb.browser.live import Attached, LivePage, attach
from skillnb.codec import decode
from skillnb.config import BRIEF, SECRETS
from skillnb.given import Given
from skillnb.kernel.ipython import IPythonShell
from skillnb.loading import imported
from skillnb.rules.masking import Masker
from skillnb.rules.parameters import resolve
from skillnb.store.blobs import BlobFolder
from skillnb.store.dispatches import DispatchFile
from skillnb.terms.brief import Brief
from skillnb.terms.workflow import Workflow

__all__ = ["bind_session"]


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


def _from_runner(environment: os._Environ[str]) -> Given:
    brief = decode(Brief, Path(environment[BRIEF]).read_text("utf-8"), environment[BRIEF])
    values: dict[str, object] = json.loads(brief.values)
    hidden: dict[str, str] = json.loads(environment.pop(SECRETS, "{}"))
    return Given(brief, {**values, **hidden}, frozenset(hidden))


async def _by_hand(name: str, shell: IPythonShell) -> Given:
    # here and not above: finding a workflow takes the notebook library, which a kernel of the runner never needs
    byhand = imported("skillnb.byhand")
    given: Given = await byhand.given_by_hand(name, shell)
    return given

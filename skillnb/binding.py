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
from skillnb.agent.pursuit import Model
from skillnb.agent.session import Session
from skillnb.browser.attached import Attached, attach
from skillnb.browser.live import LivePage
from skillnb.codec import decode
from skillnb.config import BRIEF, NEEDED, SECRETS, model_keys, model_settings
from skillnb.given import Given
from skillnb.kernel.ipython import IPythonShell
from skillnb.loading import imported
from skillnb.rules.masking import Masker
from skillnb.rules.parameters import resolve
from skillnb.rules.secrets import known_secrets, secrets_of
from skillnb.standby import Standby, StandbyEmbedder
from skillnb.store.blobs import BlobFolder
from skillnb.store.dispatches import DispatchFile
from skillnb.store.repairs import RepairFile
from skillnb.terms.brief import Brief
from skillnb.terms.workflow import Workflow

__all__ = ["bind_session"]


_attached: list[Attached] = []
_asked: list[Standby] = []


async def bind_session(name: str) -> tuple[Any, ...]:
    """``page, gate, params, fallback, call`` for the workflow ``name``. Raises whatever makes that impossible."""
    shell = IPythonShell()
    given = _from_runner(os.environ) if BRIEF in os.environ else await _by_hand(name, shell)
    brief = given.brief
    for old in _attached:
        await old.close()
    _attached.clear()
    while _asked:
        await _asked.pop().close()
    masker = Masker(known_secrets(_main(brief), _callees(brief), given.values, os.environ))
    masker.learn(model_keys(os.environ))
    learnt: dict[str, str] = {}

    def resolve_call(workflow: Workflow, arguments: Mapping[str, object]) -> dict[str, object]:
        values = resolve(workflow.parameters, arguments, os.environ, workflow.name)
        learnt.update(masker.learn(secrets_of(workflow, values)))
        return values

    attached = await _attached_to(brief, masker)
    _attached.append(attached)
    await attached.pin_locale(_main(brief).locale)
    page = LivePage(attached.page, Path(brief.downloads), masker)
    session = Session(
        page=page,
        live_page=attached.page,
        shell=shell,
        workflows={workflow.name: workflow for workflow in brief.workflows},
        main=brief.main,
        values=given.values,
        secrets=given.secrets,
        dispatches=DispatchFile(Path(brief.dispatches), masker.text) if brief.dispatches else None,
        limits=Limits(gate_seconds=brief.gate_seconds, repair=brief.repair, model=brief.model),
        mask=masker.term,
        resolve_call=resolve_call,
        clock=time.monotonic,
        memories=brief.memories,
        repairs=_repairs(brief),
        model=_model(brief, masker),
        embedder=_embedder(brief, masker),
    )
    if BRIEF in os.environ:  # the copy's cell of parameters shows no value that is a secret, even by chance
        shell.namespace.update({name: value for name, value in given.values.items() if name not in given.secrets})
    shell.on_cell(session.cell_begins)
    shell.namespace["__skillnb__"] = Desk(session, page, BlobFolder(Path(brief.blobs)), masker.term, learnt)
    shell.add_page_cells(attached.page, given.values)
    if brief.start_url:
        await attached.page.goto(brief.start_url)
    return tuple(session.bindings(session.params).values())


def _model(brief: Brief, masker: Masker) -> Model | None:
    chosen = model_settings(os.environ, brief.model_name)
    if not brief.model or not chosen.model:
        return None
    chat = Standby(chosen, masker, dict(os.environ))
    _asked.append(chat)
    embedder = _embedder(brief, masker)
    return Model(chat, brief.limits, masker.json, chat.begin_step, embedder.embed if embedder else None)


def _embedder(brief: Brief, masker: Masker) -> StandbyEmbedder | None:
    """Likeness in meaning is asked only where an embedding was chosen: the plain one knows spelling alone."""
    chosen = model_settings(os.environ, brief.model_name)
    if not brief.model or chosen.embedding == "hashed":
        return None
    return StandbyEmbedder(chosen, masker, dict(os.environ))


def _main(brief: Brief) -> Workflow:
    return next(workflow for workflow in brief.workflows if workflow.name == brief.main)


def _callees(brief: Brief) -> tuple[Workflow, ...]:
    return tuple(workflow for workflow in brief.workflows if workflow.name != brief.main)


def _repairs(brief: Brief) -> RepairFile | None:
    if not brief.repairs:
        return None
    return RepairFile(Path(brief.repairs), brief.run, brief.repairs_per_run, brief.repairs_per_day)


async def _attached_to(brief: Brief, masker: Masker) -> Attached:
    """The driver of the browser library inherits this process's environment, which then holds no secret.

    Its temporary files go with the run's: it is killed with its kernel, and so never removes them itself.
    """
    whole = dict(os.environ)
    kept = masker.without(whole, NEEDED)
    for name in whole.keys() - kept.keys():
        del os.environ[name]
    os.environ["TMPDIR"] = str(Path(brief.downloads).parent)
    try:
        return await attach(
            brief.endpoint, action_seconds=brief.action_seconds, navigation_seconds=brief.navigation_seconds
        )
    finally:
        os.environ.pop("TMPDIR")
        os.environ.update(whole)


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

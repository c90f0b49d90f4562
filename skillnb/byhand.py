"""Wiring of a notebook that is run by hand: its workflow found, its own variables taken, a Chromium of its own."""

from __future__ import annotations

import atexit
import os
import tempfile
from pathlib import Path

from skillnb.browser.chromium import Chromium, find_chromium
from skillnb.codec import canonical
from skillnb.config import NEEDED, model_keys, model_limits, settings
from skillnb.given import Given
from skillnb.kernel.ipython import IPythonShell
from skillnb.rules.address import rebased
from skillnb.rules.masking import Masker
from skillnb.rules.parameters import resolve
from skillnb.rules.secrets import known_secrets
from skillnb.terms.brief import Brief
from skillnb.workspace import Workspace

__all__ = ["given_by_hand"]


async def given_by_hand(name: str, shell: IPythonShell) -> Given:
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
    masker = Masker({**known_secrets(workflow, (), values, os.environ), **model_keys(os.environ)})
    browser = await Chromium.start(
        find_chromium(os.environ),
        headed="DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ,
        locale=workflow.locale,
        timezone=workflow.timezone,
        environment=masker.without(os.environ, NEEDED),
    )
    atexit.register(browser.stop)
    start_url = rebased(workflow.start_url, os.environ.get("SKILLNB_SITE_URL", ""))
    downloads = tempfile.mkdtemp(prefix="skillnb-downloads-")
    brief = Brief(
        endpoint=browser.endpoint,
        main=workflow.name,
        workflows=(workflow, *(version.workflow for version in workspace.callees(workflow))),
        values=canonical({key: value for key, value in values.items() if key not in secrets}),
        start_url=start_url,
        blobs=str(workspace.logs / workflow.site / "by-hand" / "blobs"),
        downloads=downloads,
        dispatches="",
        gate_seconds=chosen.gate_seconds,
        action_seconds=chosen.action_seconds,
        navigation_seconds=chosen.navigation_seconds,
        repairs="",
        run="",
        repairs_per_run=0,
        repairs_per_day=0,
        memories=(),
        repair=False,
        model=True,
        limits=model_limits(os.environ, start_url),
    )
    return Given(brief, values, secrets)

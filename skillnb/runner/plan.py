"""A run, decided before anything is started."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from skillnb.store.protocol import Version
from skillnb.terms.workflow import Workflow

__all__ = ["Plan"]


class Plan(NamedTuple):
    """``values`` holds secrets in the clear: it is never written, only handed to the kernel."""

    run_id: str
    version: Version
    workflow: Workflow
    callees: tuple[tuple[Version, Workflow], ...]
    values: dict[str, object]
    secrets: frozenset[str]
    start_url: str
    base_url: str
    notebook: Any
    """The executed copy: a deep copy of the source notebook, changed as the run goes."""
    notebook_path: Path
    trace_path: Path
    failure_path: Path
    blobs: Path
    repair: bool
    model: bool
    fail_on_heal: bool
    screenshots: str
    gate_seconds: float
    action_seconds: float
    navigation_seconds: float
    options: tuple[str, ...]
    machine: str

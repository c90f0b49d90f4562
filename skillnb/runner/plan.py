"""A run, decided before anything is started."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from skillnb.rules.resuming import Restart
from skillnb.store.protocol import Version
from skillnb.terms.brief import ModelLimits
from skillnb.terms.memory import Memory
from skillnb.terms.workflow import Workflow

__all__ = ["Plan", "Resume"]


class Resume(NamedTuple):
    """What an interrupted run left to go on with."""

    run_id: str
    done: tuple[str, ...]
    """Steps that are not done again, from the first on."""
    dispatched: frozenset[str]
    """Steps whose request may have left before the interruption, and that no gate has confirmed."""
    survived: bool
    """The page is as the interrupted run left it."""
    restart: Restart
    """The way back in with a new browser."""


class Plan(NamedTuple):
    """``values`` holds secrets in the clear: it is never written, only handed to the kernel."""

    run_id: str
    version: Version
    workflow: Workflow
    """With the patches put in that are on trial; the version is what it was."""
    callees: tuple[tuple[Version, Workflow], ...]
    memories: tuple[Memory, ...]
    """Of the workflow and its callees, in order."""
    notes: tuple[str, ...]
    """What was amiss when they were read."""
    values: dict[str, object]
    secrets: frozenset[str]
    start_url: str
    base_url: str
    notebook: Any
    """The executed copy: a deep copy of the source notebook, changed as the run goes."""
    notebook_path: Path
    trace_path: Path
    dispatch_path: Path
    failure_path: Path
    repairs_path: Path
    repairs_limits: tuple[int, int]
    """Of a run and of a day."""
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
    run_seconds: float
    """The whole run may take so long."""
    limits: ModelLimits
    """Of a model, in each step."""
    model_name: str
    """As the command named it; empty: as the environment does."""
    resume: Resume | None = None

"""What the runner hands to the kernel at the start of a run. Secret values travel apart from it, never in a file."""

from __future__ import annotations

from skillnb.terms import term
from skillnb.terms.memory import Memory
from skillnb.terms.workflow import Workflow

__all__ = ["Brief", "ModelLimits"]


@term
class ModelLimits:
    """How far a model may go in one step, procedure and intent together, and where."""

    actions: int = 20
    calls: int = 30
    tokens: int = 100_000
    """Of prompts and answers."""
    dollars: float = 0.5
    seconds: float = 120.0
    hosts: tuple[str, ...] = ()
    """``host`` or ``host:port``; ``*.host`` for all below it. The first is that of the workflow's own site."""


@term
class Brief:
    endpoint: str
    """Control address of the Chromium that the runner owns."""
    main: str
    workflows: tuple[Workflow, ...]
    """The workflow that runs and all that it may call."""
    values: str
    """Canonical JSON of the parameter values, secrets left out."""
    start_url: str
    """Absolute, with the run's base address put in; empty where the page stays as an interrupted run left it."""
    blobs: str
    downloads: str
    dispatches: str
    """File of the dispatch journal; empty where there is none (by hand)."""
    gate_seconds: float
    action_seconds: float
    navigation_seconds: float
    repairs: str
    """File that counts the day's repairs; empty where they are not counted."""
    run: str
    repairs_per_run: int
    repairs_per_day: int
    memories: tuple[Memory, ...]
    repair: bool
    model: bool
    limits: ModelLimits = ModelLimits()
    model_name: str = ""
    """As the command named it; empty: as the environment does."""

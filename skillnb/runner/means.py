"""What a run has to work with, handed down from the run to its steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from skillnb.kernel.protocol import Kernel
from skillnb.rules.masking import Masker
from skillnb.runner.behind import Behind
from skillnb.runner.copybook import Copybook
from skillnb.runner.plan import Plan
from skillnb.runner.protocol import Listener
from skillnb.store.protocol import Blobs, Trace

__all__ = ["Means"]


class Means(NamedTuple):
    plan: Plan
    kernel: Kernel
    copy: Copybook
    trace: Trace
    behind: Behind
    blobs: Blobs
    mask: Masker
    listener: Listener
    clock: Callable[[], float]
    """Seconds, monotonic."""

"""skillnb: durable web-agent workflows, kept as versioned notebooks and run behind gates.

``run`` and ``arun`` carry a workflow out; ``Workspace`` opens a project folder. They are loaded when first asked
for, so that ``skillnb --help`` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skillnb.planning import RunOptions
    from skillnb.running import arun, run
    from skillnb.workspace import Workspace

__all__ = ["__version__", "arun", "run", "RunOptions", "Workspace"]

__version__ = "0.1.0"

_HOMES = {
    "RunOptions": "skillnb.planning",
    "Workspace": "skillnb.workspace",
    "arun": "skillnb.running",
    "run": "skillnb.running",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'skillnb' has no attribute {name!r}")

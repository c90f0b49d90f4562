"""Heavy parts of the product, loaded when a command needs them and not for ``--help``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["imported", "opened"]


def imported(name: str) -> Any:
    """A module that pulls in notebook or browser libraries.

    nbformat's schema checks load a grammar of URI references that costs two seconds where JupyterLab is installed and
    that no notebook schema uses; a missing module is what its loader knows how to do without.
    """
    if "rfc3987_syntax" not in sys.modules:
        missing: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]
        missing["rfc3987_syntax"] = None
    return import_module(name)


def opened(project: Path | None, environment: Mapping[str, str]) -> Any:
    """The workspace named, or found from here. Raises NotAWorkspace."""
    workspaces = imported("skillnb.workspace")
    if project is None:
        return workspaces.Workspace.find(Path.cwd(), environment)
    return workspaces.Workspace.find(Path.cwd(), {"SKILLNB_PROJECT": str(project)})

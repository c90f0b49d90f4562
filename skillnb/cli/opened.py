"""The workspace of a command, opened when the command needs it and not for ``--help``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skillnb.loading import imported

__all__ = ["imported", "opened"]


def opened(project: Path | None, environment: Mapping[str, str]) -> Any:
    """The workspace named, or found from here. Raises NotAWorkspace."""
    workspaces = imported("skillnb.workspace")
    if project is None:
        return workspaces.Workspace.find(Path.cwd(), environment)
    return workspaces.Workspace.find(Path.cwd(), {"SKILLNB_PROJECT": str(project)})

"""Who changes a workflow: as git knows them, else as they have logged in."""

from __future__ import annotations

import getpass
import shutil
import subprocess
from pathlib import Path

__all__ = ["author"]


def author(folder: Path) -> str:
    """For ``folder``, where git may know them by another name than elsewhere."""
    git = shutil.which("git")
    if git is not None:
        told = subprocess.run(
            [git, "config", "user.name"], cwd=folder, capture_output=True, text=True, check=False, timeout=10
        )
        if told.stdout.strip():
            return told.stdout.strip()
    return getpass.getuser()

"""Where the applications live on disk."""

from __future__ import annotations

import os
from pathlib import Path

from skillnb.terms import term

__all__ = ["default_home", "Home"]


@term
class Home:
    """``shared`` holds what is built once (environments, snapshots); ``own`` what belongs to the started instances."""

    shared: Path
    own: Path

    @property
    def env(self) -> Path:
        return self.shared / "env"

    @property
    def snapshot(self) -> Path:
        return self.shared / "snapshot"

    @property
    def site(self) -> Path:
        return self.own / "site"

    @property
    def run(self) -> Path:
        return self.own / "run"


def default_home() -> Home:
    """``$SKILLNB_HOME/apps``, by default ``~/.cache/skillnb/apps``."""
    root = Path(os.environ.get("SKILLNB_HOME") or Path.home() / ".cache" / "skillnb") / "apps"
    return Home(shared=root, own=root)

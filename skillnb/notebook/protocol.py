"""The notebook file, as the work layers see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

__all__ = ["Notebooks"]


class Notebooks(Protocol):
    def write(self, path: Path, nb: dict[str, Any]) -> None:
        """Replace the file in one rename; JSON without NaN."""

    def new_cell(self, kind: str, identifier: str, source: str, metadata: dict[str, Any]) -> dict[str, Any]: ...

    def new_output(self, data: dict[str, Any]) -> dict[str, Any]:
        """A ``display_data`` output of one MIME bundle."""

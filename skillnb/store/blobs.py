"""Blobs: bytes kept under their own digest, written once, each by a rename."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from skillnb.codec import digest_bytes

__all__ = ["BlobFolder"]


class BlobFolder:
    """``<folder>/<aa>/<sha256><suffix>``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes, suffix: str) -> str:
        name = digest_bytes(data)
        target = self._target(name, suffix)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, made = tempfile.mkstemp(dir=target.parent, prefix=".blob-")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(made, target)
        return name

    def path(self, digest: str) -> str:
        """The file of a blob, whatever its suffix; empty when there is none."""
        stem = digest.removeprefix("sha256:")
        if not stem:
            return ""
        found = sorted((self._folder / stem[:2]).glob(f"{stem}*"))
        return str(found[0]) if found else ""

    def _target(self, digest: str, suffix: str) -> Path:
        stem = digest.removeprefix("sha256:")
        return self._folder / stem[:2] / f"{stem}{suffix}"

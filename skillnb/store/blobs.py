"""Blobs: bytes kept under their own digest, written once, each by a rename."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from skillnb.codec import digest_bytes
from skillnb.errors import CorruptVersion

__all__ = ["BlobFolder"]


class BlobFolder:
    """``<folder>/<aa>/<sha256><suffix>``."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        """``durable``: ``put`` returns when the bytes would survive a crash of the machine."""
        self._folder, self._durable = folder, durable

    def put(self, data: bytes, suffix: str) -> str:
        name = digest_bytes(data)
        target = self._target(name, suffix)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, made = tempfile.mkstemp(dir=target.parent, prefix=".blob-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    if self._durable:
                        file.flush()
                        os.fsync(file.fileno())
                os.replace(made, target)
            except OSError:
                os.unlink(made)
                raise
            if self._durable:
                _settle(target.parent)
                _settle(self._folder)
        return name

    def get(self, digest: str) -> bytes:
        """Raises CorruptVersion where the bytes are gone or are not those that were put."""
        place = self.path(digest)
        data = Path(place).read_bytes() if place else None
        if data is None or digest_bytes(data) != digest:
            found = digest_bytes(data) if data is not None else "no file"
            raise CorruptVersion(where=place or str(self._folder), found=found, expected=digest)
        return data

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


def _settle(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

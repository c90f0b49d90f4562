"""The shelf: workflows on disk as immutable versions with an append-only history.

``<folder>/<site>/<name>/versions/0003.ipynb`` and ``history.jsonl`` beside ``versions``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from skillnb.codec import canonical, decode
from skillnb.errors import BadTraceLine, Undecodable, VersionExists
from skillnb.terms.history import Entry

__all__ = ["Shelf"]


class Shelf:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> tuple[str, ...]:
        found = self.folder.glob("*/*/versions")
        return tuple(sorted(f"{path.parent.parent.name}/{path.parent.name}" for path in found if path.is_dir()))

    def versions(self, name: str) -> tuple[int, ...]:
        files = (self.folder / name / "versions").glob("*.ipynb")
        return tuple(sorted(int(file.stem) for file in files if file.stem.isdigit()))

    def path(self, name: str, version: int) -> Path:
        return self.folder / name / "versions" / f"{version:04d}.ipynb"

    def history(self, name: str) -> tuple[Entry, ...]:
        """Raises BadTraceLine naming file and line."""
        file = self.folder / name / "history.jsonl"
        if not file.exists():
            return ()
        entries = []
        for number, line in enumerate(file.read_bytes().splitlines(), start=1):
            where = f"{file}:{number}"
            try:
                entries.append(decode(Entry, line, where))
            except Undecodable as error:
                raise BadTraceLine(where=where, problem=str(error)) from None
        return tuple(entries)

    def add(self, name: str, version: int, write: Callable[[Path], None], entry: Entry) -> Path:
        """Write a version that does not exist yet, then its history line. Raises VersionExists.

        ``write`` makes a whole, synced file at the path it is given.
        """
        target = self.path(name, version)
        target.parent.mkdir(parents=True, exist_ok=True)
        made = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            write(made)
            os.link(made, target)  # unlike a rename, a link never replaces another's version
        except FileExistsError:
            raise VersionExists(name=name, version=version) from None
        finally:
            made.unlink(missing_ok=True)
        self.append(name, entry)
        return target

    def append(self, name: str, entry: Entry) -> None:
        with (self.folder / name / "history.jsonl").open("ab") as file:
            file.write(canonical(entry).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

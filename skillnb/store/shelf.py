"""The shelf: workflows on disk as immutable versions with an append-only history.

``<folder>/<site>/<name>/`` holds ``history.jsonl``, ``versions/0003.ipynb`` and ``kept/<aa>/<sha256>.ipynb``. A version
is written in this order: its bytes under their digest, the history line that names them (from here on it is there), the
file people read. Whoever is killed in between leaves the state before, or one that the next one finishes.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from skillnb.codec import canonical, decode, digest_bytes
from skillnb.errors import CorruptHistory, CorruptVersion, HeadMoved, NotSaved, Undecodable, VersionExists
from skillnb.rules.serving import maker, makes_version
from skillnb.store.blobs import BlobFolder
from skillnb.terms.history import Entry

__all__ = ["HistoryRead", "Shelf"]

_NOTEBOOK = ".ipynb"


class HistoryRead(NamedTuple):
    entries: tuple[Entry, ...]
    head: str
    """Digest of the last whole line, which whoever decides on it hands back to ``append``; empty: no line."""
    torn: bytes
    """A last line that broke off when its writer was killed; it names nothing."""


class Shelf:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> tuple[str, ...]:
        found = self.folder.glob("*/*/versions")
        return tuple(sorted(f"{path.parent.parent.name}/{path.parent.name}" for path in found if path.is_dir()))

    def versions(self, name: str) -> tuple[int, ...]:
        files = (self.folder / name / "versions").glob(f"*{_NOTEBOOK}")
        return tuple(sorted(int(file.stem) for file in files if file.stem.isdigit()))

    def path(self, name: str, version: int) -> Path:
        return self.folder / name / "versions" / f"{version:04d}{_NOTEBOOK}"

    def kept(self, name: str) -> BlobFolder:
        return BlobFolder(self.folder / name / "kept", durable=True)

    def history_path(self, name: str) -> Path:
        return self.folder / name / "history.jsonl"

    def history(self, name: str) -> tuple[Entry, ...]:
        """Whole lines only. Raises CorruptHistory naming file and line."""
        return self.read(name).entries

    def read(self, name: str) -> HistoryRead:
        """Raises CorruptHistory for a line that can't be read or does not follow the one above it."""
        file = self.history_path(name)
        try:
            *lines, torn = file.read_bytes().split(b"\n")
        except FileNotFoundError:
            return HistoryRead((), "", b"")
        entries, head = list[Entry](), ""
        for number, line in enumerate(lines, start=1):
            where = f"{file}:{number}"
            try:
                entry = decode(Entry, line, where)
            except Undecodable as error:
                raise CorruptHistory(where=where, problem=str(error)) from None
            if entry.parent != head and (entry.parent or any(item.parent for item in entries)):
                problem = f"it was written after {entry.parent[:19] or 'nothing'}, and above it stands {head[:19]}"
                raise CorruptHistory(where=where, problem=problem)
            entries.append(entry)
            head = digest_bytes(line)
        return HistoryRead(tuple(entries), head, torn)

    def add(
        self, name: str, version: int, write: Callable[[Path], object], entry: Entry, head: str | None = None
    ) -> Path:
        """Write a version that does not exist yet. Raises VersionExists, HeadMoved, NotSaved; then nothing is changed.

        ``write`` makes a whole file at the path it is given.
        """
        target = self.path(name, version)
        with self.alone(name), _saving(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            history = self._unchanged(name, head)
            self._finish(name, history.entries)
            if target.exists() or maker(history.entries, version):
                raise VersionExists(name=name, version=version)
            made = target.with_name(f".{target.name}.new")
            try:
                write(made)
                kept = self.kept(name).put(made.read_bytes(), _NOTEBOOK)
            finally:
                made.unlink(missing_ok=True)
            self._append(name, replace(entry, file=kept), history)
            self._show(name, version, kept)
        return target

    def append(self, name: str, entry: Entry, head: str | None = None) -> None:
        """``head``: what the history ended with when this was decided; None where it does not matter.

        Raises HeadMoved, CorruptHistory, NotSaved.
        """
        with self.alone(name), _saving(self.history_path(name)):
            self._append(name, entry, self._unchanged(name, head))

    def finish(self, name: str) -> tuple[int, ...]:
        """Versions that the history names and whose writer was killed before their file was there: now it is."""
        if not self._unfinished(name, self.history(name)):
            return ()
        with self.alone(name), _saving(self.history_path(name)):
            return self._finish(name, self.history(name))

    def put_back(self, name: str, version: int) -> Path:
        """The version as it was written. What stands in its place is set aside, and its path returned."""
        entry, target = maker(self.history(name), version), self.path(name, version)
        if entry is None or not entry.file:
            raise CorruptVersion(
                where=str(target), found="no digest", expected="one in history.jsonl to put it back from"
            )
        with self.alone(name), _saving(target):
            self.kept(name).get(entry.file)
            aside = target
            if target.exists():
                stamp = digest_bytes(target.read_bytes()).removeprefix("sha256:")[:8]
                aside = target.with_name(f"{target.stem}.edited-{stamp}{_NOTEBOOK}")
                os.replace(target, aside)
            self._show(name, version, entry.file)
        return aside

    def mend_history(self, name: str) -> Path | None:
        """A torn last line moved to a file of its own, whose path is returned; None where there is none."""
        with self.alone(name), _saving(self.history_path(name)):
            torn = self.read(name).torn
            if not torn:
                return None
            file = self.history_path(name)
            aside = file.with_name(f"history.torn-{digest_bytes(torn).removeprefix('sha256:')[:8]}")
            _write(aside, torn)
            with file.open("r+b") as stream:
                stream.truncate(file.stat().st_size - len(torn))
                os.fsync(stream.fileno())
            return aside

    def sweep(self, name: str, remove: bool = True) -> tuple[Path, ...]:
        """What no history names: bytes kept for a version that came to nothing, and files of killed writers."""
        with self.alone(name), _saving(self.folder / name):
            named = {entry.file.removeprefix("sha256:") for entry in self.history(name) if entry.file}
            home = self.folder / name
            loose = [path for path in home.glob("kept/*/*") if path.stem not in named]
            loose += [*home.glob(f"versions/.*{_NOTEBOOK}.*"), *home.glob("versions/.*.new")]
            for path in dict.fromkeys(loose) if remove else ():
                path.unlink()
            return tuple(sorted(set(loose)))

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """The lock goes with the process that holds it."""
        home = self.folder / name
        home.mkdir(parents=True, exist_ok=True)
        with (home / ".lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _unchanged(self, name: str, head: str | None) -> HistoryRead:
        history = self.read(name)
        if history.torn:
            raise CorruptHistory(
                where=f"{self.history_path(name)}:{len(history.entries) + 1}",
                problem="it broke off when its writer was stopped, and nothing is written after it",
                remedy=f"set it aside with `skillnb verify {name} --repair`",
            )
        if head is not None and head != history.head:
            last = history.entries[-1] if history.entries else None
            found = f"{last.event} version {last.version} by {last.who}: {last.why}" if last else "no history"
            raise HeadMoved(name=name, found=found, expected=f"{head[:19] or 'no history'}")
        return history

    def _append(self, name: str, entry: Entry, history: HistoryRead) -> None:
        file = self.history_path(name)
        line = canonical(replace(entry, parent=history.head)).encode("utf-8", "replace") + b"\n"
        size = file.stat().st_size if file.exists() else 0
        with file.open("ab", buffering=0) as stream:
            try:
                written = 0
                while written < len(line):
                    written += stream.write(line[written:]) or 0
                os.fsync(stream.fileno())
            except OSError:
                os.ftruncate(stream.fileno(), size)
                raise
        _settle(file.parent)

    def _unfinished(self, name: str, history: Iterable[Entry]) -> tuple[Entry, ...]:
        made = [entry for entry in history if makes_version(entry) and entry.file]
        return tuple(entry for entry in made if not self.path(name, entry.version).exists())

    def _finish(self, name: str, history: Iterable[Entry]) -> tuple[int, ...]:
        waiting = self._unfinished(name, history)
        for entry in waiting:
            self._show(name, entry.version, entry.file)
        return tuple(entry.version for entry in waiting)

    def _show(self, name: str, version: int, kept: str) -> None:
        """Read-only, so that an editor says so before anybody types into it."""
        target = self.path(name, version)
        made = target.with_name(f".{target.name}.new")
        made.unlink(missing_ok=True)  # what a killed writer left
        _write(made, self.kept(name).get(kept))
        made.chmod(made.stat().st_mode & ~0o222)
        try:
            os.link(made, target)  # unlike a rename, a link never replaces another's version
        except FileExistsError:
            raise VersionExists(name=name, version=version) from None
        finally:
            made.unlink(missing_ok=True)
        _settle(target.parent)


@contextmanager
def _saving(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise NotSaved(where=str(target), problem=error.strerror or str(error)) from error


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _settle(folder: Path) -> None:
    """Names made in a folder survive a crash of the machine only once the folder itself is written."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

"""What is remembered of a version, in two files beside it: ``0003.fingerprints.json`` and ``0003.patches.json``.

The version itself stays as it was written. A file is replaced whole or not at all; runs that end together take turns.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from skillnb.codec import canonical, decode
from skillnb.errors import Undecodable
from skillnb.store.protocol import Version
from skillnb.terms import term
from skillnb.terms.memory import Known, Memory, Patch

__all__ = ["changed_memory", "Fingerprints", "Patches", "read_memory", "Remembered"]

_FORMAT = 1


class Remembered(NamedTuple):
    memory: Memory
    notes: tuple[str, ...]
    """What could not be read, and was passed over."""


@term
class Fingerprints:
    format: int
    version_id: str
    known: tuple[Known, ...]


@term
class Patches:
    format: int
    version_id: str
    patches: tuple[Patch, ...]


def read_memory(version: Version) -> Remembered:
    """Of a stored version. Damaged files are told of, never raised for: a run can do without what they held."""
    notes: list[str] = []
    fingerprints = _read(version, "fingerprints", Fingerprints, notes)
    patches = _read(version, "patches", Patches, notes)
    memory = Memory(
        workflow=version.name,
        known=fingerprints.known if fingerprints else (),
        patches=patches.patches if patches else (),
    )
    return Remembered(memory, tuple(notes))


def changed_memory(version: Version, change: Callable[[Memory], Memory]) -> None:
    """Replace what is remembered by what ``change`` makes of it as it is now, with nobody else in between."""
    with _alone(version):
        before = read_memory(version).memory
        after = change(before)
        if after.known != before.known:
            made = Fingerprints(format=_FORMAT, version_id=version.id, known=after.known)
            _replace(_path(version, "fingerprints"), canonical(made))
        if after.patches != before.patches:
            put = Patches(format=_FORMAT, version_id=version.id, patches=after.patches)
            _replace(_path(version, "patches"), canonical(put))


_Kept = TypeVar("_Kept", Fingerprints, Patches)


def _path(version: Version, kind: str) -> Path:
    return Path(version.path).with_suffix(f".{kind}.json")


def _read(version: Version, kind: str, shape: type[_Kept], notes: list[str]) -> _Kept | None:
    path = _path(version, kind)
    try:
        found = decode(shape, path.read_bytes(), str(path))
    except FileNotFoundError:
        return None  # none was kept yet
    except (OSError, Undecodable) as error:
        notes.append(f"{path} can't be read and is passed over until a run has something to keep: {error}")
        return None
    if found.format != _FORMAT or found.version_id != version.id:
        what = f"format {found.format}" if found.format != _FORMAT else f"version {found.version_id[:19]}"
        notes.append(f"{path} is of {what}, not of format {_FORMAT} and version {version.id[:19]}: passed over")
        return None
    return found


@contextmanager
def _alone(version: Version) -> Iterator[None]:
    """The lock goes with the process that holds it."""
    with Path(version.path).with_name(".memory.lock").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _replace(path: Path, text: str) -> None:
    made = path.with_name(f".{path.name}.new")  # whoever holds the lock writes alone; what a killed one left goes
    with made.open("wb") as file:
        file.write(text.encode("utf-8", "replace") + b"\n")
        file.flush()
        os.fsync(file.fileno())
    made.replace(path)

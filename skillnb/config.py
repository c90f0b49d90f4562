"""Settings of a run: defaults, and the environment variables that change them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from skillnb.errors import UsageError

__all__ = ["BRIEF", "NEEDED", "SECRETS", "Settings", "settings"]

BRIEF = "SKILLNB_BRIEF"
"""Names the file that tells a kernel which run it is part of; without it a notebook is run by hand."""
SECRETS = "SKILLNB_SECRETS"
"""Carries the run's secrets to its kernel, which takes it out of its environment at once."""


NEEDED = frozenset({"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "PWD", "SHELL", "TMPDIR", "USER"})
"""Variables that a browser can't do without, so that a word of theirs is never taken for a secret that they hold."""


class Settings(NamedTuple):
    """Seconds are limits, not waits: whatever is ready earlier goes on earlier."""

    gate_seconds: float = 5.0
    action_seconds: float = 5.0
    navigation_seconds: float = 15.0
    kernel_start_seconds: float = 60.0
    screenshots: str = "changes"
    """``steps`` (each), ``changes`` (what may change a thing, heals or fails, and the last), ``failures``, ``off``."""


def settings(environment: Mapping[str, str]) -> Settings:
    """Read SKILLNB_GATE_SECONDS, _ACTION_SECONDS, _NAVIGATION_SECONDS, _KERNEL_SECONDS and SKILLNB_SCREENSHOTS.

    Raises UsageError naming the variable and its value.
    """
    plain = Settings()
    shots = environment.get("SKILLNB_SCREENSHOTS", plain.screenshots)
    if shots not in {"steps", "changes", "failures", "off"}:
        raise UsageError(
            "no such choice", where="SKILLNB_SCREENSHOTS", found=repr(shots), expected="steps, changes, failures or off"
        )
    return Settings(
        gate_seconds=_seconds(environment, "SKILLNB_GATE_SECONDS", plain.gate_seconds),
        action_seconds=_seconds(environment, "SKILLNB_ACTION_SECONDS", plain.action_seconds),
        navigation_seconds=_seconds(environment, "SKILLNB_NAVIGATION_SECONDS", plain.navigation_seconds),
        kernel_start_seconds=_seconds(environment, "SKILLNB_KERNEL_SECONDS", plain.kernel_start_seconds),
        screenshots=shots,
    )


def _seconds(environment: Mapping[str, str], name: str, plain: float) -> float:
    text = environment.get(name, "")
    if not text:
        return plain
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 86_400:
        raise UsageError("not a usable number of seconds", where=name, found=repr(text), expected="for example 5")
    return value

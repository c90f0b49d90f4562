"""Chromiums whose run is gone: killed, and never resumed. Only what is provably ours is ever ended."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from skillnb.browser.chromium import PREFIX, end_browser, owned_by_the_living, place_for_profiles, uses
from skillnb.browser.processes import command_lines

__all__ = ["end_leftover", "Leftover", "leftovers"]


class Leftover(NamedTuple):
    profile: Path
    pid: int
    """Of the Chromium that still uses the profile; 0 when only the folder is left."""


def leftovers() -> tuple[Leftover, ...]:
    """Profiles among the temporary files of this user whose owner no longer lives."""
    found = sorted(Path(place_for_profiles()).glob(f"{PREFIX}*"))
    lines = command_lines()
    return tuple(Leftover(item, _user(item, lines)) for item in found if not owned_by_the_living(item))


def end_leftover(leftover: Leftover) -> None:
    """End the Chromium, if it still is the process that it was, and remove its profile."""
    end_browser(leftover.pid, leftover.profile)


def _user(profile: Path, lines: dict[int, str]) -> int:
    """The leading process of the Chromium with this profile."""
    return next((pid for pid, line in lines.items() if uses(line, profile) and " --type=" not in line), 0)

"""What a check of a notebook found: where, why it matters, how to mend it."""

from __future__ import annotations

from typing import Literal

from skillnb.terms import term

__all__ = ["Finding", "finding", "Level"]

Level = Literal["error", "warning"]


@term
class Finding:
    """An ``error`` makes the notebook not runnable as a workflow; a ``warning`` does not."""

    level: Level
    where: str
    """``file``, ``file: cell <id>`` or ``file: cell <id>, line n``."""
    reason: str
    remedy: str
    code: str
    """Stable short name of the check, lower-case with hyphens."""

    def __str__(self) -> str:
        return f"{self.where}: {self.level}: {self.reason}; {self.remedy} [{self.code}]"


def finding(level: Level, where: str, reason: str, remedy: str, code: str) -> Finding:
    """In the order in which it reads."""
    return Finding(level=level, where=where, reason=reason, remedy=remedy, code=code)

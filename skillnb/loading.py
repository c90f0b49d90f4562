"""Heavy parts of the product, loaded when they are needed: ``--help`` and a run's kernel do without most of them."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["imported"]


def imported(name: str) -> Any:
    """A module that pulls in notebook or browser libraries.

    nbformat's schema checks load a grammar of URI references that costs two seconds where JupyterLab is installed and
    that no notebook schema uses; a missing module is what its loader knows how to do without.
    """
    if "rfc3987_syntax" not in sys.modules:
        missing: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]
        missing["rfc3987_syntax"] = None
    return import_module(name)

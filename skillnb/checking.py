"""Wiring of ``skillnb check``: notebook files read leniently, so that all findings of a broken one are told at once."""

from __future__ import annotations

import json
from pathlib import Path

from skillnb.errors import UsageError
from skillnb.rules.lint import lint
from skillnb.terms.finding import Finding, finding

__all__ = ["findings", "notebooks_in"]


def notebooks_in(places: tuple[Path, ...]) -> tuple[Path, ...]:
    """Files as named, folders searched. Raises UsageError for a place that does not exist or holds no notebook."""
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            inside = sorted(file for file in place.rglob("*.ipynb") if ".ipynb_checkpoints" not in file.parts)
            if not inside:
                raise UsageError("no notebook in this folder", where=str(place), remedy="name a .ipynb file")
            found += inside
        elif place.is_file():
            found.append(place)
        else:
            raise UsageError("no such file", where=str(place), remedy="name a .ipynb file or a folder of them")
    return tuple(found)


def findings(file: Path) -> tuple[Finding, ...]:
    """Errors first. A file that is no JSON object has one finding."""
    where = str(file)
    try:
        nb = json.loads(file.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        return (finding("error", where, f"is not UTF-8 at byte {error.start}", "save it again as UTF-8", "not-utf-8"),)
    except (ValueError, RecursionError) as error:
        hint = "restore it from its history" if file.stat().st_size == 0 else "open it in JupyterLab and save it again"
        return (finding("error", where, f"is not JSON: {error}", hint, "not-json"),)
    if not isinstance(nb, dict):
        return (finding("error", where, "is no notebook but some other JSON", "name a notebook", "not-a-notebook"),)
    return lint(nb, where)

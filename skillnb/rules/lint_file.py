"""Lint: the notebook as a file. Format, ids, JSON, kernel, merge conflicts, notebook metadata."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from skillnb.rules.authored import CELL_KEYS, NOTEBOOK_KEYS, AuthoredCell, authored_cells, notebook_settings, place
from skillnb.rules.nearest import did_you_mean
from skillnb.terms.finding import Finding, finding
from skillnb.terms.workflow import Role

__all__ = ["lint_cell_files", "lint_file", "lint_notebook_settings", "START_URL", "WORKFLOW_NAME"]

WORKFLOW_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*/[a-z0-9]+(?:-[a-z0-9]+)*")

_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: |$)")
START_URL = re.compile(r"(?:https?://[^\s/?#]+|about:|file:|data:|/)\S*")
_TEXTS = ("site", "task_type", "start_url", "locale", "timezone")


def lint_file(nb: Mapping[str, object], where: str) -> Iterator[Finding]:
    if nb.get("nbformat") != 4 or nb.get("nbformat_minor") != 5:
        found = f"{nb.get('nbformat')!r:.20}.{nb.get('nbformat_minor')!r:.20}"
        remedy = "save it once with a current JupyterLab, or `nbformat.v4.upgrade` it"
        yield finding("error", where, f"the format is {found}, not 4.5", remedy, "format")
    cells = nb.get("cells")
    if not isinstance(cells, list) or any(not isinstance(cell, Mapping) for cell in cells):
        yield finding("error", where, "`cells` is not a list of cells", "restore the file", "malformed")
    yield from _ids(cells if isinstance(cells, list) else [], where)
    for path in _not_json(nb, "notebook"):
        remedy = "replace it by null or a text; JupyterLab can't open the file"
        yield finding("error", where, f"{path} is NaN or infinite, which JSON does not have", remedy, "nan")
    yield from _kernel(nb, where)
    metadata = nb.get("metadata")
    if isinstance(metadata, Mapping) and "nbdime-conflicts" in metadata:
        yield _conflict(where, "the notebook's metadata holds `nbdime-conflicts`")


def lint_cell_files(nb: Mapping[str, object], where: str) -> Iterator[Finding]:
    """What can be wrong with a cell whatever its role."""
    for cell in authored_cells(nb):
        own = cell.extra.get("metadata")
        if isinstance(own, Mapping) and "nbdime-conflicts" in own:
            yield _conflict(place(where, cell), "the cell's metadata holds `nbdime-conflicts`")
        for number, line in enumerate(cell.source.split("\n"), start=1):
            if _CONFLICT.match(line):
                yield _conflict(place(where, cell, number), f"a merge conflict is left: {line[:30]!r}")
            if any("\ud800" <= letter <= "\udfff" for letter in line):
                reason = "the source holds half a character (a lone surrogate)"
                yield finding("error", place(where, cell, number), reason, "write the whole character", "surrogate")
        yield from _unknown_keys(cell.settings, CELL_KEYS, place(where, cell))
        yield from _parameters_tag(cell, where)


def lint_notebook_settings(nb: Mapping[str, object], where: str) -> Iterator[Finding]:
    settings = notebook_settings(nb)
    if settings is None:
        remedy = "`skillnb new site/name` writes a notebook that has it"
        yield finding(
            "error", where, "the notebook has no `metadata.skillnb`, so it is no workflow", remedy, "no-metadata"
        )
        return
    yield from _unknown_keys(settings, NOTEBOOK_KEYS, where)
    if settings.get("schema") != 1 or isinstance(settings.get("schema"), bool):
        reason = f"metadata.skillnb.schema is {settings.get('schema')!r:.40}, not 1"
        yield finding("error", where, reason, "write 1, or use the skillnb that wrote it", "schema")
    name = settings.get("name")
    if not isinstance(name, str) or not WORKFLOW_NAME.fullmatch(name):
        remedy = "write site/name in lower-case letters, digits and hyphens"
        yield finding("error", where, f"metadata.skillnb.name is {name!r:.80}", remedy, "workflow-name")
    for key in _TEXTS:
        value = settings.get(key, "")
        if not isinstance(value, str):
            yield finding("error", where, f"metadata.skillnb.{key} is {value!r:.40}", "write a text", "metadata-type")
    start = settings.get("start_url", "")
    if isinstance(start, str) and start and not START_URL.fullmatch(start):
        remedy = "write an absolute URL, or a path beginning with /"
        yield finding("error", where, f"metadata.skillnb.start_url is {start!r:.80}", remedy, "start-url")
    yield from _provenance(settings.get("provenance", {}), where)


def _conflict(where: str, reason: str) -> Finding:
    return finding("error", where, reason, "settle the merge, then remove the markers", "merge-conflict")


def _ids(cells: list[object], where: str) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, cell in enumerate(cells):
        if not isinstance(cell, Mapping):
            continue
        found = cell.get("id")
        spot = f"{where}: cell number {index + 1}"
        if cell.get("cell_type") not in ("code", "markdown", "raw"):
            reason = f"its type is {cell.get('cell_type')!r:.40}"
            yield finding("error", spot, reason, "make it code, markdown or raw", "malformed")
        if not isinstance(found, str) or not _ID.fullmatch(found):
            reason = "it has no id" if found is None else f"its id is {found!r:.80}"
            remedy = "give it `<step>-<role>`: 1 to 64 of letters, digits, - and _"
            yield finding("error", spot, reason, remedy, "cell-id")
        elif found in seen:
            yield finding(
                "error", spot, f"its id {found!r} is used twice", "give one of them another id", "duplicate-id"
            )
        else:
            seen.add(found)


def _not_json(value: object, path: str) -> Iterator[str]:
    waiting: list[tuple[object, str]] = [(value, path)]
    while waiting:
        item, at = waiting.pop()
        if isinstance(item, float) and not math.isfinite(item):
            yield at
        elif isinstance(item, Mapping):
            waiting += [(child, f"{at}.{key}") for key, child in item.items()]
        elif isinstance(item, list | tuple):
            waiting += [(child, f"{at}[{index}]") for index, child in enumerate(item)]


def _kernel(nb: Mapping[str, object], where: str) -> Iterator[Finding]:
    metadata = nb.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, Mapping) else None
    if not isinstance(kernel, Mapping) or not isinstance(kernel.get("name"), str):
        remedy = 'add `"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}`'
        yield finding("error", where, "the metadata has no kernelspec", remedy, "kernelspec")
    elif kernel.get("language", "python") != "python":
        reason = f"the kernel's language is {kernel.get('language')!r:.40}"
        yield finding("error", where, reason, "choose a Python kernel", "kernelspec")
    elif kernel["name"] != "python3":
        reason = f"the kernel {kernel['name']!r:.60} may not exist on another machine"
        yield finding("warning", where, reason, "choose `python3`", "kernelspec-name")


def _unknown_keys(settings: Mapping[str, object], known: frozenset[str], where: str) -> Iterator[Finding]:
    for key in settings:
        if key not in known:
            reason = f"metadata.skillnb has the unknown key {key!r:.60}"
            yield finding("error", where, reason, did_you_mean(str(key), known), "unknown-key")


def _parameters_tag(cell: AuthoredCell, where: str) -> Iterator[Finding]:
    tagged = "parameters" in cell.tags
    if cell.role == Role.PARAMETERS and not tagged:
        reason = "the parameters cell lacks the tag `parameters`, by which papermill finds it"
        yield finding("error", place(where, cell), reason, "add the tag", "parameters-tag")
    elif tagged and cell.role != Role.PARAMETERS:
        reason = "the tag `parameters` stands on a cell of another role"
        yield finding("error", place(where, cell), reason, "remove the tag", "parameters-tag")


def _provenance(value: object, where: str) -> Iterator[Finding]:
    remedy = 'write `{"method": "written", "episodes": []}`'
    if not isinstance(value, Mapping):
        yield finding("error", where, f"metadata.skillnb.provenance is {value!r:.40}", remedy, "provenance")
        return
    for key in value:
        if key not in ("method", "episodes"):
            reason = f"metadata.skillnb.provenance has the unknown key {key!r:.60}"
            yield finding("error", where, reason, did_you_mean(str(key), ("method", "episodes")), "unknown-key")
    episodes = value.get("episodes", [])
    if not isinstance(value.get("method", ""), str) or not isinstance(episodes, list):
        yield finding("error", where, "metadata.skillnb.provenance has parts of a wrong type", remedy, "provenance")
    elif any(not isinstance(episode, str) for episode in episodes):
        yield finding("error", where, "an episode in metadata.skillnb.provenance is no text", remedy, "provenance")

"""The notebook file: read strictly, written whole or not at all. The only module that knows nbformat."""

from __future__ import annotations

import copy
import itertools
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

from nbformat import from_dict
from nbformat.v4.rwbase import rejoin_lines, split_lines
from nbformat.validator import iter_validate

from skillnb.errors import InvalidWorkflow

__all__ = ["executable", "new_cell", "new_output", "read", "write"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_COUNTER = itertools.count()


def read(path: Path) -> dict[str, Any]:
    """The notebook with sources as single texts. Raises InvalidWorkflow for anything but valid nbformat 4.5."""
    where = str(path)
    try:
        nb = json.loads(path.read_bytes().decode("utf-8"), parse_constant=_refuse)
    except OSError as error:
        raise InvalidWorkflow(where=where, findings=(f"can't be read: {error.strerror}",)) from None
    except UnicodeDecodeError as error:
        raise InvalidWorkflow(where=where, findings=(f"is not UTF-8 at byte {error.start}; save it again",)) from None
    except RecursionError:
        raise InvalidWorkflow(where=where, findings=("is nested too deeply for a notebook",)) from None
    except ValueError as error:
        hint = "" if path.stat().st_size else " (the file is empty: restore it)"
        raise InvalidWorkflow(where=where, findings=(f"is not JSON: {error}{hint}",)) from None
    _check(nb, where)
    whole: dict[str, Any] = _plain(rejoin_lines(from_dict(nb)))
    return whole


def write(path: Path, nb: dict[str, Any]) -> None:
    """Old file or new file, never half of one, also after a crash. Half characters in outputs become U+FFFD.

    Raises InvalidWorkflow, and leaves the file alone, when ``nb`` is not valid nbformat 4.5 or holds NaN.
    """
    where = str(path)
    _check(nb, where)
    shaped = split_lines(from_dict(copy.deepcopy(nb)))
    try:
        text = json.dumps(shaped, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    except ValueError as error:
        raise InvalidWorkflow(where=where, findings=(f"holds NaN or an infinity: {error}",)) from None
    _replace(Path(os.path.realpath(path)), _SURROGATE.sub("\ufffd", text + "\n").encode())


def new_cell(kind: str, identifier: str, source: str, metadata: dict[str, Any]) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "id": identifier, "metadata": metadata, "source": source}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    made: dict[str, Any] = from_dict(cell)
    return made


def new_output(data: dict[str, Any]) -> dict[str, Any]:
    """A ``display_data`` output of one MIME bundle."""
    made: dict[str, Any] = from_dict({"output_type": "display_data", "data": data, "metadata": {}})
    return made


def executable(nb: dict[str, Any]) -> Any:
    """A deep copy as nbclient wants it, whose keys can be read as attributes."""
    return from_dict(copy.deepcopy(nb))


def _refuse(constant: str) -> object:
    raise ValueError(f"it holds {constant}, which JSON does not have; replace it by null or a text")


def _check(nb: object, where: str) -> None:
    if not isinstance(nb, dict) or (nb.get("nbformat"), nb.get("nbformat_minor")) != (4, 5):
        found = f"{nb.get('nbformat')}.{nb.get('nbformat_minor')}" if isinstance(nb, dict) else "no notebook"
        problem = f"the format is {found}, not 4.5; save it once with a current JupyterLab"
        raise InvalidWorkflow(where=where, findings=(problem,))
    problems = _problems(nb)
    if problems:
        raise InvalidWorkflow(where=where, findings=tuple(problems[:20]))


def _problems(nb: dict[str, Any]) -> list[str]:
    whole = [_sentence("notebook", error) for error in iter_validate(nb, version=4, version_minor=5)]
    cells = nb.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        return whole
    inner = [problem for number, cell in enumerate(cells, start=1) for problem in _cell_problems(number, cell)]
    ids = [str(cell.get("id")) for cell in cells]
    twice = [identifier for identifier, count in Counter(ids).items() if count > 1]
    repeated = [f"cell id {identifier!r} is used twice; give one of them another" for identifier in twice]
    return ((inner or whole) if whole else []) + repeated


def _cell_problems(number: int, cell: dict[str, Any]) -> list[str]:
    """The format's own errors do not say in which cell they stand."""
    kind = cell.get("cell_type")
    if kind not in ("code", "markdown", "raw"):
        return [f"cell number {number}: its type is {kind!r:.40}; make it code, markdown or raw"]
    errors = iter_validate(cell, ref=f"{kind}_cell", version=4, version_minor=5)
    return [_sentence(f"cell number {number}", error) for error in errors]


def _sentence(at: str, error: Any) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in getattr(error, "path", ()))
    return f"{at}{path}: {str(error.message).splitlines()[0][:200]}"


def _plain(value: Any) -> Any:
    """Ordinary dicts, so that equality and JSON behave as everywhere else."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _replace(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{next(_COUNTER)}.tmp")
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as stream:
            if mode is not None:
                os.fchmod(stream.fileno(), mode)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

"""Wiring of ``skillnb audit secrets``: everything that a run left is found, read, and searched for its secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from skillnb.errors import UsageError
from skillnb.resumption import find_trace
from skillnb.rules.leaks import free_texts, is_word
from skillnb.rules.masking import Masker
from skillnb.rules.parameters import resolve
from skillnb.rules.secrets import known_secrets
from skillnb.store.blobs import BlobFolder
from skillnb.store.traces import read_trace
from skillnb.terms.trace import RunStarted
from skillnb.terms.workflow import Parameter, ParameterType
from skillnb.workspace import Loaded, Workspace

__all__ = ["Audit", "audit_secrets", "Leak"]

_DIGEST = re.compile(rb"sha256:[0-9a-f]{64}")
_SHORT = 4


class Leak(NamedTuple):
    secret: str
    """Its name: an audit never shows a value."""
    file: str


class Audit(NamedTuple):
    run_id: str
    files: tuple[str, ...]
    size: int
    """Bytes read."""
    secrets: tuple[str, ...]
    short: tuple[str, ...]
    """Secrets of under four characters, which can't be told from unrelated text and so are not looked for."""
    leaks: tuple[Leak, ...]
    words: tuple[Leak, ...]
    """Finds in words of the file's own format, in numbers, digests and times: coincidences."""


def audit_secrets(
    workspace: Workspace, run: str, given: Mapping[str, str], environment: Mapping[str, str], out: Path | None = None
) -> Audit:
    """``run`` is a run id, or the path of its trace or its notebook. Secrets are resolved as the run did.

    Raises NotResumable where there is no such run, InvalidParameters for a secret that is not known any more.
    """
    trace, notebook = _places(workspace, run, out)
    began = next((line.event for line in read_trace(trace).lines if isinstance(line.event, RunStarted)), None)
    if began is None:
        raise UsageError("the trace has no beginning, so its workflow is not known", where=str(trace))
    stored = began.version > 0
    loaded = workspace.load(f"{began.workflow}@{began.version}") if stored else workspace.load_file(Path(began.path))
    secrets = _secrets(workspace, loaded, given, environment)
    mask = Masker(secrets)
    ours = {name for name, value in secrets.items() if is_word(value)}
    leaks, words, size = list[Leak](), list[Leak](), 0
    files = tuple(dict.fromkeys(_files(workspace, trace, notebook)))
    for file in files:
        data = file.read_bytes()
        size += len(data)
        found, by_chance = _found(data, mask, ours)
        leaks += [Leak(name, str(file)) for name in sorted(found)]
        words += [Leak(name, str(file)) for name in sorted(by_chance)]
    names = tuple(sorted(secrets))
    short = tuple(name for name in names if len(secrets[name]) < _SHORT)
    return Audit(trace.stem, tuple(map(str, files)), size, names, short, tuple(leaks), tuple(words))


def _places(workspace: Workspace, run: str, out: Path | None) -> tuple[Path, Path | None]:
    """The trace, and a notebook that may stand elsewhere, where papermill was told to put it."""
    path = Path(run)
    if path.suffix != ".ipynb":
        return find_trace(workspace, run, out), None
    try:
        own = json.loads(path.read_bytes())["metadata"]["skillnb"]["run"]["run_id"]
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            "no notebook that a run has left",
            where=run,
            remedy="name an executed copy, a trace (.jsonl) or a run id",
        ) from None
    beside = path.with_name(f"{own}.jsonl")
    return (beside if beside.is_file() else find_trace(workspace, str(own), out)), path


def _secrets(
    workspace: Workspace, loaded: Loaded, given: Mapping[str, str], environment: Mapping[str, str]
) -> dict[str, str]:
    workflow = loaded.workflow
    declared = tuple(item for item in workflow.parameters if item.secret)
    known = {item.name for item in declared}
    more = tuple(
        Parameter(name=name, type=ParameterType.SECRET, default="null", required=True)
        for name in given
        if name not in known
    )
    values = resolve(declared + more, given, environment, workflow.name)
    callees = [item.workflow for item in workspace.callees(workflow)]
    return {
        **known_secrets(workflow, callees, values, environment),
        **{item.name: str(values[item.name]) for item in more},
    }


def _files(workspace: Workspace, trace: Path, notebook: Path | None) -> Iterator[Path]:
    own = sorted(path for path in trace.parent.glob(f"{trace.stem}.*") if path.is_file())
    if notebook is not None:
        own.append(notebook)
    yield from own
    named = {digest.decode("ascii") for path in own for digest in _DIGEST.findall(path.read_bytes())}
    folders = [
        BlobFolder(folder / "blobs") for folder in (*trace.parents, workspace.logs) if (folder / "blobs").is_dir()
    ]
    for digest in sorted(named):
        found = next((path for folder in folders if (path := folder.path(digest))), "")
        if found:
            yield Path(found)


def _found(data: bytes, mask: Masker, ours: set[str]) -> tuple[set[str], set[str]]:
    """Names of the secrets that the bytes hold, and of those that only stand in words of the format or are ``ours``."""
    raw = {*mask.found(data), *mask.found(data.replace(b"\0", b""))}
    texts = free_texts(data)
    if texts is None:
        return raw, set()
    free = {name for text in texts for name in mask.found(text.encode("utf-8", "surrogatepass"))}
    return free - ours, raw - (free - ours)

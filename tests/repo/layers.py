"""The layers of the package, top first, and what breaks them. ``docs/architecture.md`` shows the same table."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.repo.imports import Import, Module, cycles, modules, unit_of

__all__ = ["LAYERS", "LIBRARIES", "Layer", "violations"]


class Layer(NamedTuple):
    name: str
    units: tuple[str, ...]
    """Folders and modules directly under the package. Those of one layer never import each other, unless said."""
    may: str
    what: str


LAYERS = (
    Layer(
        "fronts",
        ("cli", "jupyter", "batch"),
        "wiring and below",
        "argv, JupyterLab, the papermill engine, worker pools. A front parses, calls one library method, prints",
    ),
    Layer(
        "testing",
        ("testing",),
        "wiring and below; only `cli/` and the tests import it",
        "applications to run workflows on, fakes, contract suites",
    ),
    Layer(
        "wiring",
        (
            "workspace",
            "config",
            "planning",
            "loading",
            "given",
            "byhand",
            "running",
            "remembering",
            "resumption",
            "binding",
            "auditing",
            "checking",
            "gatetests",
            "health",
            "models",
            "standby",
            "importing",
            "skillfolders",
            "authorship",
            "listing",
            "pastruns",
            "promoting",
            "upkeep",
            "versioning",
            "plugins",
        ),
        "everything but fronts and testing; each other",
        "opens a project folder, picks the real parts, owns the clock, randomness and the environment",
    ),
    Layer(
        "work",
        ("runner", "agent", "skills", "replay", "lifecycle"),
        "rules, words, and of outside only the `protocol` modules",
        "run a workflow (outside the kernel); gates, repair, procedure, called workflows (inside it); replay; decide",
    ),
    Layer(
        "outside",
        ("notebook", "store", "browser", "kernel", "llm"),
        "rules, words",
        "the notebook file, the disk, the site, Jupyter, the model. Each: one protocol module without third-party"
        " imports, then one adapter module per library",
    ),
    Layer(
        "rules",
        ("rules",),
        "words",
        "pure functions: answer a gate, advance a cascade, read a snapshot, ground a sentence, relocate, lint, mask."
        " No I/O, no clock, no randomness",
    ),
    Layer(
        "words",
        ("terms", "codec", "errors"),
        "`errors`",
        "frozen dataclasses with the field's names; canonical JSON and digests; the whole error tree",
    ),
)

TOGETHER = frozenset({"wiring"})
"""Layers whose units may import each other."""
DOWN_TO_ERRORS = frozenset({("terms", "errors"), ("codec", "errors")})
USERS_OF_TESTING = frozenset({"cli", "testing"})
PURE = frozenset({"rules", "replay", "terms", "codec", "errors"})

LIBRARIES = {
    "IPython": ("kernel.ipython",),
    "PIL": ("browser.thumbnail",),
    "click": ("jupyter.papermill",),
    "jsonschema": ("llm.answers",),
    "jupyter_client": ("kernel.nbclient",),
    "nbdime": ("notebook.nbdiff",),
    "nbclient": ("kernel.nbclient",),
    "nbformat": ("notebook.ipynb",),
    "keyring": ("llm.keys",),
    "numpy": ("llm.minilm", "rules.likeness"),
    "onnxruntime": ("llm.minilm",),
    "openai": ("llm.compatible",),
    "papermill": ("jupyter.papermill",),
    "playwright": (
        "browser.attached",
        "browser.holding",
        "browser.leading",
        "browser.live",
        "browser.performing",
        "browser.traffic",
    ),
    "pydantic": ("codec",),
    "rapidfuzz": ("rules.likeness", "rules.similarity"),
    "referencing": ("llm.answers",),
    "rich": ("cli",),
    "traitlets": ("kernel.nbclient",),
    "typer": ("cli",),
    "xllamacpp": ("llm.llamacpp",),
    "yaml": ("notebook.frontmatter",),
}
"""Where each third-party library lives: in one module; the two that make up the command line, in its folder.

rapidfuzz compares two texts in the one and a text with a column of numpy's in the other, which the first never loads.
"""

_PURE_STDLIB = """
    ast base64 binascii bisect builtins collections collections.abc copy dataclasses datetime difflib enum fnmatch
    functools hashlib heapq html html.entities io itertools json keyword math operator re statistics string textwrap
    tokenize types typing unicodedata urllib.parse warnings
"""
"""No file, process, socket, clock, randomness or loop can be reached through these, but for the calls below."""
_IMPURE_CALLS = """
    open print input exec eval breakpoint __import__ io.open tokenize.open datetime.now datetime.utcnow
    datetime.today date.today datetime.datetime.now datetime.datetime.utcnow datetime.date.today
"""

_RANK = {unit: rank for rank, layer in enumerate(reversed(LAYERS)) for unit in layer.units}
_LAYER = {unit: layer.name for layer in LAYERS for unit in layer.units}


def violations(package: Path) -> list[str]:
    """One sentence for each place that breaks the table, in order of the modules."""
    found = modules(package)
    made = [sentence for module in found.values() for sentence in _of_module(module)]
    made += [f"import cycle: {' <-> '.join(group)}" for group in cycles(found)]
    return made


def _of_module(module: Module) -> Iterator[str]:
    if module.unit and module.unit not in _RANK:
        yield f"{module.name}: {module.unit} is in no layer"
        return
    for item in module.imports:
        problem = _problem(module, item)
        if problem:
            yield f"{module.name}:{item.line}: {problem}"
        if item.inside and not item.explained:
            yield f"{module.name}:{item.line}: imports {item.target} inside a function, without a comment above why"
    if module.unit in PURE:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in _IMPURE_CALLS.split():
                yield f"{module.name}:{node.lineno}: calls {ast.unparse(node.func)}, and {module.unit} is pure"


def _problem(module: Module, item: Import) -> str:
    if item.ours:
        return _upward(module, item)
    if item.target in sys.stdlib_module_names or item.target.split(".")[0] in sys.stdlib_module_names:
        impure = module.unit in PURE and item.target not in _PURE_STDLIB.split()
        return f"imports {item.target}, and {module.unit} is pure" if impure else ""
    own = module.name.partition(".")[2]
    homes = LIBRARIES.get(item.target, ())
    return "" if own in homes or module.unit in homes else f"imports {item.target}, which does not live here"


def _upward(module: Module, item: Import) -> str:
    here, there = module.unit, unit_of(item.target)
    if not here:
        return "" if item.typing_only else "the package itself imports nothing when it is imported"
    if item.typing_only:
        return f"imports {item.target} for types only: import it, or move the type down"
    if not there or here == there:
        return ""
    if there not in _RANK:
        return f"imports {item.target}, which is in no layer"
    if _RANK[there] > _RANK[here]:
        return f"imports upward: {item.target} ({_LAYER[there]}) from {_LAYER[here]}"
    if there == "testing" and here not in USERS_OF_TESTING:
        return f"imports {item.target}, which only the command line and tests may"
    if _RANK[there] == _RANK[here]:
        allowed = _LAYER[here] in TOGETHER or (here, there) in DOWN_TO_ERRORS
        return "" if allowed else f"imports {item.target}: parts of {_LAYER[here]} never import each other"
    if _LAYER[here] == "work" and _LAYER[there] == "outside" and not item.target.endswith(".protocol"):
        return f"imports {item.target}: work knows the outside by its protocol only"
    return ""

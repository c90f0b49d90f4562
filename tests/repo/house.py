"""The rules of the house that a machine can check, as functions from sources to sentences about what breaks them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = [
    "FORBIDDEN_NAMES",
    "MODULE_LINES",
    "named",
    "opened",
    "public_names",
    "sized",
    "skipped",
    "swallowed",
    "unlisted",
    "unmarked",
]

MODULE_LINES = 350
FUNCTION_LINES = 50

FORBIDDEN_NAMES = frozenset(
    {"base", "common", "core", "handler", "helper", "helpers", "manager", "misc", "service", "types", "util", "utils"}
)
"""Names that say nothing about what is inside."""

_MARKS = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
_MACHINE = re.compile(r"(?<![\w./:}-])/(?:root|work|Users|home/(?!jovyan)\w+|tmp/\w)/")
"""Paths of the machine on which something was written; temporary files are named by the tests' own fixtures."""


def sized(path: Path, tree: ast.Module, text: str) -> Iterator[str]:
    """Modules and functions longer than a reader can hold."""
    lines = len(text.splitlines())
    if lines > MODULE_LINES:
        yield f"{path}: {lines} lines are more than {MODULE_LINES}"
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"{path}: {node.name} has {length} lines, more than {FUNCTION_LINES}"


def named(path: Path) -> Iterator[str]:
    for part in (*path.parts[:-1], path.stem):
        if part in FORBIDDEN_NAMES:
            yield f"{path}: {part} says nothing about what is inside"


def public_names(tree: ast.Module) -> list[str]:
    """What a module defines itself and does not mark as its own affair; type variables are nobody's affair."""
    found = []
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.append(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if "TypeVar(" not in ast.unparse(value):
                found.append(name)
            case ast.Assign(targets=[ast.Tuple(elts=several)]):
                found += [ast.unparse(name) for name in several]
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.append(name)
    return [name for name in found if not name.startswith("_")]


def unlisted(path: Path, tree: ast.Module) -> Iterator[str]:
    """``__all__``: there, complete, sorted without regard to case, and true."""
    listed = next(
        (
            ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        ),
        None,
    )
    own = public_names(tree)
    if listed is None:
        if own:
            yield f"{path}: no __all__, and it defines {', '.join(own)}"
        return
    missing = sorted(set(own) - set(listed))
    if missing:
        yield f"{path}: not in __all__: {', '.join(missing)}"
    if listed != sorted(listed, key=lambda name: (name.lower(), name)):
        yield f"{path}: __all__ is not sorted"
    bound = {
        node.id if isinstance(node, ast.Name) else node.asname or node.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Name, ast.alias))
    }
    unknown = sorted(set(listed) - set(own) - bound)
    if unknown:
        yield f"{path}: in __all__ and nowhere else: {', '.join(unknown)}"


def opened(path: Path, tree: ast.Module) -> Iterator[str]:
    """A module says what it is for, then asks for postponed annotations; an empty package file says nothing."""
    if not tree.body:
        return
    if ast.get_docstring(tree) is None:
        yield f"{path}: no docstring"
    if not any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body[:2]):
        yield f"{path}: no `from __future__ import annotations` after the docstring"


def swallowed(path: Path, tree: ast.Module) -> Iterator[str]:
    """Exceptions caught and forgotten."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            if node.type is None:
                yield f"{path}:{node.lineno}: catches everything without naming it"
            if all(isinstance(inner, ast.Pass) or ast.unparse(inner) == "..." for inner in node.body):
                yield f"{path}:{node.lineno}: catches an exception and forgets it"


def skipped(path: Path, tree: ast.Module) -> Iterator[str]:
    """Tests that do not run, or may fail."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and re.search(
            r"\b(?:pytest\.(?:skip|xfail|importorskip)|mark\.(?:skip|skipif|xfail))$", ast.unparse(node)
        ):
            yield f"{path}:{node.lineno}: {ast.unparse(node)}"


def unmarked(path: Path, text: str) -> Iterator[str]:
    """Reminders that were left lying, and paths of somebody's machine."""
    for number, line in enumerate(text.splitlines(), start=1):
        for pattern, told in ((_MARKS, "a reminder left lying"), (_MACHINE, "a path of one machine")):
            found = pattern.search(line)
            if found:
                yield f"{path}:{number}: {told}: {found.group()}"

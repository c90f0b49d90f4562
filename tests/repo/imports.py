"""What the modules of a package import, read from their source without importing them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Import", "Module", "cycles", "modules"]

BY_NAME = frozenset({"imported", "import_module"})
"""Functions that import a module by the name they are given."""


class Import(NamedTuple):
    target: str
    """The module that is loaded, or for a library its own name."""
    line: int
    ours: bool
    inside: bool
    """It stands in a function."""
    explained: bool
    """A comment stands on the line above, or the module is loaded by name through a function whose purpose that is."""
    typing_only: bool


class Module(NamedTuple):
    name: str
    path: Path
    tree: ast.Module
    imports: tuple[Import, ...]

    @property
    def unit(self) -> str:
        """The folder or module directly under the package; empty for the package itself."""
        return unit_of(self.name)


def unit_of(name: str) -> str:
    return [*name.split("."), ""][1]


def modules(package: Path) -> dict[str, Module]:
    """Every module of the package by its dotted name. Scripts of the applications (``files/``) are not ours."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        if "files" in parts:
            continue
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text("utf-8")
        tree = ast.parse(text, str(path))
        found[name] = Module(name, path, tree, tuple(_imports(tree, text.splitlines(), package)))
    return found


def _imports(tree: ast.Module, lines: list[str], package: Path) -> Iterator[Import]:
    inside = {id(node) for node in _below(tree, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)}
    typing_only = {
        id(node)
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and "TYPE_CHECKING" in ast.unparse(branch.test)
        for node in ast.walk(branch)
    }
    for node in ast.walk(tree):
        for target in _targets(node, package):
            ours = target.split(".")[0] == package.name
            if not ours and target.split(".")[0] in {"__future__"}:
                continue
            by_name = isinstance(node, ast.Call)
            line = getattr(node, "lineno", 0)
            explained = by_name or lines[line - 2].lstrip().startswith("#")
            yield Import(target, line, ours, id(node) in inside, explained, id(node) in typing_only)


def _below(tree: ast.AST, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, kinds):
            yield from (inner for inner in ast.walk(node) if inner is not node)


def _targets(node: ast.AST, package: Path) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (_ours_or_library(alias.name, package) for alias in names)
        case ast.ImportFrom(level=level) if level:
            raise SyntaxError(f"relative import on line {node.lineno}: name the module in full")
        case ast.ImportFrom(module=str(module), names=names):
            for target in {_submodule(module, alias.name, package) for alias in names}:
                yield _ours_or_library(target, package)
        case ast.Call(func=ast.Name(id=function), args=[ast.Constant(value=str(name)), *_]) if function in BY_NAME:
            yield _ours_or_library(name, package)


def _submodule(module: str, name: str, package: Path) -> str:
    """``from a.b import c`` loads the module ``a.b.c`` where there is one, else only ``a.b``."""
    place = package.parent.joinpath(*module.split("."), name)
    return f"{module}.{name}" if place.with_suffix(".py").is_file() or place.is_dir() else module


def _ours_or_library(name: str, package: Path) -> str:
    top = name.split(".")[0]
    return name if top == package.name or top in sys.stdlib_module_names else top


def cycles(found: dict[str, Module]) -> list[tuple[str, ...]]:
    """Groups of modules that import one another, directly or through others."""
    reached = {name: _reachable(name, found) for name in found}
    groups = {
        tuple(sorted({name, *(other for other in reached[name] if name in reached[other])}))
        for name in found
        if name in reached[name]
    }
    return sorted(groups)


def _reachable(start: str, found: dict[str, Module]) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for item in found[waiting.pop()].imports:
            if item.target in found and not item.typing_only and item.target not in seen:
                seen.add(item.target)
                waiting.append(item.target)
    return seen

"""Lint: code cells. Syntax, what can't work in a notebook, and calls that silently do nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from skillnb.rules.authored import AuthoredCell, place
from skillnb.rules.cellsource import BadSource, language, parsed
from skillnb.rules.playwrightnames import COROUTINES, DISTINCTIVE, LOCATORS
from skillnb.terms.finding import Finding, Level, finding
from skillnb.terms.workflow import Role

__all__ = ["lint_code", "page_names", "python_tree", "rooted"]

_OURS = frozenset({"call", "fallback", "bind"})
_KNOWN_LANGUAGES = frozenset({"python", "page", "bash"})
_BANNED: dict[str, tuple[Level, str, str]] = {
    "asyncio.run": ("error", "`asyncio.run` can't run in a notebook, where a loop already runs", "await it directly"),
    "run_until_complete": ("error", "`run_until_complete` can't run in a notebook", "await it directly"),
    "input": ("error", "`input()` waits for a person for ever when nobody sits there", "make it a parameter"),
    "page.pause": ("error", "`page.pause()` waits for a person for ever when nobody sits there", "remove it"),
    "sync_playwright": ("error", "the sync Playwright API can't run in a notebook", "use `page`, with await"),
    "time.sleep": ("warning", "`time.sleep` stops the page's events too", "wait for something: `await gate...`"),
    "async_playwright": ("warning", "the cell starts a browser that no gate sees", "use `page`, which is open already"),
    "nest_asyncio": ("warning", "nest_asyncio does not make sync Playwright work here", "remove it and await"),
    "exit": ("warning", "leaving the kernel ends the run without its gates", "let the cell end, or raise"),
}
_CALLS = {
    "asyncio.run": "asyncio.run", "input": "input", "page.pause": "page.pause", "time.sleep": "time.sleep",
    "sync_playwright": "sync_playwright", "async_playwright": "async_playwright", "exit": "exit", "quit": "exit",
    "sys.exit": "exit", "os._exit": "exit",
}  # fmt: skip
_MODULES = {"playwright.sync_api": "sync_playwright", "nest_asyncio": "nest_asyncio"}
_SOURCES = {("time", "sleep"): "time.sleep", ("asyncio", "run"): "asyncio.run"}


def python_tree(cell: AuthoredCell) -> ast.Module | None:
    """The cell's syntax tree; None for other languages, other kinds of cells and what is not Python."""
    if cell.kind != "code" or language(cell.source) != "python":
        return None
    tree = parsed(cell.source)
    return None if isinstance(tree, BadSource) else tree


def lint_code(cell: AuthoredCell, where: str) -> Iterator[Finding]:
    """Findings of one code cell, whatever its role; the parameters cell reports its own syntax."""
    if cell.kind != "code" or cell.role == Role.PARAMETERS:
        return
    spoken = language(cell.source)
    if spoken not in _KNOWN_LANGUAGES and cell.role != Role.NOTE:
        reason, remedy = f"the cell begins with %%{spoken}", "languages are Python, %%page and %%bash"
        yield finding("warning", place(where, cell, 1), reason, remedy, "language")
    if spoken != "python":
        return
    tree = parsed(cell.source)
    if isinstance(tree, BadSource):
        yield finding(
            "error", place(where, cell, tree.line), f"not Python: {tree.reason}", "mend the line", "python-syntax"
        )
        return
    yield from _banned(tree, cell, where)
    yield from _not_awaited(tree, cell, where)


def page_names(tree: ast.AST) -> frozenset[str]:
    """``page`` and the names bound in the cell to what comes from it."""
    names = {"page"}
    bindings = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.withitem | ast.For | ast.AsyncFor)]
    for _ in range(len(bindings) + 1):
        before = len(names)
        for node in bindings:
            names |= _bound(node, frozenset(names))
        if len(names) == before:
            break
    return frozenset(names)


def rooted(node: ast.expr, names: frozenset[str]) -> bool:
    """Whether an expression is a chain of attributes, calls, items and awaits that begins with one of the names."""
    while True:
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Await):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return isinstance(node, ast.Name) and node.id in names


def _bound(node: ast.AST, names: frozenset[str]) -> set[str]:
    if isinstance(node, ast.Assign):
        value, targets = node.value, node.targets
    elif isinstance(node, ast.withitem):
        value, targets = node.context_expr, [node.optional_vars] if node.optional_vars else []
    elif isinstance(node, ast.For | ast.AsyncFor):
        value, targets = node.iter, [node.target]
    else:
        return set()
    if not rooted(value, names):
        return set()
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def _banned(tree: ast.AST, cell: AuthoredCell, where: str) -> Iterator[Finding]:
    told: set[tuple[str, int]] = set()
    for node in ast.walk(tree):
        for key in _bans(node):
            line = getattr(node, "lineno", 1)
            if (key, line) not in told:
                told.add((key, line))
                level, reason, remedy = _BANNED[key]
                yield finding(level, place(where, cell, line), reason, remedy, key.replace(".", "-").replace("_", "-"))


def _bans(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (_MODULES[alias.name] for alias in node.names if alias.name in _MODULES)
    elif isinstance(node, ast.ImportFrom):
        if node.module in _MODULES:
            yield _MODULES[node.module]
        yield from (_SOURCES[node.module or "", a.name] for a in node.names if (node.module or "", a.name) in _SOURCES)
    elif isinstance(node, ast.Call):
        name = ast.unparse(node.func) if isinstance(node.func, ast.Name | ast.Attribute) else ""
        if name in _CALLS:
            yield _CALLS[name]
        elif name.endswith(".run_until_complete"):
            yield "run_until_complete"


def _not_awaited(tree: ast.Module, cell: AuthoredCell, where: str) -> Iterator[Finding]:
    """A coroutine that nobody awaits is a step that silently does nothing."""
    names = page_names(tree)
    kept = _awaited_names(tree)
    for node in ast.walk(tree):
        for child in _dropped(node, kept):
            said = _coroutine(child, names)
            if said:
                reason, remedy = f"{said} is not awaited, so it does nothing", f"write `await {said}`"
                yield finding("error", place(where, cell, child.lineno), reason, remedy, "not-awaited")
        if isinstance(node, ast.Expr) and _is_locator(node.value, names):
            reason, remedy = "the line only describes an element and does nothing", "add the action: `.click()`"
            yield finding("warning", place(where, cell, node.lineno), reason, remedy, "no-action")
        if isinstance(node, ast.With) and any(_is_expectation(item.context_expr, names) for item in node.items):
            reason, remedy = "Playwright's `expect_...` needs `async with` here", "write `async with`"
            yield finding("error", place(where, cell, node.lineno), reason, remedy, "sync-with")


def _awaited_names(tree: ast.AST) -> frozenset[str]:
    """Names that stand inside an ``await`` or are handed to a call: their coroutine may be awaited there."""
    outer = [node for node in ast.walk(tree) if isinstance(node, ast.Await | ast.Call | ast.Return | ast.Yield)]
    return frozenset(name.id for node in outer for name in ast.walk(node) if isinstance(name, ast.Name))


def _dropped(node: ast.AST, kept: frozenset[str]) -> list[ast.expr]:
    """Sub-expressions whose value is used as it is, so that a coroutine there is never awaited."""
    if isinstance(node, ast.Expr | ast.Attribute | ast.FormattedValue | ast.Subscript):
        return [node.value]
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        return [node.test]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.For | ast.comprehension):
        return [node.iter]
    if isinstance(node, ast.Assign) and not any(isinstance(t, ast.Name) and t.id in kept for t in node.targets):
        return [node.value]
    return []


def _coroutine(node: ast.expr, names: frozenset[str]) -> str:
    """How the call reads, when it makes a coroutine of the page or of ours."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    ours = isinstance(function, ast.Name) and function.id in _OURS
    if isinstance(function, ast.Attribute):
        receiver, method = function.value, function.attr
        ours = (
            (isinstance(receiver, ast.Name) and receiver.id == "gate")
            or (method in COROUTINES and rooted(receiver, names))
            or (method in DISTINCTIVE and not isinstance(receiver, ast.Constant))
            or (method.startswith(("to_", "not_to_")) and ast.unparse(receiver).startswith("expect("))
        )
    said = " ".join(ast.unparse(node).split())
    return (said if len(said) <= 60 else said[:57] + "...") if ours else ""


def _is_locator(node: ast.expr, names: frozenset[str]) -> bool:
    target = node.value if isinstance(node, ast.Await) else node
    if isinstance(target, ast.Attribute) and target.attr in ("first", "last"):
        target = target.value
    function = target.func if isinstance(target, ast.Call) else None
    return isinstance(function, ast.Attribute) and function.attr in LOCATORS and rooted(function.value, names)


def _is_expectation(node: ast.expr, names: frozenset[str]) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    return isinstance(function, ast.Attribute) and function.attr.startswith("expect_") and rooted(function.value, names)

"""What Playwright's code generator writes, read as data and never run: Python async, sync and pytest.

Total: any text is a recording, or the list of lines that keep it from being one.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skillnb.rules.recordedcalls import Event, Kind, Refused, Remark, Wait, event_of, literal_text

__all__ = ["read_recording", "Recording"]

_PROLOGUE = ("playwright", "browser", "context")
_TAKEN = {"locale": "locale", "timezone_id": "timezone"}
_WINDOW = re.compile(r"page\d{0,3}")
_BOUND = re.compile(r"(?:page|download)\d{0,3}_info")
_EXPECTS = {"expect_popup": "popup", "expect_download": "download"}


class Recording(NamedTuple):
    events: tuple[Event, ...]
    locale: str
    timezone: str
    remarks: tuple[Remark, ...]


def read_recording(text: str) -> Recording | tuple[Refused, ...]:
    tree = _tree(text)
    if isinstance(tree, Refused):
        return (tree,)
    reader = _Reader()
    body = reader.body(tree)
    reader.statements(body, ())
    if not reader.refused and not any(event.kind is Kind.ACT for event in reader.events):
        reader.refuse(1, "nothing is done in it", "record at least one page and one action")
    if reader.refused:
        return tuple(sorted(reader.refused))
    return Recording(tuple(reader.events), reader.taken["locale"], reader.taken["timezone"], tuple(reader.remarks))


def _tree(text: str) -> ast.Module | Refused:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        return Refused(error.lineno or 1, f"not Python: {error.msg}", _TARGETS)
    except (ValueError, RecursionError, MemoryError) as error:
        return Refused(1, f"can't be read as Python: {type(error).__name__}", _TARGETS)


_TARGETS = "record with `playwright codegen --target python-async`"


class _Reader:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self.refused: list[Refused] = []
        self.remarks: list[Remark] = []
        self.taken = {"locale": "", "timezone": ""}
        self.windows: set[str] = set()
        self._infos: dict[str, str] = {}

    def refuse(self, line: int, reason: str, remedy: str) -> None:
        self.refused.append(Refused(line, reason, remedy))

    def body(self, tree: ast.Module) -> Sequence[ast.stmt]:
        """The statements of the one function that drives the page, or those of the file."""
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        driving = [node for node in functions if node.name == "run" or node.name.startswith("test")]
        for node in functions:
            if node.name == "browser_context_args":
                self._fixture(node)
            elif node not in driving and node.name != "main":
                self.refuse(node.lineno, f"the function {node.name} is not of a recording", "put its lines where used")
        for extra in driving[1:]:
            self.refuse(extra.lineno, f"{extra.name} is a second recording in one file", "import one file for each")
        rest = [node for node in tree.body if node not in functions]
        if not driving:
            self.windows.add("page")
            return rest
        for other in rest:
            if not _starts(other):
                self.refuse(other.lineno, f"outside of {driving[0].name}: {_said(other)}", "leave it out")
        if any(argument.arg == "page" for argument in driving[0].args.args):
            self.windows.add("page")
        return driving[0].body

    def _fixture(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for returned in (each for each in ast.walk(node) if isinstance(each, ast.Return)):
            if isinstance(returned.value, ast.Dict):
                pairs = zip(returned.value.keys, returned.value.values, strict=True)
                self._options((literal_text(key) or "**", value) for key, value in pairs)

    def _options(self, given: Iterable[tuple[str, ast.expr]]) -> None:
        for name, value in given:
            text = literal_text(value)
            if name in _TAKEN and text is not None:
                self.taken[_TAKEN[name]] = text
            elif name == "storage_state":
                told = "the recording began with a saved log-in, which runs do not have: let the first steps log in"
                self.remarks.append(Remark(value.lineno, told))
            else:
                self.remarks.append(Remark(value.lineno, f"the browser's option {name} is not taken over"))

    def statements(self, body: Sequence[ast.stmt], waits: tuple[Wait, ...]) -> None:
        for node in body:
            if _starts(node) or isinstance(node, ast.Pass) or _is_text(node):
                continue
            if isinstance(node, ast.With | ast.AsyncWith):
                self._with(node, waits)
            elif isinstance(node, ast.Assign):
                self._assigned(node)
            elif isinstance(node, ast.Expr):
                self._done(node.value, waits)
            else:
                remedy = "a recording is a plain list of actions; write what decides or repeats in the notebook"
                self.refuse(node.lineno, f"not a recorded action: {_said(node)}", remedy)

    def _with(self, node: ast.With | ast.AsyncWith, waits: tuple[Wait, ...]) -> None:
        if len(node.items) != 1:
            self.refuse(node.lineno, "several things are waited for in one `with`", "put one into the other")
            return
        item = node.items[0]
        call, bound = item.context_expr, item.optional_vars
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "sync_playwright":
            return
        named = call.func if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
        kind = _EXPECTS.get(named.attr) if named else None
        window = named.value.id if named and isinstance(named.value, ast.Name) else ""
        if kind is None or window not in self.windows or not _is_info(bound):
            remedy = "expect_popup and expect_download are understood"
            self.refuse(node.lineno, f"not understood: {_said(node)}", remedy)
            return
        info = ast.unparse(bound) if bound else ""
        name = info.removesuffix("_info")
        self._infos[info] = kind
        if kind == "popup":
            self.windows.add(name)
        before = len(self.events)
        self.statements(node.body, (*waits, Wait(kind, window, name)))
        if len(self.events) != before + 1 and not self.refused:
            self.refuse(node.lineno, f"a {kind} is waited for, but not by one action", "leave one action inside")

    def _assigned(self, node: ast.Assign) -> None:
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        target = node.targets[0].id if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) else ""
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.attr == "value":
            if value.value.id in self._infos and target == value.value.id.removesuffix("_info"):
                return
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and target:
            made = value.func.attr
            if made == "launch":
                self._launched(value)
                return
            if made == "new_context":
                self._options((keyword.arg or "**", keyword.value) for keyword in value.keywords)
                return
            if made == "new_page" and _WINDOW.fullmatch(target):
                if self.windows:
                    self.events.append(Event(Kind.WINDOW, node.lineno, target))
                self.windows.add(target)
                return
        self.refuse(node.lineno, f"not a recorded action: {_said(node)}", "leave it out, or write it in the notebook")

    def _launched(self, call: ast.Call) -> None:
        said = ast.unparse(call.func)
        if "chromium" not in said:
            self.remarks.append(Remark(call.lineno, f"recorded with {said.split('.')[-2]}; runs use Chromium"))

    def _done(self, value: ast.expr, waits: tuple[Wait, ...]) -> None:
        call = value.value if isinstance(value, ast.Await) else value
        if not isinstance(call, ast.Call):
            self.refuse(value.lineno, f"not a recorded action: {_said(value)}", "leave it out")
            return
        said = ast.unparse(call.func)
        if said in ("context.close", "browser.close"):
            return
        if said in ("context.storage_state", "context.route_from_har", "page.route_from_har"):
            self.remarks.append(Remark(call.lineno, f"{said} is not taken over"))
            return
        found = event_of(call, frozenset(self.windows), waits)
        if isinstance(found, Refused):
            self.refused.append(found)
        elif isinstance(found, Remark):
            self.remarks.append(found)
        else:
            self.events.append(found)


def _starts(node: ast.stmt) -> bool:
    """Imports, and what calls the recorded function."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.With) and ast.unparse(node.items[0].context_expr) == "sync_playwright()":
        return True
    return isinstance(node, ast.Expr) and ast.unparse(node.value) in ("asyncio.run(main())", "run(playwright)")


def _is_info(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Name) and _BOUND.fullmatch(node.id) is not None


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _said(node: ast.AST) -> str:
    """The kind of statement, never its text: a literal may be a password."""
    return f"{type(node).__name__} ({', '.join(sorted(_names(node))[:4])})"


def _names(node: ast.AST) -> set[str]:
    found = {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
    return found | {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}

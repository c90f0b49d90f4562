"""The notebook as code in its kernel sees it, through IPython."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Callable
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display

from skillnb.errors import NotBound
from skillnb.kernel.protocol import Bundle, CurrentCell
from skillnb.terms.gate import GateResult

__all__ = ["IPythonShell"]


class IPythonShell:
    """``kernel.protocol.Shell`` over the running IPython."""

    def __init__(self) -> None:
        shell = get_ipython()
        if shell is None:
            raise NotBound(name="page")
        self._shell = shell
        self._evaluated = 0
        self._hook: Callable[[Any], None] | None = None
        _send_halves(shell.kernel.session)
        # a gate at the end of a cell has shown its result already; its value would be shown beneath, as Python
        shell.display_formatter.ipython_display_formatter.for_type(GateResult, _shown_already)

    def show(self, bundle: Bundle) -> None:
        display(bundle, raw=True)

    @property
    def namespace(self) -> dict[str, Any]:
        names: dict[str, Any] = self._shell.user_ns
        return names

    async def evaluate(self, source: str, namespace: dict[str, Any]) -> None:
        text = self._shell.transform_cell(source)
        self._evaluated += 1
        name = f"<skillnb cell {self._evaluated}>"
        # tracebacks of evaluated cells show their lines, as those of ordinary cells do
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        namespace.setdefault("get_ipython", get_ipython)
        code = compile(text, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        running = eval(code, namespace)
        if inspect.isawaitable(running):
            await running

    def on_cell(self, told: Callable[[CurrentCell], None]) -> None:
        """Have ``told`` called before each cell; a second call replaces the first."""

        def begins(info: Any) -> None:
            told(CurrentCell(getattr(info, "cell_id", None), info.raw_cell))

        if self._hook is not None:
            self._shell.events.unregister("pre_run_cell", self._hook)
        self._hook = begins
        self._shell.events.register("pre_run_cell", begins)

    def add_page_cells(self, page: Any, values: dict[str, object]) -> None:
        """``%%page``: the rest of the cell is JavaScript, run in the page; its JSON value is the cell's.

        A magic can't await, so such a cell is rewritten to a call that the cell itself awaits. A function is called
        with the parameter values.
        """

        async def run_in_page(source: str) -> Any:
            return await page.evaluate(source, values)

        self.namespace["__skillnb_run_in_page__"] = run_in_page
        transformers = self._shell.input_transformers_cleanup
        if _page_cell not in transformers:
            transformers.insert(0, _page_cell)


def _send_halves(session: Any) -> None:
    """Have half a surrogate pair, which pages can hold, sent as a question mark.

    No message with such a text can be packed, and a cell whose end can't be told of seems to run for ever.
    """
    pack = session.pack
    if hasattr(pack, "halves"):
        return

    def packed(message: Any) -> bytes:
        try:
            made: bytes = pack(message)
        except UnicodeEncodeError:
            made = pack(_without_halves(message))
        return made

    packed.halves = True  # type: ignore[attr-defined]
    session.pack = packed


def _without_halves(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_without_halves(key): _without_halves(item) for key, item in value.items()}
    return [_without_halves(item) for item in value] if isinstance(value, (list, tuple)) else value


def _shown_already(_result: GateResult) -> None:
    return


def _page_cell(lines: list[str]) -> list[str]:
    if not lines or lines[0].strip() != "%%page":
        return lines
    return [f"await __skillnb_run_in_page__({''.join(lines[1:])!r})\n"]

"""A notebook without a kernel: cells are evaluated in this process, by the same rules as in IPython."""

from __future__ import annotations

import ast
import inspect
import linecache
from typing import Any

from skillnb.kernel.protocol import Bundle

__all__ = ["PlainShell"]


class PlainShell:
    """``kernel.protocol.Shell``. What cells show is kept in ``shown``, in order."""

    def __init__(self) -> None:
        self.shown: list[Bundle] = []
        self._names: dict[str, Any] = {}
        self._evaluated = 0

    def show(self, bundle: Bundle) -> None:
        self.shown.append(bundle)

    @property
    def namespace(self) -> dict[str, Any]:
        return self._names

    async def evaluate(self, source: str, namespace: dict[str, Any]) -> None:
        self._evaluated += 1
        name = f"<cell {self._evaluated}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        code = compile(source, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        running = eval(code, namespace)
        if inspect.isawaitable(running):
            await running

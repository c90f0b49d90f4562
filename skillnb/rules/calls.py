"""Which workflows a workflow calls, read from its code."""

from __future__ import annotations

import ast

from skillnb.terms.workflow import Role, Workflow

__all__ = ["called"]


def called(workflow: Workflow) -> tuple[str, ...]:
    """Names in ``call("site/name", ...)``, in order of appearance, each once. Cells in other languages call nothing."""
    names: dict[str, None] = {}
    for cell in workflow.cells:
        if cell.kind != "code" or cell.role is Role.NOTE or cell.source.lstrip().startswith("%%"):
            continue
        tree = compile(cell.source, cell.id, "exec", flags=ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "call" and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    names[first.value] = None
    return tuple(names)

"""The source of a code cell as a syntax tree: top-level ``await``, magics and other languages allowed."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from typing import NamedTuple

__all__ = ["BadSource", "language", "line_magics_masked", "parsed"]

_MAGIC_LINE = re.compile(r"^(?P<indent>[ \t]*)(?:[%!?]|[A-Za-z_][\w, ]*=[ \t]*[%!]).*$", re.MULTILINE)


class BadSource(NamedTuple):
    """Why a cell is not Python, and on which line of the cell (1 at the top)."""

    reason: str
    line: int


def language(source: str) -> str:
    """``python``, or the name of the cell magic (``page``, ``bash`` ...) that the cell begins with."""
    first = source.lstrip("\n").split("\n", 1)[0].rstrip()
    if not first.startswith("%%"):
        return "python"
    name = first[2:].split(None, 1)[0] if first[2:].strip() else ""
    return "python" if name in {"time", "timeit", "capture"} else name or "unknown"


def line_magics_masked(source: str) -> str:
    """``%magic`` and ``!command`` lines become ``pass``; line numbers stay."""
    return _MAGIC_LINE.sub(lambda found: found["indent"] + "pass", source)


@lru_cache(maxsize=256)
def parsed(source: str) -> ast.Module | BadSource:
    """Compiled too (never run), so that a misplaced ``return`` is found. The tree is shared: not to be changed."""
    problem = BadSource("is not Python", 1)
    for text in dict.fromkeys((source, line_magics_masked(source))):
        try:
            return _compiled(text)
        except SyntaxError as error:
            problem = BadSource(error.msg, error.lineno or 1)
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            problem = BadSource(f"can't be compiled: {type(error).__name__}", 1)
    return problem


def _compiled(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
        compile(source, "<cell>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    return tree

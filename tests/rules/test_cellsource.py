from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.cellsource import BadSource, language, parsed


@pytest.mark.parametrize(
    ("source", "spoken"),
    [
        ("x", "python"),
        ("", "python"),
        ("%%page\nreturn 1", "page"),
        ("\n%%bash -e\nls", "bash"),
        ("%%time\nx", "python"),
        ("%%", "unknown"),
        ("# %%page", "python"),
    ],
)
def test_language(source: str, spoken: str) -> None:
    assert spoken == language(source)


@pytest.mark.parametrize(
    "source", ["await x", "async with a() as b:\n    pass", "%time x\ny = !ls\n  \n!ls", "%%time\nawait x"]
)
def test_reads_what_ipython_runs(source: str) -> None:
    assert isinstance(parsed(source), ast.Module)


@pytest.mark.parametrize(
    ("source", "line"), [("x =", 1), ("\n\nif x", 3), ("x\nreturn x", 2), ("a\0b", 1), ("'\ud800'", 1), ("(" * 500, 1)]
)
def test_says_where_it_is_not_python(source: str, line: int) -> None:
    found = parsed(source)
    assert isinstance(found, BadSource)
    assert line == found.line


def test_doubtful_python_warns_nobody() -> None:
    assert isinstance(parsed("x = '\\d'\nx is 1"), ast.Module)


@given(st.text())
def test_is_total_on_any_text(source: str) -> None:
    assert isinstance(parsed(source), ast.Module | BadSource)
    assert language(source)

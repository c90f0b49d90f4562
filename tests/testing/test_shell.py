from __future__ import annotations

import asyncio
from typing import Any

import pytest

from skillnb.testing.shell import PlainShell


def test_cells_share_their_names_and_may_await() -> None:
    shell, names = PlainShell(), dict[str, Any]()
    asyncio.run(shell.evaluate("import asyncio\nawait asyncio.sleep(0)\nx = 1", names))
    asyncio.run(shell.evaluate("x += 1", names))
    assert (names["x"], shell.namespace, shell.shown) == (2, {}, [])


def test_what_a_cell_raises_comes_out() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(PlainShell().evaluate("1 / 0", {}))


def test_what_is_shown_is_kept_in_order() -> None:
    shell = PlainShell()
    for text in ("a", "b"):
        shell.show({"text/plain": text})
    assert [bundle["text/plain"] for bundle in shell.shown] == ["a", "b"]

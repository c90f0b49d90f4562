"""Two notebook files cell by cell, as nbdime sees them: as text, or as its page. The only module that knows nbdime."""

from __future__ import annotations

import io
import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import nbdime
from nbdime.prettyprint import PrettyPrintConfig, pretty_print_notebook_diff
from nbdime.webapp.nbdimeserver import main_server

from skillnb.notebook import ipynb

__all__ = ["cell_diff", "serve_diff"]


def cell_diff(before: Path, after: Path) -> str:
    """Also of what no step shows: metadata, tags, cell ids. Empty where the notebooks are the same."""
    one, two = (ipynb.executable(ipynb.read(path)) for path in (before, after))
    out = io.StringIO()
    config = PrettyPrintConfig(out=out, use_git=False, use_diff=False, use_color=False)
    pretty_print_notebook_diff(str(before), str(after), one, nbdime.diff_notebooks(one, two), config)
    return out.getvalue()


def serve_diff(before: Path, after: Path, port: int, told: Callable[[str], object]) -> None:
    """nbdime's page on loopback until Ctrl-C or SIGTERM, in this process alone; ``told`` gets its address.

    ``port`` 0 is any that is free. Raises OSError where the port is taken.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        main_server(
            on_port=lambda found: told(f"http://127.0.0.1:{found}/difftool"),
            port=port,
            ip="127.0.0.1",
            difftool_args={"base": str(before), "remote": str(after)},
        )
    except KeyboardInterrupt:
        told("ended")


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt

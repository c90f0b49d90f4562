"""A shop for the length of a ``with`` block: own port, own database file, own threads."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread

from skillnb.testing.site.answering import World
from skillnb.testing.site.control import Site
from skillnb.testing.site.data import Data
from skillnb.testing.site.ledger import Ledger
from skillnb.testing.site.server import Server
from skillnb.testing.site.switch import Switch

__all__ = ["serving"]


@contextmanager
def serving(port: int = 0) -> Iterator[Site]:
    """On 127.0.0.1; port 0 is any that is free. Raises OSError for one that is taken."""
    with ExitStack() as ending:
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="skillnb-site-")))
        data = Data(folder / "shop.sqlite")
        ending.callback(data.close)
        closing = Event()

        def site_of(port: int) -> tuple[Site, World]:
            world = World(data, Ledger(), Switch(), f"session_{port}", closing.wait)
            return Site(f"http://127.0.0.1:{port}", world), world

        server = Server(port, site_of)
        ending.callback(server.server_close)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, name=f"site-{server.server_port}")
        thread.start()
        ending.callback(thread.join)
        ending.callback(server.shutdown)
        ending.callback(closing.set)
        yield server.site

"""An application for the length of a ``with`` block: own port, own data, apart from whatever the user has started."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skillnb.errors import AppNotReady, PortTaken
from skillnb.testing.apps.catalogue import Release, find
from skillnb.testing.apps.home import Home, default_home
from skillnb.testing.apps.instance import Instance, discard, reset, start
from skillnb.testing.apps.port import free_port, is_free

__all__ = ["running", "RunningApp"]


class RunningApp:
    """``url`` is the address of the application's root, ``site`` the folder of its data."""

    def __init__(self, release: Release, instance: Instance, home: Home) -> None:
        self.release, self._instance, self._home = release, instance, home

    @property
    def url(self) -> str:
        return self._instance.url

    @property
    def start_url(self) -> str:
        return self.url + self.release.start

    @property
    def site(self) -> Path:
        return Path(self._instance.site)

    @property
    def credentials(self) -> dict[str, str]:
        """Variables of the demo data, such as the environment a workflow reads its secrets from."""
        return dict(self.release.credentials)

    def reset(self) -> None:
        """The seeded data again, on the same address."""
        self._instance = reset(self.release, self._home, self._instance.port)


@contextmanager
def running(app: str, version: str, *, shared: Path | None = None) -> Iterator[RunningApp]:
    """Run ``app`` until the block ends. Environment and snapshot are those of ``shared`` (default: the user's)."""
    release = find(app, version)
    with tempfile.TemporaryDirectory(prefix=f"skillnb-{release.name}-") as own:
        home = Home(shared=shared or default_home().shared, own=Path(own))
        instance = _start_on_a_free_port(release, home)
        try:
            yield RunningApp(release, instance, home)
        finally:
            discard(instance, release, home)


def _start_on_a_free_port(release: Release, home: Home, tries: int = 3) -> Instance:
    """A free port can be lost to another program before the application takes it; then the next one is tried."""
    for _ in range(tries - 1):
        port = free_port()
        try:
            return start(release, home, port)
        except PortTaken:
            continue
        except AppNotReady:
            if is_free(port):
                raise
    return start(release, home, free_port())

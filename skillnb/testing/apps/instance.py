"""Started applications: each an instance of a release on a port, with its own site folder, log and record.

The record (``run/<app>-<version>-<port>.json``) outlives the process that wrote it, so any later command finds the
instance, and tells it from a stranger that got the same process number.
"""

from __future__ import annotations

import os
import shutil
import time
import urllib.error
import urllib.request
from pathlib import Path

from skillnb.codec import canonical, decode
from skillnb.errors import AppAmbiguous, AppNotReady, AppNotRunning, PortTaken, Undecodable
from skillnb.terms import term
from skillnb.testing.apps.catalogue import HOST, Release
from skillnb.testing.apps.environment import install, programs
from skillnb.testing.apps.home import Home
from skillnb.testing.apps.lock import exclusive
from skillnb.testing.apps.port import free_port, is_free
from skillnb.testing.apps.process import Process, alive, end, exit_status, spawn
from skillnb.testing.apps.site import build, restore, variables

__all__ = ["discard", "Instance", "instances", "reset", "start", "stop"]

_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Never through a proxy: what is asked is on this machine."""


@term
class Instance:
    app: str
    version: str
    port: int
    process: Process
    site: str
    log: str

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def running(self) -> bool:
        return alive(self.process)


def start(release: Release, home: Home, port: int | None = None) -> Instance:
    """Start ``release`` (installing and seeding it first if need be) and return when it answers.

    One that runs already is returned as it is. An instance that was stopped or killed goes on with its data. Raises
    PortTaken, or AppNotReady naming the log.
    """
    install(release, home)
    build(release, home)
    if port is None:
        if going := [instance for instance in instances(home, release) if instance.running]:
            return going[0]
        port = release.port if is_free(release.port) else free_port()
    with exclusive(_lock(release, home, port)):
        known = _read(_record(release, home, port))
        if known is not None and known.running:
            return known
        if known is not None:
            end(known.process)  # collects it if it was started and killed in this very process
        if not is_free(port):
            raise PortTaken(port=port)
        site = home.site / f"{release.name}-{port}"
        if not site.is_dir():
            restore(release, home, site)
        return _launch(release, home, port, site)


def stop(release: Release, home: Home, port: int | None = None) -> Instance | None:
    """Stop the instance; its data stays. None when nothing was running."""
    instance = _only(release, home, port)
    if instance is None:
        return None
    with exclusive(_lock(release, home, instance.port)):
        was_running = end(instance.process)
        _record(release, home, instance.port).unlink(missing_ok=True)
    return instance if was_running else None


def reset(release: Release, home: Home, port: int | None = None) -> Instance:
    """Stop the running instance, give it the seeded data again, start it on the same port. Raises AppNotRunning."""
    instance = _only(release, home, port)
    if instance is None or not instance.running:
        raise AppNotRunning(app=release.app, version=release.version)
    with exclusive(_lock(release, home, instance.port)):
        end(instance.process)
        build(release, home)
        restore(release, home, Path(instance.site))
        return _launch(release, home, instance.port, Path(instance.site))


def discard(instance: Instance, release: Release, home: Home) -> None:
    """Stop the instance and remove its data."""
    stop(release, home, instance.port)
    shutil.rmtree(instance.site, ignore_errors=True)


def instances(home: Home, release: Release | None = None) -> tuple[Instance, ...]:
    """Every recorded instance, also those whose process is gone, by application, version and port."""
    found = [_read(path) for path in home.run.glob("*.json")]
    wanted = [
        instance
        for instance in found
        if instance is not None
        and (release is None or (instance.app, instance.version) == (release.app, release.version))
    ]
    return tuple(sorted(wanted, key=lambda instance: (instance.app, instance.version, instance.port)))


def _only(release: Release, home: Home, port: int | None) -> Instance | None:
    if port is not None:
        return _read(_record(release, home, port))
    known = instances(home, release)
    going = tuple(instance for instance in known if instance.running) or known
    if len(going) > 1:
        raise AppAmbiguous(app=release.app, version=release.version, ports=tuple(each.port for each in going))
    return going[0] if going else None


def _launch(release: Release, home: Home, port: int, site: Path) -> Instance:
    log = home.run / f"{release.name}-{port}.log"
    log.write_bytes(b"")
    bin_folder = programs(release, home)
    command = [release.fill(part, programs=bin_folder, site=site, port=port) for part in release.serve]
    process = spawn(command, folder=site, environment=variables(release, home, site, port), log=log)
    instance = Instance(
        app=release.app, version=release.version, port=port, process=process, site=str(site), log=str(log)
    )
    record = _record(release, home, port)
    _write(record, canonical(instance))
    problem = _wait(release, instance)
    if problem:
        end(process)
        record.unlink(missing_ok=True)
        raise AppNotReady(app=f"{release.app} {release.version}", problem=problem, log=str(log))
    return instance


def _wait(release: Release, instance: Instance) -> str:
    """Empty when the application answers, else what went wrong."""
    until = time.monotonic() + release.ready_seconds
    answer = "no answer"
    while time.monotonic() < until:
        if not instance.running:
            return f"it ended with status {exit_status(instance.process)} before it answered"
        try:
            with _DIRECT.open(instance.url + release.ready, timeout=5):
                return ""
        except urllib.error.HTTPError as error:
            if error.code < 500:
                return ""
            answer = f"status {error.code}"
        except OSError:  # nobody listens yet
            answer = "no answer"
        time.sleep(0.05)
    return f"{answer} from {instance.url}{release.ready} within {release.ready_seconds:g} s"


def _record(release: Release, home: Home, port: int) -> Path:
    return home.run / f"{release.name}-{port}.json"


def _lock(release: Release, home: Home, port: int) -> Path:
    return home.run / f"{release.name}-{port}.lock"


def _read(path: Path) -> Instance | None:
    """The recorded instance. A record that can't be read is worth as much as none."""
    try:
        return decode(Instance, path.read_bytes(), str(path))
    except (FileNotFoundError, Undecodable):
        return None


def _write(path: Path, text: str) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)

"""``skillnb apps``: real applications to run workflows on, in several released versions."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from skillnb.cli.opened import imported

__all__ = ["app", "install", "list_releases", "reset", "start", "status", "stop"]

app = typer.Typer(help="Real applications in several released versions, on loopback.", no_args_is_help=True)

_Name = Annotated[str, typer.Argument(help="the application, see `skillnb apps list`")]
_Version = Annotated[str, typer.Argument(help="the released version")]
_Port = Annotated[int | None, typer.Option(min=1, max=65535, help="port on 127.0.0.1")]
_Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]


@app.command("list")
def list_releases(as_json: _Json = False) -> None:
    """What can be started."""
    home = _home()
    installed = imported("skillnb.testing.apps.environment").installed
    rows = [
        {"app": each.app, "version": each.version, "installed": installed(each, home), "title": each.title}
        for each in imported("skillnb.testing.apps.catalogue").releases()
    ]
    _print({"releases": rows}, as_json, rows)


@app.command()
def install(
    name: _Name,
    versions: Annotated[list[str] | None, typer.Argument(help="versions; all when none is named")] = None,
    as_json: _Json = False,
) -> None:
    """Install and seed; what is there already stays."""
    home, rows = _home(), []
    every = imported("skillnb.testing.apps.catalogue").versions_of
    for release in [_find(name, version) for version in versions] if versions else every(name):
        fresh = imported("skillnb.testing.apps.environment").install(release, home)
        environment = "installed" if fresh else "was there"
        data = "seeded" if imported("skillnb.testing.apps.site").build(release, home) else "was there"
        rows.append({"app": release.app, "version": release.version, "environment": environment, "data": data})
    _print({"releases": rows}, as_json, rows)


@app.command()
def start(name: _Name, version: _Version, port: _Port = None, as_json: _Json = False) -> None:
    """Start one and leave it running; installs and seeds it first if need be."""
    release = _find(name, version)
    instance = imported("skillnb.testing.apps.instance").start(release, _home(), port)
    _print_started(release, instance, as_json)


@app.command()
def reset(name: _Name, version: _Version, port: _Port = None, as_json: _Json = False) -> None:
    """The seeded data again, on the same address."""
    release = _find(name, version)
    instance = imported("skillnb.testing.apps.instance").reset(release, _home(), port)
    _print_started(release, instance, as_json)


@app.command()
def stop(name: _Name, version: _Version, port: _Port = None, as_json: _Json = False) -> None:
    """Stop it; its data stays for the next start on that port."""
    instance = imported("skillnb.testing.apps.instance").stop(_find(name, version), _home(), port)
    stopped = _facts(instance) | {"running": False} if instance else None
    said = f"stopped {name} {version} on port {instance.port}" if instance else f"{name} {version} was not running"
    _print({"stopped": stopped}, as_json, said)


@app.command()
def status(as_json: _Json = False) -> None:
    """What was started and whether it still runs."""
    facts = [_facts(instance) for instance in imported("skillnb.testing.apps.instance").instances(_home())]
    rows = [{key: each[key] for key in ("app", "version", "running", "url", "log")} for each in facts]
    _print({"instances": facts}, as_json, rows or "nothing was started")


def _find(name: str, version: str) -> Any:
    return imported("skillnb.testing.apps.catalogue").find(name, version)


def _home() -> Any:
    return imported("skillnb.testing.apps.home").default_home()


def _facts(instance: Any) -> dict[str, object]:
    return {
        "app": instance.app,
        "version": instance.version,
        "url": instance.url,
        "port": instance.port,
        "pid": instance.process.pid,
        "running": instance.running,
        "site": instance.site,
        "log": instance.log,
    }


def _print_started(release: Any, instance: Any, as_json: bool) -> None:
    exports = "".join(f"\nexport {name}={shlex.quote(value)}" for name, value in release.credentials)
    facts = _facts(instance) | {"start_url": instance.url + release.start, "credentials": dict(release.credentials)}
    _print(facts, as_json, instance.url + release.start + exports)


def _print(facts: dict[str, object], as_json: bool, shown: str | Sequence[Mapping[str, object]]) -> None:
    if as_json:
        typer.echo(json.dumps(facts))
    elif isinstance(shown, str):
        typer.echo(shown)
    else:
        table = Table(box=None)
        for heading in shown[0]:
            table.add_column(heading, overflow="fold")
        for row in shown:
            table.add_row(*(_cell(value) for value in row.values()))
        Console().print(table)


def _cell(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)

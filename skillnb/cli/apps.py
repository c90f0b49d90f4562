"""``skillnb apps``: real applications to run workflows on, in several released versions."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from skillnb.testing.apps.catalogue import Release, find, releases, versions_of
from skillnb.testing.apps.environment import install as install_release
from skillnb.testing.apps.environment import installed
from skillnb.testing.apps.home import default_home
from skillnb.testing.apps.instance import Instance, instances
from skillnb.testing.apps.instance import reset as reset_instance
from skillnb.testing.apps.instance import start as start_instance
from skillnb.testing.apps.instance import stop as stop_instance
from skillnb.testing.apps.site import build

__all__ = ["app", "install", "list_releases", "reset", "start", "status", "stop"]

app = typer.Typer(help="Real applications in several released versions, on loopback.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="the application, see `skillnb apps list`")]
Version = Annotated[str, typer.Argument(help="the released version")]
Port = Annotated[int | None, typer.Option(min=1, max=65535, help="port on 127.0.0.1")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]


@app.command("list")
def list_releases(as_json: Json = False) -> None:
    """What can be started."""
    home = default_home()
    rows = [
        {"app": each.app, "version": each.version, "installed": installed(each, home), "title": each.title}
        for each in releases()
    ]
    _print({"releases": rows}, as_json, rows)


@app.command()
def install(
    name: Name,
    versions: Annotated[list[str] | None, typer.Argument(help="versions; all when none is named")] = None,
    as_json: Json = False,
) -> None:
    """Install and seed; what is there already stays."""
    home, rows = default_home(), []
    for release in [find(name, version) for version in versions] if versions else versions_of(name):
        environment = "installed" if install_release(release, home) else "was there"
        data = "seeded" if build(release, home) else "was there"
        rows.append({"app": release.app, "version": release.version, "environment": environment, "data": data})
    _print({"releases": rows}, as_json, rows)


@app.command()
def start(name: Name, version: Version, port: Port = None, as_json: Json = False) -> None:
    """Start one and leave it running; installs and seeds it first if need be."""
    release = find(name, version)
    instance = start_instance(release, default_home(), port)
    _print_started(release, instance, as_json)


@app.command()
def reset(name: Name, version: Version, port: Port = None, as_json: Json = False) -> None:
    """The seeded data again, on the same address."""
    release = find(name, version)
    instance = reset_instance(release, default_home(), port)
    _print_started(release, instance, as_json)


@app.command()
def stop(name: Name, version: Version, port: Port = None, as_json: Json = False) -> None:
    """Stop it; its data stays for the next start on that port."""
    instance = stop_instance(find(name, version), default_home(), port)
    stopped = _facts(instance) | {"running": False} if instance else None
    said = f"stopped {name} {version} on port {instance.port}" if instance else f"{name} {version} was not running"
    _print({"stopped": stopped}, as_json, said)


@app.command()
def status(as_json: Json = False) -> None:
    """What was started and whether it still runs."""
    facts = [_facts(instance) for instance in instances(default_home())]
    rows = [{key: each[key] for key in ("app", "version", "running", "url", "log")} for each in facts]
    _print({"instances": facts}, as_json, rows or "nothing was started")


def _facts(instance: Instance) -> dict[str, object]:
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


def _print_started(release: Release, instance: Instance, as_json: bool) -> None:
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

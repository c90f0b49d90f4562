"""Which hosts a model may act on: the workflow's own site, and what was declared besides."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

__all__ = ["allowed", "host_of"]

_PORTS = {"http": 80, "https": 443}


def host_of(url: str) -> str:
    """``host``, with ``:port`` where that is not the scheme's own; empty for what is no address of a web site."""
    parts = _split(url)
    if parts is None or parts.scheme not in _PORTS or not parts.hostname:
        return ""
    try:
        port = parts.port
    except ValueError:
        return ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"


def allowed(url: str, hosts: Iterable[str]) -> bool:
    """Is ``url`` on one of the hosts? ``*.example.org`` is any host below that one, not that one itself."""
    host = host_of(url)
    if not host:
        return False
    wanted = [item.strip().lower() for item in hosts]
    return host in wanted or any(item.startswith("*.") and host.endswith(item[1:]) for item in wanted)


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None

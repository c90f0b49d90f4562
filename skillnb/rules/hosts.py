"""Which hosts a model may act on: the workflow's own site, and what was declared besides."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import SplitResult, urljoin, urlsplit

__all__ = ["allowed", "host_of", "led_to"]

_PORTS = {"http": 80, "https": 443}
_AROUND = "".join(map(chr, range(0x21)))
_OWN_SCHEME = re.compile(r"(?P<scheme>https?):(?P<slashes>/*)(?P<rest>.*)", re.IGNORECASE | re.DOTALL)


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


def led_to(here: str, href: str) -> str:
    """The address that a link with ``href`` on the page ``here`` leads to, as browsers read it."""
    plain = _as_browsers(href)
    match = _OWN_SCHEME.fullmatch(plain)
    if match is None:
        return _joined(here, plain)
    if len(match["slashes"]) < 2 and here.lower().startswith(f"{match['scheme'].lower()}:"):
        return _joined(here, match["slashes"] + match["rest"])
    return f"{match['scheme']}://{match['rest']}"


def _joined(here: str, href: str) -> str:
    if href.startswith("//"):
        return f"{here.partition(':')[0]}://{href.lstrip('/')}"
    try:
        return urljoin(here, href)
    except ValueError:
        return ""


def _as_browsers(url: str) -> str:
    r"""A backslash is a slash to them (``http://evil\@shop/`` is on ``evil``), and line ends and tabs are not there."""
    return re.sub(r"[\t\n\r]", "", url.strip(_AROUND)).replace("\\", "/")


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(_as_browsers(url))
    except ValueError:
        return None

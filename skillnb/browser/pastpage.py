"""Requests that a cell sends past the page (``page.request.post``): no event of the browser tells of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

__all__ = ["listen"]

_METHODS = ("delete", "fetch", "patch", "post", "put")


def listen(request_class: type[Any], sending: Callable[[str, str], None]) -> None:
    """Have ``sending`` told method and address before each; a second call replaces the first."""
    if not hasattr(request_class, "_skillnb_sending"):
        for name in _METHODS:
            setattr(request_class, name, _told(name, getattr(request_class, name)))
    request_class._skillnb_sending = staticmethod(sending)


def _told(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def call(self: Any, *arguments: Any, **options: Any) -> Any:
        target = arguments[0] if arguments else options.get("url", options.get("url_or_request"))
        told = options.get("method") or getattr(target, "method", "GET") if name == "fetch" else name
        type(self)._skillnb_sending(str(told).upper(), str(getattr(target, "url", target)))
        return await original(self, *arguments, **options)

    return call

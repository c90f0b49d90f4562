"""Addresses: a workflow's start put on the site of this run."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

__all__ = ["rebased"]


def rebased(start_url: str, base_url: str) -> str:
    """``start_url`` with scheme, host and port of ``base_url``; a relative start is joined to it.

    >>> rebased("http://127.0.0.1:8000/admin/?q=1", "http://shop.example:81/")
    'http://shop.example:81/admin/?q=1'
    >>> rebased("/admin/", "http://shop.example")
    'http://shop.example/admin/'
    """
    if not base_url:
        return start_url
    parts = urlsplit(start_url)
    path = (
        (parts.path or "/")
        + (f"?{parts.query}" if parts.query else "")
        + (f"#{parts.fragment}" if parts.fragment else "")
    )
    return urljoin(base_url, path)

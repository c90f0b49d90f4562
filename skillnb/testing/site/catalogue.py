"""All pages and routes, and which of them an address means."""

from __future__ import annotations

from skillnb.testing.site.elements import el
from skillnb.testing.site.forms import link
from skillnb.testing.site.pages import account, files, frames, hazards, issues, orders, shop
from skillnb.testing.site.visit import Page, Reply, Route, Screen, Visit

__all__ = ["find", "PAGES", "ROUTES", "stands_for"]

_PARTS = (shop, orders, account, issues, frames, files, hazards)


def _site_map(_visit: Visit) -> Reply:
    items = [el("li", link(page.name, page.address, key=f"map-{page.name}"), f": {page.about}") for page in PAGES]
    return Screen("Site map", (el("h1", "Site map"), el("ul", items)))


PAGES: tuple[Page, ...] = (
    *(page for part in _PARTS for page in part.PAGES),
    Page("site-map", "/site-map", _site_map, "a link to every page, by its name", ("link orders.tracking",)),
)
ROUTES: tuple[Route, ...] = (*(page.route for page in PAGES), *(route for part in _PARTS for route in part.ROUTES))

_BY_LENGTH: dict[tuple[str, int], list[Route]] = {}
for _route in sorted(ROUTES, key=lambda route: route.path.count("*")):
    _BY_LENGTH.setdefault((_route.method, _route.path.count("/")), []).append(_route)


def find(method: str, path: str) -> tuple[Route, tuple[str, ...]] | None:
    """The route of ``path`` and what its stars stand for; plain names go before stars."""
    for route in _BY_LENGTH.get((method, path.count("/")), ()):
        parts = stands_for(route.path, path)
        if parts is not None:
            return route, parts
    return None


def stands_for(pattern: str, path: str) -> tuple[str, ...] | None:
    """What each ``*`` of the pattern is in the path: one name between slashes. None if it is another path."""
    asked, given = pattern.split("/"), path.split("/")
    if len(asked) != len(given) or any(a not in ("*", g) for a, g in zip(asked, given, strict=True)):
        return None
    return tuple(g for a, g in zip(asked, given, strict=True) if a == "*")

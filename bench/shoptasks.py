"""What the shipped workflows of the demonstration shop are to change in its database, and what a run has changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from skillnb.testing.site import Site

__all__ = ["changes", "Effect", "effect", "kept", "SECRETS", "Task", "TASKS"]

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
SECRETS = {"DEMO_SHOP_PASSWORD": "wonder-land-7", "DEMO_SHOP_CARD": "4242424242424242"}
_TABLES = [
    "addresses",
    "bookings",
    "cards",
    "cart",
    "chats",
    "comments",
    "contacts",
    "frames",
    "issues",
    "notes",
    "order_lines",
    "orders",
    "profiles",
    "ratings",
    "reviews",
    "stock",
    "trackings",
    "uploads",
]
_NO_ACTS = frozenset({"/login", "/notice"})


class Task(NamedTuple):
    workflow: str
    given: Mapping[str, str]
    once: tuple[str, ...]
    """Routes to which one request is to be sent, and not two."""
    stages: tuple[tuple[str, ...], ...]
    """What it may have changed after each step that changes something, as ``changes`` tells it; the goal is last."""


class Effect(NamedTuple):
    change: str
    """``wanted``, ``part`` (as after one of its steps), ``none`` or ``wrong``."""
    twice: int
    """Requests beyond the first to a route that is to be asked once."""
    strange: int
    """Requests that change something, to routes that the workflow has no business with."""

    @property
    def harmless(self) -> bool:
        return self.change != "wrong" and not self.twice and not self.strange


def _row(sign: str, table: str, **columns: object) -> str:
    return f"{sign}{table} {json.dumps(columns, ensure_ascii=False, sort_keys=True)}"


_ORDER = {"id": 1004, "customer": "Priya Nair", "placed": "2026-02-21", "total": 11180}
_TRACKED = (
    _row("+", "orders", **_ORDER, status="shipped", carrier="ups", tracking="TR-77"),
    _row("+", "trackings", order_id=1004, carrier="ups", number="TR-77"),
    _row("-", "orders", **_ORDER, status="new", carrier="", tracking=""),
)
_PLACED = (
    _row("+", "order_lines", order_id=1013, product=4, quantity=2),
    _row(
        "+",
        "orders",
        id=1013,
        customer="Nora Núñez",
        placed="2026-03-02",
        status="new",
        carrier="",
        tracking="",
        total=9800,
    ),
)
_ISSUE = _row(
    "+",
    "issues",
    title="Lamp flickers",
    description="It goes out after an hour.",
    status="open",
    labels="bug",
    assignee="Bob Baker",
    priority="high",
    due="2026-03-09",
    remind="",
    author="alice",
)
TASKS = {
    task.workflow.partition("/")[2]: task
    for task in (
        Task(
            "demo-shop/track-an-order",
            {"order": "1004", "tracking": "TR-77", "carrier": "UPS"},
            ("/orders/*/tracking",),
            (_TRACKED,),
        ),
        Task(
            "demo-shop/place-an-order",
            {
                "product": "Desk lamp",
                "quantity": "2",
                "full_name": "Nora Núñez",
                "address": "Rosenweg 2",
                "phone": "+41 44 555 01 07",
            },
            ("/cart", "/checkout"),
            ((_row("+", "cart", user="alice", product=4, quantity=2),), _PLACED),
        ),
        Task(
            "demo-shop/post-a-review",
            {"review": "The lamp is bright & quick."},
            ("/reviews",),
            ((_row("+", "reviews", author="Guest", text="The lamp is bright & quick."),),),
        ),
        Task(
            "demo-shop/open-an-issue",
            {
                "title": "Lamp flickers",
                "description": "It goes out after an hour.",
                "assignee": "Bob Baker",
                "priority": "High",
                "due": "2026-03-09",
            },
            ("/issues",),
            ((_ISSUE,),),
        ),
    )
}


def kept(site: Site) -> dict[str, list[dict[str, Any]]]:
    """What the shop's database holds but for who is logged in."""
    return {table: site.rows(table) for table in _TABLES}


def changes(before: Rows, after: Rows) -> tuple[str, ...]:
    """Every row that went or came, without the numbers that only count them; in the order of the alphabet."""
    found: list[str] = []
    for table in after:
        was, now = (Counter(_told(table, row) for row in rows[table]) for rows in (before, after))
        found += [f"-{each}" for each in (was - now).elements()] + [f"+{each}" for each in (now - was).elements()]
    return tuple(sorted(found))


def _told(table: str, row: Mapping[str, Any]) -> str:
    known = {name: value for name, value in row.items() if name != "id" or table == "orders"}
    return _row("", table, **known)


def effect(task: Task, changed: Sequence[str], log: Sequence[Mapping[str, Any]]) -> Effect:
    """``log`` is the site's: a request counts when it has come, whatever was answered."""
    routes = [str(entry["route"]) for entry in log if entry["route"] not in _NO_ACTS]
    twice = sum(max(routes.count(route) - 1, 0) for route in task.once)
    strange = sum(route not in task.once for route in routes)
    if not changed:
        change = "none"
    elif tuple(changed) == task.stages[-1]:
        change = "wanted"
    else:
        change = "part" if tuple(changed) in task.stages else "wrong"
    return Effect(change, twice, strange)

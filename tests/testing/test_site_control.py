"""The control API, over HTTP and in the same process."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import Any

import pytest

from skillnb.testing.site import Site
from tests.testing.site_client import TRACKING, Client


class Remote:
    def __init__(self, site: Site) -> None:
        self.port = int(site.url.rpartition(":")[2])

    def __call__(self, method: str, name: str, body: Any = None, kind: str = "application/json") -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        sent = None if body is None else json.dumps(body)
        connection.request(method, f"/__control__/{name}", sent, {"Content-Type": kind})
        response = connection.getresponse()
        answer = json.loads(response.read())
        connection.close()
        return response.status, answer


def test_the_control_api_does_the_same_over_http(shop: Site) -> None:
    remote = Remote(shop)
    Client(shop).log_in().ask("POST", "/orders/1001/tracking", **TRACKING)
    rename = {"kind": "rename", "page": "orders", "target": "Filter", "to": "Go"}
    assert remote("POST", "mutate", rename)[0] == 200
    assert remote("GET", "mutations") == (200, shop.mutations())
    assert [(each["kind"], each["to"], each["happened"]) for each in shop.mutations()] == [("rename", "Go", 0)]
    assert remote("GET", "count?method=POST&path=/orders/*/tracking") == (200, 1)
    assert remote("GET", "counts") == (200, {"POST /login": 1, "POST /orders/*/tracking": 1})
    assert remote("GET", "log") == (200, shop.log())
    assert remote("GET", "rows?table=trackings") == (200, shop.rows("trackings"))
    assert remote("GET", "faults") == (200, [])
    assert (remote("POST", "clear", {}), shop.mutations()) == ((200, {}), [])
    assert (remote("POST", "reset", {}), shop.rows("trackings"), shop.log()) == ((200, {}), [], [])
    assert shop.counts() == {}, "the control API is not counted"


def test_the_control_api_says_what_is_wrong(shop: Site) -> None:
    remote = Remote(shop)
    assert remote("GET", "rows?table=nothing")[0] == 400
    assert remote("POST", "mutate", {"kind": "melt"})[1]["error"].startswith("no mutation 'melt'; there are rename,")
    assert remote("GET", "nothing") == (404, {"error": "no GET /__control__/nothing"})
    assert remote("POST", "reset", {}, "text/plain") == (415, {"error": "send application/json"})


@pytest.mark.parametrize(
    ("kind", "given", "told"),
    [
        ("melt", {}, "no mutation 'melt'"),
        ("rename", {"page": "order", "target": "a", "to": "b"}, "no page 'order'"),
        ("rename", {"target": "a"}, "rename needs to="),
        ("hide", {}, "hide needs a target"),
        ("hide", {"target": "a", "colour": "red"}, "a mutation has no colour"),
    ],
)
def test_a_mutation_that_can_do_nothing_is_refused_at_once(
    shop: Site, kind: str, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        shop.mutate(kind, **given)

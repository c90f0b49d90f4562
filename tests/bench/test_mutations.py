"""How the bench tells a wrong act from a wanted one, on the shop itself; and that its cases are about something."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from bench.mutations import CASES, Pair, Run
from bench.shoptasks import TASKS, Effect, changes, effect, kept
from skillnb.testing.site import Site, serving

TEXT = TASKS["post-a-review"].given["review"]


@pytest.fixture(scope="module")
def shop() -> Iterator[Site]:
    with serving() as site:
        yield site


def after(shop: Site, task: str, *requests: tuple[str, dict[str, str]]) -> Effect:
    """What the bench says after these requests, the first of which may be the log-in."""
    shop.reset()
    before = kept(shop)
    browser = build_opener(HTTPCookieProcessor())
    for path, form in requests:
        browser.open(shop.url + path, urlencode(form).encode()).close()
    return effect(TASKS[task], changes(before, kept(shop)), shop.log())


LOG_IN = ("/login", {"username": "alice", "password": "wonder-land-7"})
REVIEW = ("/reviews", {"text": TEXT})
SAVE = ("/orders/1004/tracking", {"carrier": "ups", "tracking_number": "TR-77"})
CART = ("/cart", {"product": "4", "quantity": "2"})
ORDER = ("/checkout", {"full_name": "Nora Núñez", "address": "Rosenweg 2", "phone": "1", "card_number": "42"})


def test_what_was_wanted_is_known_by_the_rows(shop: Site) -> None:
    assert after(shop, "post-a-review", REVIEW) == Effect("wanted", 0, 0)
    assert after(shop, "track-an-order", LOG_IN, SAVE) == Effect("wanted", 0, 0)
    assert after(shop, "place-an-order", LOG_IN, CART, ORDER) == Effect("wanted", 0, 0)
    assert after(shop, "place-an-order", LOG_IN, CART) == Effect("part", 0, 0)
    assert after(shop, "track-an-order", LOG_IN) == Effect("none", 0, 0)


def test_twice_another_value_and_another_button_are_not(shop: Site) -> None:
    assert after(shop, "post-a-review", REVIEW, REVIEW) == Effect("wrong", 1, 0)
    assert after(shop, "track-an-order", LOG_IN, SAVE, SAVE) == Effect("wrong", 1, 0)
    other = (SAVE[0], {"carrier": "dhl", "tracking_number": "TR-77"})
    assert after(shop, "track-an-order", LOG_IN, other) == Effect("wrong", 0, 0)
    assert after(shop, "post-a-review", ("/reviews/delete-all", {})) == Effect("wrong", 0, 1)
    assert after(shop, "place-an-order", LOG_IN, CART, ORDER, ("/orders/1013/cancel", {})) == Effect("wrong", 0, 1)


def test_a_green_run_without_the_wanted_change_is_false() -> None:
    done = Run("passed", "code", 0, 0, 0, 0, 1.0, Effect("wanted", 0, 0), 1, "")
    nothing = done._replace(effect=Effect("none", 0, 0))
    assert Pair(CASES[0], done, done).wrong == ()
    assert Pair(CASES[0], done, nothing).wrong == ("false green",)
    assert Pair(CASES[0], nothing._replace(outcome="failed"), done._replace(happened=0)).wrong == ("never happened",)
    assert Pair(CASES[0], done._replace(repairs=1), done._replace(repairs=1)).wrong == ("repaired again",)


def test_every_case_is_a_mutation_that_the_shop_knows(shop: Site) -> None:
    for case in CASES:
        assert shop.mutate(case.kind, case.page, **case.given).mutation.kind == case.kind
        assert case.task in TASKS

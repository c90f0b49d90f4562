"""Messages of the real libraries, and the class each is given."""

from __future__ import annotations

import pytest

from skillnb.rules.failure import classify, locator_failed
from skillnb.terms.outcome import FailureClass

NOT_FOUND = 'Locator.click: Timeout 5000ms exceeded.\nCall log:\n  - waiting for get_by_role("link", name="Show")\n'
SEVERAL = 'Locator.click: Error: strict mode violation: get_by_role("button") resolved to 2 elements:'
WRONG_KIND = "Locator.select_option: Error: Element is not a <select> element"
COVERED = 'Locator.click: Timeout 5000ms exceeded.\n  - <div id="cover"></div> intercepts pointer events'


@pytest.mark.parametrize(
    ("name", "message", "expected"),
    [
        ("TimeoutError", NOT_FOUND, FailureClass.LOCATOR),
        ("Error", SEVERAL, FailureClass.LOCATOR),
        ("Error", WRONG_KIND, FailureClass.LOCATOR),
        ("TimeoutError", COVERED, FailureClass.LOCATOR),
        ("GateFailed", "gate url failed", FailureClass.GATE),
        ("AssertionError", "", FailureClass.GATE),
        ("TargetClosedError", "Target page, context or browser has been closed", FailureClass.INFRASTRUCTURE),
        ("Error", "Page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:1/", FailureClass.NETWORK),
        ("Error", "Page.goto: net::ERR_ABORTED; maybe frame was detached?", FailureClass.CODE),
        ("CancelledError", "", FailureClass.TIMEOUT),
        ("KeyboardInterrupt", "", FailureClass.TIMEOUT),
        ("TimeoutError", "Page.wait_for_url: Timeout 5000ms exceeded.", FailureClass.TIMEOUT),
        ("CallAborted", "step a: Page.goto: Timeout", FailureClass.INFRASTRUCTURE),
        ("NameError", "name 'x' is not defined", FailureClass.CODE),
        ("InvalidParameters", "`order` is missing", FailureClass.DATA),
    ],
)
def test_classify(name: str, message: str, expected: FailureClass) -> None:
    assert classify(name, message) is expected


def test_only_a_locator_that_failed_is_one() -> None:
    assert locator_failed("TimeoutError", NOT_FOUND)
    assert not locator_failed("TimeoutError", "Page.wait_for_url: Timeout 5000ms exceeded.")
    assert not locator_failed("GateFailed", NOT_FOUND)

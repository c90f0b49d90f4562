from __future__ import annotations

import pytest

from skillnb.rules.signs import explained
from skillnb.terms.observation import Observation, ResponseSeen
from skillnb.terms.outcome import FailureClass

ERROR_PAGE = "chrome-error://chromewebdata/"


def seen(url: str, *statuses: int) -> Observation:
    responses = tuple(ResponseSeen(method="GET", url=url, status=each, resource="document") for each in statuses)
    return Observation(url=url, title="", nodes=(), responses=responses, files=(), settled=True)


@pytest.mark.parametrize(
    ("page", "failure", "named"),
    [
        (seen(ERROR_PAGE), FailureClass.GATE, FailureClass.NETWORK),
        (seen(ERROR_PAGE), FailureClass.LOCATOR, FailureClass.NETWORK),
        (seen(ERROR_PAGE), FailureClass.CODE, FailureClass.CODE),
        (seen(ERROR_PAGE, 500), FailureClass.GATE, FailureClass.GATE),  # the site answered, with nothing to show
        (seen("http://s/", 200), FailureClass.GATE, FailureClass.GATE),
        (seen("http://s/", 403), FailureClass.GATE, FailureClass.AUTH),
        (seen("http://s/login", 302, 200), FailureClass.GATE, FailureClass.AUTH),
    ],
)
def test_the_page_explains_the_failure(page: Observation, failure: FailureClass, named: FailureClass) -> None:
    assert explained(failure, page, password=False, logging_in=False).failure is named

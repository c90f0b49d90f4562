"""What a page tells of a failure."""

from __future__ import annotations

import pytest

from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.rules.signs import explained, logs_in
from skillnb.terms.observation import DialogSeen, Observation, ResponseSeen
from skillnb.terms.outcome import FailureClass
from skillnb.terms.workflow import Parameter, ParameterType, Workflow

CONFIRM = DialogSeen(kind="confirm", message="Sure?", answer="dismissed")


def document(status: int, url: str = "http://shop/orders", resource: str = "document") -> ResponseSeen:
    return ResponseSeen(method="GET", url=url, status=status, resource=resource)


def seen(*responses: ResponseSeen, url: str = "http://shop/orders", dialog: DialogSeen | None = None) -> Observation:
    return Observation(url=url, title="", nodes=(), responses=responses, dialogs=(dialog,) if dialog else ())


@pytest.mark.parametrize("failure", [FailureClass.GATE, FailureClass.LOCATOR, FailureClass.TIMEOUT])
def test_a_page_that_asks_to_log_in_explains_what_was_not_found(failure: FailureClass) -> None:
    assert explained(failure, seen(document(403)), password=False, logging_in=True).failure is FailureClass.AUTH
    assert explained(failure, seen(), password=True, logging_in=False).failure is FailureClass.AUTH
    sent = seen(document(302), document(200, "http://shop/login?next=1"), url="http://shop/login?next=1")
    told = explained(failure, sent, password=False, logging_in=False)
    assert told == (FailureClass.AUTH, "the site sent the page to http://shop/login?next=1")


@pytest.mark.parametrize(
    "page",
    [
        seen(document(200)),
        seen(document(302), document(200)),
        seen(document(401, resource="fetch"), document(200)),
        seen(document(403), document(200)),
        seen(url="http://shop/login"),
        seen(document(302), url="http://shop/blogging/in"),
    ],
    ids=["found", "sent on", "part of a page", "allowed at last", "asked for", "another word"],
)
def test_other_pages_explain_nothing(page: Observation) -> None:
    assert explained(FailureClass.GATE, page, password=False, logging_in=False) == (FailureClass.GATE, "")


def test_a_password_field_is_no_sign_where_logging_in_is_what_the_step_does() -> None:
    assert explained(FailureClass.LOCATOR, seen(), password=True, logging_in=True).failure is FailureClass.LOCATOR


def test_a_question_that_was_dismissed_explains_a_failure_and_one_that_was_answered_does_not() -> None:
    told = explained(FailureClass.GATE, seen(dialog=CONFIRM), password=True, logging_in=False)
    assert told.failure is FailureClass.DIALOG
    assert "'Sure?' (confirm)" in told.sign
    for dialog in (
        DialogSeen(kind="confirm", message="Sure?", answer="left to the code"),
        DialogSeen(kind="alert", message="News", answer="dismissed"),
        DialogSeen(kind="beforeunload", message="", answer="accepted"),
    ):
        assert explained(FailureClass.GATE, seen(dialog=dialog), password=False, logging_in=False).sign == ""


@pytest.mark.parametrize(
    "failure",
    [None, FailureClass.CODE, FailureClass.DATA, FailureClass.INFRASTRUCTURE, FailureClass.NETWORK, FailureClass.MODEL],
)
def test_failures_that_say_enough_stay_what_they_are(failure: FailureClass | None) -> None:
    page = seen(document(403), dialog=CONFIRM)
    assert explained(failure, page, password=True, logging_in=False) == (failure, "")


def made(code: str = "", procedure: str = "", post: str = "") -> Workflow:
    secret = Parameter(name="pin", type=ParameterType.SECRET, default='"env:PIN"', required=False)
    draft = StepDraft(name="it", intent="Do it", procedure=(procedure,) if procedure else (), code=code, post=post)
    header = Header(name="shop/it", site="shop", task_type="", start_url="http://shop/")
    return compose(header, "# It", (secret,), (draft,))


@pytest.mark.parametrize(
    ("workflow", "expected"),
    [
        (made(code='await page.get_by_label("PIN").fill(params.pin)'), True),
        (made(procedure='Type {pin} in "PIN".'), True),
        (made(post='await gate.visible(label="Password")'), True),
        (made(code='await page.get_by_role("button", name="Save").click()'), False),
    ],
    ids=["its code", "its procedure", "its gates", "another step"],
)
def test_logging_in_is_a_step_s_own_business_when_it_uses_a_secret_or_names_a_password(
    workflow: Workflow, expected: bool
) -> None:
    assert logs_in(workflow, workflow.steps[0]) is expected

"""Weak gates, each with what is said of it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.rules.gatelint import BLANK, weak_gates
from skillnb.rules.passages import Passage
from skillnb.terms.observation import Observation
from skillnb.terms.workflow import Parameter, ParameterType, Workflow
from tests.pages import page

BEFORE = page('- heading "Orders" [ref=e1]\n- link "Order 12" [ref=e2]', url="http://h/orders/")
AFTER = page('- heading "Order 12" [ref=e1]\n- button "Save" [ref=e2]', url="http://h/orders/12")


def workflow(post: str) -> Workflow:
    order = Parameter(name="order", type=ParameterType.INT, default="12", required=False, help="which")
    step = StepDraft(
        name="open-it",
        intent="Open the order",
        procedure=("Press {order}.",),
        pre="await gate.url('**/orders/')",
        code='await page.get_by_role("link", name=f"Order {params.order}").click()',
        post=post,
    )
    header = Header(name="shop/open", site="shop", task_type="open", start_url="http://h/orders/")
    return compose(header, "# Open\n\nAn order.", (order,), (step,))


def codes(post: str, before: Observation | None = BEFORE, values: Mapping[str, object] | None = None) -> list[str]:
    passage = Passage("run", "open-it", values or {"order": 12}, frozenset(), before, AFTER, (BEFORE,))
    return [finding.code for finding in weak_gates(workflow(post), [passage], "f.ipynb")]


@pytest.mark.parametrize(
    ("post", "expected"),
    [
        ('await gate.visible(role="heading", name=f"Order {params.order}")', []),
        ('await gate.url(f"**/orders/{params.order}")', []),
        ('await gate.url("**/orders/**")', ["holds-before", "parameter-not-looked-at"]),
        ('await gate.absent(role="alert")', ["holds-before", "holds-on-blank", "parameter-not-looked-at"]),
        ('await gate.visible(role="button", name="Save")', ["parameter-not-looked-at"]),
        ('await gate.url(f"**/orders/{params.order}*")', []),
        ('import re\nawait gate.text(contains=re.compile("Order 1"))', ["holds-before", "parameter-not-looked-at"]),
        (
            'await gate.visible(role="heading", name=f"Order {params.order}")\nawait gate.absent(role="alert")',
            ["distinguishes-nothing"],
        ),
        ('await gate.visible(role="heading", name=f"Order {params.order}")\nawait gate.url("**/orders/**")', []),
        ('await gate.visible(role="heading", name="Nowhere")', []),
    ],
)
def test_weak_gates(post: str, expected: list[str]) -> None:
    assert sorted(codes(post)) == expected


def test_a_pattern_that_lets_the_neighbour_pass() -> None:
    assert codes('await gate.url(f"**/orders/{params.order}*")', values={"order": 1}) == ["holds-for-neighbour"]


def test_without_a_page_before_nothing_is_said_of_it() -> None:
    assert codes('await gate.url("**/orders/**")', None) == ["parameter-not-looked-at"]
    assert codes('await gate.url("**/orders/**")', AFTER) == ["parameter-not-looked-at"]


def test_a_step_that_was_not_recorded_has_no_findings() -> None:
    assert weak_gates(workflow('await gate.url("**")'), [], "f.ipynb") == ()


def test_the_place_reason_and_remedy_are_told() -> None:
    passage = Passage("run", "open-it", {"order": 12}, frozenset(), BEFORE, AFTER, ())
    found = weak_gates(workflow('\n\nawait gate.url("**/orders/**")'), [passage], "f.ipynb")
    assert [str(each) for each in found] == [
        "f.ipynb: cell open-it-post, line 3: error: the post gates of step 'open-it' held before the step in 1 of 1 "
        "recorded runs, so they do not prove it; add what was not there before: a message, an answer of the site, a "
        "value [holds-before]",
        "f.ipynb: cell open-it-post, line 3: warning: the post gates of step 'open-it' say nothing about order, which "
        "the step uses and the page shows afterwards; add a gate with params.order, so that another one's page does "
        "not pass [parameter-not-looked-at]",
    ]


def test_the_blank_page_is_not_quite_empty() -> None:
    assert [node.role for node in BLANK.nodes] == ["paragraph"]

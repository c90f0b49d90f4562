"""The audit: values of one run that were left in a workflow."""

from __future__ import annotations

import pytest

from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.notebook.render import render
from skillnb.rules.lint import lint
from skillnb.terms.workflow import Parameter, ParameterType

WHO = Parameter(
    name="who", type=ParameterType.STRING, default="null", required=True, help='typed into User; recorded as "alice"'
)
CARRIER = Parameter(name="carrier", type=ParameterType.STRING, default='"DHL"', required=False)
UUID = "0b6c2a34-9f3e-4c1d-8a77-0d1e2f3a4b5c"
PIN = Parameter(name="pin", type=ParameterType.SECRET, default='"env:KIT_PIN"', required=False)


def told(
    code: str = "", post: str = "", said: str = "", start: str = "http://127.0.0.1/", *more: Parameter
) -> list[str]:
    step = StepDraft(name="do", intent="Do it", procedure=(said or "Press {who}.",), code=code, post=post)
    workflow = compose(Header(name="kit/it", site="kit", start_url=start), "# It", (WHO, CARRIER, PIN, *more), (step,))
    found = [each for each in lint(render(workflow), "nb") if each.code in ("baked-in-value", "run-value")]
    assert all(each.level == "warning" and each.remedy for each in found)
    return [f"{each.where.removeprefix('nb').removeprefix(': cell ')} {each.code}: {each.reason}" for each in found]


@pytest.mark.parametrize(
    ("code", "where"),
    [
        ('await page.get_by_role("link", name="Alice").click()', "a locator"),
        ('await page.get_by_text(re.compile(r"^alice$")).click()', "a locator"),
        ('await page.locator("#user-alice").click()', "a locator"),
        ('await page.goto("/users/alice")', "an address"),
        ('await page.get_by_label("To").fill("alice")', "the code"),
        ('await page.get_by_label("To").fill(f"for alice {params.carrier}")', "the code"),
    ],
)
def test_a_recorded_value_is_found_in_code(code: str, where: str) -> None:
    assert told(code) == [
        f"do-code, line 1 baked-in-value: 'alice', a value of parameter 'who', is written out in {where}"
    ]


def test_it_is_found_in_gates_sentences_and_the_first_address() -> None:
    reason = "'{}', a value of parameter '{}', is written out in {}"
    assert told(post='await gate.text(contains="Sent by DHL")\nawait gate.url("**/users/al%69ce")') == [
        "do-post, line 1 baked-in-value: " + reason.format("DHL", "carrier", "a gate"),
        "do-post, line 2 baked-in-value: " + reason.format("alice", "who", "an address"),
    ]
    assert told(said='Press "Alice".') == [
        "do-procedure, line 3 baked-in-value: " + reason.format("alice", "who", "a sentence")
    ]
    assert told(start="http://127.0.0.1/alice") == [
        " baked-in-value: " + reason.format("alice", "who", "the start address")
    ]


def test_a_word_that_all_addresses_begin_with_is_the_sites() -> None:
    assert told('await page.goto("/alice/users/")', start="http://127.0.0.1:4000/alice/log-in/") == []
    pressed = told('await page.get_by_role("link", name="Alice").click()', start="http://127.0.0.1:4000/alice/log-in/")
    assert [each.split(":")[0] for each in pressed] == ["do-code, line 1 baked-in-value"]


@pytest.mark.parametrize(
    "code",
    [
        'await call("kit/alice-logs-in", who=params.who)',
        'await page.get_by_role("link", name=params.who).click()',
        'await page.get_by_role("link", name="Malice").click()',
        'await page.get_by_role("link", name=f"For {params.who}").click()',
        'await page.get_by_label("PIN").fill(params.pin)',
        'await gate.response("POST", "**/login", status=302)',
        'await page.get_by_role("cell", name="24 of 300").click()',
    ],
)
def test_parameters_and_other_words_are_no_finding(code: str) -> None:
    assert told(code) == []


@pytest.mark.parametrize(
    ("code", "found", "where"),
    [
        ('await page.get_by_role("link", name="Order 1001").click()', "1001", "a locator"),
        ('await page.get_by_role("row", name="Bob bob@shop.example").click()', "bob@shop.example", "a locator"),
        ('await page.goto("/orders/7/edit")', "7", "an address"),
        ('await gate.text(contains="Due 2026-03-01")', "2026-03-01", "a gate"),
        (f'await gate.url("**/f/{UUID}")', UUID, "an address"),
    ],
)  # fmt: skip
def test_what_looks_like_a_value_of_one_run_is_told_too(code: str, found: str, where: str) -> None:
    assert told(code) == [f"do-code, line 1 run-value: {found!r} in {where} looks like a value of one run"]

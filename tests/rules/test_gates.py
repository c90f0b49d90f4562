from __future__ import annotations

from dataclasses import replace

import pytest

from skillnb.rules.gates import check, resolve, wants_value
from skillnb.rules.gatesource import parse_gates
from skillnb.terms.gate import Fixed, Gate, Param, Pattern, Template
from skillnb.terms.observation import FileSeen, Observation, ResponseSeen
from skillnb.terms.outcome import Verdict
from tests.pages import page

PASSED, FAILED, UNKNOWN = Verdict.PASSED, Verdict.FAILED, Verdict.UNKNOWN
VALUES: dict[str, object] = {"order": 1, "name": "ann", "empty": "", "none": None, "carrier": "DHL", "star": "*"}

FORM = page("""
    - generic [ref=e1]:
      - heading "Order 1" [level=1] [ref=e2]
      - status [ref=e3]: Tracking saved
      - text: Carrier
      - combobox "Carrier:" [ref=e4]:
        - option "UPS"
        - option "DHL" [selected]
      - textbox "Number" [ref=e5]: a b
      - textbox "Note" [ref=e6]
      - textbox "Note" [ref=e7]
      - checkbox "Express" [checked] [ref=e8]
      - checkbox "Insured" [ref=e9]
      - checkbox "All" [checked=mixed] [ref=e10]
      - button "Save and add another" [ref=e11]
      - button "Hidden"
      - paragraph [ref=e12]: 12 orders for joann, 3.1 kg, Changes unsaved
      - listitem [ref=e13]:
        - text: The group “
        - link "Editors" [ref=e14]
        - text: ” was added.
    """)


def gate(source: str) -> Gate:
    return parse_gates(f"await gate.{source}\n")[0]


def verdict(source: str, seen: Observation = FORM) -> Verdict:
    return check(gate(source), VALUES, seen).verdict


@pytest.mark.parametrize(
    ("source", "url", "expected"),
    [
        ('url("**/order/1")', "http://s/order/1", PASSED),
        ('url("**/order/1")', "http://s/order/1#top", PASSED),
        ('url("**/order/1")', "http://s/order/12", FAILED),
        ('url("/order/1")', "http://s/order/1", PASSED),
        ('url("/order/1")', "http://s/order/12", FAILED),
        ('url("/order/1")', "http://s/x/order/1", FAILED),
        ('url("**/order/1")', "http://s/order/1?tab=2", FAILED),
        ('url("**/orders/*/edit")', "http://s/orders/1/edit", PASSED),
        ('url("**/orders/*/edit")', "http://s/orders/1/2/edit", FAILED),
        ('url("http://s/a.c")', "http://s/abc", FAILED),
        ('url(f"**/order/{params.order}")', "http://s/order/1", PASSED),
        ('url(f"**/order/{params.order}")', "http://s/order/12", FAILED),
        ('url(f"**/order/{params.star}")', "http://s/order/1", FAILED),
        ('url(f"**/order/{params.empty}")', "http://s/order/", UNKNOWN),
        ('url(f"**/order/{params.none}")', "http://s/order/None", UNKNOWN),
        ('url("**/a b")', "http://s/a%20b", PASSED),
        ('url("**/a/b")', "http://s/a%2Fb", FAILED),
        ('url("**")', "http://s/", UNKNOWN),
        ('url("**/*")', "http://s/", UNKNOWN),
        ('url("/")', "http://s/", PASSED),
        ('url("/")', "http://s/a", FAILED),
        ('url(re.compile(r"/order/1$"))', "http://s/order/1", PASSED),
        ('url(re.compile(r"/order/1$"))', "http://s/order/12", FAILED),
        ('url(re.compile(r".*"))', "http://s/order/12", UNKNOWN),
    ],
)
def test_url(source: str, url: str, expected: Verdict) -> None:
    assert verdict(source, replace(FORM, url=url)) is expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('visible(role="button", name="Save and add another")', PASSED),
        ('visible(role="button", name="Save")', FAILED),
        ('visible(role="link", name="Save and add another")', FAILED),
        ('visible(name="save  and add another")', PASSED),
        ('visible(name="save and add another", exact=True)', FAILED),
        ('visible(role="button", name="Hidden")', UNKNOWN),
        ('visible(text="Tracking saved")', PASSED),
        ('visible(text="Tracking")', FAILED),
        ('visible(text="Carrier")', PASSED),
        ('visible(label="Carrier")', PASSED),
        ('visible(label="Express")', PASSED),
        ('visible(label="Save and add another")', FAILED),
        ('visible(placeholder="Number")', PASSED),
        ('visible(name=re.compile("^save", re.I))', PASSED),
        ('visible(name=re.compile("x*"))', UNKNOWN),
        ('visible(role="heading", name=f"Order {params.order}")', PASSED),
        ("visible(name=params.empty)", UNKNOWN),
        ("visible(name=params.none)", UNKNOWN),
        ("visible(name=params.missing)", UNKNOWN),
        ("visible(exact=True)", UNKNOWN),
        ('visible(role="link", near="Order 1")', PASSED),
        ('visible(role="link", near="Order 2")', FAILED),
    ],
)
def test_visible(source: str, expected: Verdict) -> None:
    assert verdict(source) is expected


def test_what_was_expected_and_seen_reads_well() -> None:
    assert check(gate('visible(role="button", name="Save and add another")'), {}, FORM) == (
        PASSED,
        'visible button "Save and add another"',
        '1 visible button "Save and add another"',
    )
    assert check(gate('visible(role="button", name="Save")'), {}, FORM) == (
        FAILED,
        'visible button "Save"',
        'no button "Save"; nearest: button "Save and add another"',
    )
    assert check(gate('value(label="Note", equals="x")'), {}, FORM) == (
        FAILED,
        'field labelled "Note" equals "x"',
        '2 elements answer to field labelled "Note", one was expected',
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('absent(role="alert")', PASSED),
        ('absent(role="status")', FAILED),
        ('absent(role="button", name="Hidden")', FAILED),
        ('absent(role="link", near="Order 2")', UNKNOWN),
        ("absent(name=params.empty)", UNKNOWN),
    ],
)
def test_absent(source: str, expected: Verdict) -> None:
    assert verdict(source) is expected


@pytest.mark.parametrize(
    "seen",
    [
        replace(FORM, settled=False),
        replace(FORM, url="chrome-error://chromewebdata/"),
        page(""),
        page("- generic [active] [ref=e1]"),
        page("- generic [ref=e1]:\n  - iframe [ref=e2]"),
    ],
)
def test_absence_is_proven_only_on_a_settled_page_that_shows_something(seen: Observation) -> None:
    assert verdict('absent(role="alert")', seen) is UNKNOWN
    assert verdict('count(role="alert", equals=0)', seen) is UNKNOWN
    assert verdict('count(role="alert", at_most=3)', seen) is UNKNOWN


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('value(label="Carrier", equals="DHL")', PASSED),
        ('value(label="Carrier", equals=params.carrier)', PASSED),
        ('value(label="Carrier", equals="UPS")', FAILED),
        ('value(label="Carrier", equals="dhl")', FAILED),
        ('value(label="Number", equals="a b")', UNKNOWN),
        ('value(label="Note", equals="x")', FAILED),
        ('value(label="Nothing", equals="x")', FAILED),
        ('value(label="Express", checked=True)', PASSED),
        ('value(label="Express", checked=False)', FAILED),
        ('value(label="Insured", checked=True)', FAILED),
        ('value(label="Insured", checked=False)', PASSED),
        ('value(label="All", checked=True)', FAILED),
        ('value(label="All", checked=False)', FAILED),
        ('value(label="Express", equals="on")', UNKNOWN),
        ('value(label="Number", checked=True)', UNKNOWN),
        ('value(label="Number")', UNKNOWN),
    ],
)
def test_value(source: str, expected: Verdict) -> None:
    assert verdict(source) is expected


def with_value(value: str) -> Observation:
    nodes = tuple(replace(node, value=value) if node.ref == "e5" else node for node in FORM.nodes)
    return replace(FORM, nodes=nodes)


@pytest.mark.parametrize(
    ("source", "value", "expected"),
    [
        ('value(label="Number", equals="a b")', "a b", PASSED),
        ('value(label="Number", equals="a b")', "a  b", FAILED),
        ('value(label="Number", equals="a b")', "A B", FAILED),
        ('value(label="Number", equals="")', "", PASSED),
        ('value(label="Number", equals=" ")', "", UNKNOWN),
        ('value(label="Number", equals=params.empty)', "", UNKNOWN),
        ('value(label="Number", contains="")', "a", UNKNOWN),
        ('value(label="Number", contains=params.empty)', "a", UNKNOWN),
        ('value(label="Number", contains=params.order)', "No 1", PASSED),
        ('value(label="Number", contains=params.order)', "No 12", FAILED),
        ('value(label="Number", equals=params.order)', "1", PASSED),
        ('value(label="Number", equals="x\\ny")', "x\r\ny", PASSED),
    ],
)
def test_a_value_that_was_read(source: str, value: str, expected: Verdict) -> None:
    assert verdict(source, with_value(value)) is expected


def test_wants_value_names_the_fields_that_must_be_read() -> None:
    assert wants_value(gate('value(label="Number", equals="a")'), {}, FORM) == ("e5",)
    assert wants_value(gate('value(label="Number", equals="a")'), {}, with_value("a")) == ()
    assert wants_value(gate('value(label="Carrier", equals="a")'), {}, FORM) == ()
    assert wants_value(gate('value(label="Note", equals="a")'), {}, FORM) == ()
    assert wants_value(gate('value(label="Express", checked=True)'), {}, FORM) == ()
    assert wants_value(gate('visible(label="Number")'), {}, FORM) == ()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('text(role="status", contains="Tracking saved")', PASSED),
        ('text(role="status", contains="saved")', PASSED),
        ('text(role="status", equals="Tracking saved")', PASSED),
        ('text(role="status", equals="Tracking")', FAILED),
        ('text(role="alert", contains="Tracking saved")', FAILED),
        ('text(contains="Tracking saved")', PASSED),
        ('text(contains="2 orders")', FAILED),
        ('text(contains="12 orders")', PASSED),
        ("text(contains=params.order)", PASSED),
        ('text(role="paragraph", contains=params.order)', FAILED),
        ('text(role="paragraph", contains=params.name)', FAILED),
        ('text(role="paragraph", contains="1 kg")', FAILED),
        ('text(contains="The group “Editors” was added.")', PASSED),
        ('text(contains="The group \\"Editors\\" was added")', PASSED),
        ('text(contains="a b")', FAILED),
        ('text(contains="UPS")', FAILED),
        ('text(contains="")', UNKNOWN),
        ("text(contains=params.empty)", UNKNOWN),
        ('text(role="status")', UNKNOWN),
        ('text(contains=re.compile("sav(ed|ing)"))', PASSED),
    ],
)
def test_text(source: str, expected: Verdict) -> None:
    assert verdict(source) is expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('count(role="checkbox", equals=3)', PASSED),
        ('count(role="checkbox", equals=2)', FAILED),
        ('count(role="checkbox", at_least=3)', PASSED),
        ('count(role="checkbox", at_least=4)', FAILED),
        ('count(role="checkbox", at_most=2)', FAILED),
        ('count(role="option", equals=2)', PASSED),
        ('count(role="button", equals=1)', UNKNOWN),
        ('count(role="button", equals=2)', UNKNOWN),
        ('count(role="button", at_least=3)', FAILED),
        ('count(role="button", at_least=0)', UNKNOWN),
        ('count(role="button")', UNKNOWN),
        ('count(role="button", equals="2")', UNKNOWN),
        ("count(equals=2)", UNKNOWN),
    ],
)
def test_count(source: str, expected: Verdict) -> None:
    assert verdict(source) is expected


SENT = replace(
    FORM,
    responses=(
        ResponseSeen(method="POST", url="http://s/tracking", status=302, resource="document"),
        ResponseSeen(method="GET", url="http://s/tracking", status=500, resource="document"),
    ),
)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('response("POST", "**/tracking", status=302)', PASSED),
        ('response("post", "**/tracking")', PASSED),
        ('response("POST", "**/tracking", status=200)', FAILED),
        ('response("GET", "**/tracking")', FAILED),
        ('response("GET", "**/track")', FAILED),
        ('response("PUT", "**/tracking")', FAILED),
        ('response("POST", "**/tracking", status="302")', UNKNOWN),
    ],
)
def test_response(source: str, expected: Verdict) -> None:
    assert verdict(source, SENT) is expected


SAVED = replace(
    FORM,
    files=(
        FileSeen(name="report.csv", path="/x/report.csv", size=10),
        FileSeen(name="empty.csv", path="/x/empty.csv", size=0),
        FileSeen(name="torn.csv", path="/x/torn.csv", size=10, failure="canceled"),
    ),
)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('file("report.csv")', PASSED),
        ('file("*.csv")', PASSED),
        ('file("*.csv", min_size=11)', FAILED),
        ('file("empty.csv")', FAILED),
        ('file("torn.csv")', FAILED),
        ('file("report.cs")', FAILED),
        ("file(params.empty)", UNKNOWN),
        ('file("report.csv", min_size="1")', UNKNOWN),
        ('file(re.compile(r"^rep"))', PASSED),
    ],
)
def test_file(source: str, expected: Verdict) -> None:
    assert verdict(source, SAVED) is expected


def test_a_custom_gate_is_unknown() -> None:
    custom = parse_gates("assert await page.title() == 'x'\n")[0]
    assert check(custom, {}, FORM).verdict is UNKNOWN


def test_resolve_never_raises() -> None:
    template = Template(parts=(Fixed(value="No "), Param(name="order")))
    assert resolve(template, VALUES) == "No 1"
    assert resolve(Fixed(value=3), {}) == 3
    assert "no value" in str(resolve(Param(name="order"), {}))
    assert "bad pattern" in str(resolve(Pattern(source="("), {}))


def test_a_page_without_the_text_names_what_comes_nearest() -> None:
    assert check(gate('text(contains="Tracking was saved")'), {}, FORM) == (
        FAILED,
        'page contains "Tracking was saved"',
        'no such text on it; nearest: status "Tracking saved"',
    )

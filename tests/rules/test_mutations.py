"""Which changes contradict which gate: all of them, by kind and in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skillnb.rules.gates import check
from skillnb.rules.gatesource import parse_gates
from skillnb.rules.mutationkinds import AIMS, SAYS, Aim, Kind
from skillnb.rules.mutations import contradictions
from skillnb.rules.passages import at_rest
from skillnb.terms.gate import Gate
from skillnb.terms.observation import FileSeen, ResponseSeen
from skillnb.terms.outcome import Verdict
from tests.pages import page, recorded

ORDER = at_rest(
    replace(
        page(
            """
            - generic [ref=e1]:
              - heading "Order 12" [level=1] [ref=e2]
              - status [ref=e3]: Order 12 of zoe was saved.
              - textbox "Carrier" [ref=e4]: DHL
              - checkbox "Gift" [checked] [ref=e5]
              - combobox "Size" [ref=e6]:
                - option "small" [selected]
                - option "large"
              - list "Items" [ref=e7]:
                - listitem [ref=e8]: Tea
                - listitem [ref=e9]: Cup
            """,
            url="http://h/orders/12/edit/",
        ),
        responses=(ResponseSeen(method="POST", url="http://h/orders/12/", status=302, resource="document"),),
        files=(FileSeen(name="bill.pdf", path="bill.pdf", size=9),),
    )
)
VALUES = {"order": 12, "carrier": "DHL"}


def gate(source: str) -> Gate:
    return parse_gates(f"import re\nawait gate.{source}\n")[0]


def made(source: str) -> list[tuple[str, str]]:
    return [(mutant.kind.value, mutant.change) for mutant in contradictions(gate(source), VALUES, ORDER)]


def test_every_kind_has_an_aim_and_says_what_it_is() -> None:
    assert set(AIMS) == set(SAYS) == set(Kind)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            'visible(role="heading", name=f"Order {params.order}")',
            [
                ("removed", "heading 'Order 12' removed"),
                ("word", "'Order' is now 'quince'"),
                ("digit", "'12' is now '13'"),
                ("twin-beside", "heading 'Order 12' is there twice"),
            ],
        ),
        (
            'text(contains="was saved")',
            [
                ("removed", "status 'Order 12 of zoe was saved.' removed"),
                ("word", "'was' is now 'quince'"),
                ("word", "'saved' is now 'quince'"),
                ("word-beside", "'Order' is now 'quince'"),
                ("word-beside", "'12' is now '13'"),
                ("word-beside", "'of' is now 'quince'"),
                ("word-beside", "'zoe' is now 'quince'"),
                ("twin-beside", "status 'Order 12 of zoe was saved.' is there twice"),
            ],
        ),
        (
            'value(label="Carrier", equals=params.carrier)',
            [
                ("removed", "textbox 'Carrier' removed"),
                ("word", "'Carrier' is now 'quince'"),
                ("twin", "textbox 'Carrier' is there 1 more times"),
                ("value", "textbox 'Carrier' holds 'DxL'"),
                ("value", "textbox 'Carrier' holds 'DHLx'"),
                ("value", "textbox 'Carrier' holds 'DH'"),
                ("value", "textbox 'Carrier' holds ''"),
            ],
        ),
        (
            'value(label="Size", equals="small")',
            [
                ("removed", "combobox 'Size' removed"),
                ("word", "'Size' is now 'quince'"),
                ("twin", "combobox 'Size' is there 1 more times"),
                ("value", "nothing is chosen in 'Size'"),
                ("value", "'large' is chosen"),
            ],
        ),
        (
            'value(label="Gift", checked=True)',
            [
                ("removed", "checkbox 'Gift' removed"),
                ("word", "'Gift' is now 'quince'"),
                ("twin", "checkbox 'Gift' is there 1 more times"),
                ("tick", "checkbox 'Gift' is not ticked"),
            ],
        ),
        (
            'count(role="listitem", equals=2)',
            [
                ("removed", "listitem 'Cup' removed"),
                ("word-beside", "'Tea' is now 'quince'"),
                ("word-beside", "'Cup' is now 'quince'"),
                ("twin", "listitem 'Tea' is there 1 more times"),
            ],
        ),
        ('absent(role="alert")', [("forbidden", "alert '' is there")]),
        ('absent(text=re.compile("rror"))', []),
        (
            'url(f"**/orders/{params.order}/*/")',
            [
                ("address", "'orders' is now 'quince'"),
                ("address", "'orders' is now 'orders2'"),
                ("address", "'12' is now '13'"),
                ("address", "'12' is now '122'"),
                ("address-beside", "'edit' is now 'quince'"),
            ],
        ),
        ('response("POST", "**/orders/*/")', [("status", "answered with 500"), ("unanswered", "never answered")]),
        (
            'file("*.pdf")',
            [("file", "no file came"), ("file", "the download broke off"), ("file", "the file is empty")],
        ),
        ('visible(role="dialog")', []),
        (
            'visible(role="listitem", near="Items")',
            [("removed", "listitem 'Tea' removed"), ("word", "'items' is now 'quince'")],
        ),
    ],
)
def test_contradictions(source: str, expected: list[tuple[str, str]]) -> None:
    found = made(source)
    if "near" in source:  # the words of the items themselves are not what it is about
        found = [each for each in found if not each[0].endswith("beside")]
    assert found == expected


@pytest.mark.parametrize(
    "source",
    [
        'visible(role="heading", name="Order 12")',
        'text(contains="was saved")',
        'value(label="Carrier", equals=params.carrier)',
        'value(label="Size", equals="small")',
        'value(label="Gift", checked=True)',
        'count(role="listitem", equals=2)',
        'absent(role="alert")',
        'absent(role="button", near="Items")',
        'url(f"**/orders/{params.order}/*/")',
        'response("POST", "**/orders/*/")',
        'file("*.pdf")',
    ],
)
def test_a_good_gate_holds_on_the_page_and_on_none_that_contradicts_it(source: str) -> None:
    one = gate(source)
    assert check(one, VALUES, ORDER).verdict is Verdict.PASSED
    wrong = [mutant for mutant in contradictions(one, VALUES, ORDER) if AIMS[mutant.kind] is Aim.CLAIM]
    assert wrong
    assert [mutant.change for mutant in wrong if check(one, VALUES, mutant.seen).verdict is Verdict.PASSED] == []


def test_a_pattern_that_ends_in_a_star_lets_the_longer_address_pass() -> None:
    one = gate('url("**/orders/12*/edit/")')
    assert made('url("**/orders/12*/edit/")')[2] == ("address-beside", "'12' is now '13'")
    exact = gate('url(re.compile("orders/12"))')
    passed = [
        mutant.change
        for mutant in contradictions(exact, VALUES, ORDER)
        if check(exact, VALUES, mutant.seen).verdict is Verdict.PASSED
    ]
    assert passed == ["'12' is now '122'", "'edit' is now 'quince'"]
    assert check(one, VALUES, ORDER).verdict is Verdict.PASSED


def test_on_a_recorded_page() -> None:
    seen = at_rest(recorded("django-admin-5.2-group-list", "http://h/admin/auth/group/"))
    one = gate('visible(role="rowheader", name="Interns")')
    found = [(mutant.kind, check(one, {}, mutant.seen).verdict) for mutant in contradictions(one, {}, seen)]
    assert found == [
        (Kind.REMOVED, Verdict.FAILED),
        (Kind.WORD, Verdict.FAILED),
        (Kind.TWIN_BESIDE, Verdict.PASSED),
    ]


def test_a_place_is_renamed_wherever_it_could_be_found() -> None:
    chooser = page(
        """
        - generic [ref=e1]:
          - generic [ref=e2]: Chosen groups
          - 'listbox "Chosen groups: press Remove to take one out" [ref=e3]':
            - option "Editors"
        """
    )
    one = gate('visible(role="option", name="Editors", near="Chosen groups")')
    renamed = [mutant for mutant in contradictions(one, {}, chooser) if "quince" in mutant.change]
    assert [(mutant.change, check(one, {}, mutant.seen).verdict) for mutant in renamed] == [
        ("'Editors' is now 'quince'", Verdict.FAILED),
        ("'chosen' is now 'quince'", Verdict.FAILED),
        ("'groups' is now 'quince'", Verdict.FAILED),
    ]
    assert renamed[1].seen.nodes[2].name == "quince groups: press Remove to take one out"

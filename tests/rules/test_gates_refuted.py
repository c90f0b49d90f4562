from __future__ import annotations

import pytest

from skillnb.rules.gates import refuted
from skillnb.rules.gatesource import parse_gates
from tests.rules.test_gates import FORM, VALUES


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('await gate.visible(role="button", name="Nowhere")', True),
        ('await gate.visible(role="heading", name="Order 1")\nawait gate.url("**/elsewhere")', True),
        ('await gate.visible(role="heading", name="Order 1")', False),
        ('await gate.value(label="Carrier", equals="DHL")', False),
        ('await gate.value(role="textbox", name="Number", equals="a b")', False),
        ('await gate.absent(role="heading", name="Order 1")', True),
        ('await gate.response("POST", "**/orders", status=302)', True),
        ("assert await page.title() == 'x'", False),
        ("", False),
    ],
)
def test_gates_are_refuted_only_by_what_is_seen(source: str, expected: bool) -> None:
    """A value that was not read, and Python of the cell's own, refute nothing; neither does what holds."""
    assert refuted(parse_gates(source), VALUES, FORM) is expected

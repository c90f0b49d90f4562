"""Names that an action is held to."""

from __future__ import annotations

import pytest

from skillnb.rules.actedname import answers, asked_name


@pytest.mark.parametrize(
    ("selector", "name"),
    [
        ('internal:role=button[name="Submit"i]', "Submit"),
        ('internal:role=button[name="Submit"s]', ""),
        ("internal:role=button", ""),
        ("internal:role=button[name=/sub/i]", ""),
        ('internal:label="Username"i', "Username"),
        ('internal:role=row[name="Interns"i] >> internal:role=checkbox', ""),
        ('internal:role=link[name="Yes"i] >> nth=0', "Yes"),
        ("#submit", ""),
        ('internal:text="Submit"i', ""),
    ],
)
def test_asked_name(selector: str, name: str) -> None:
    assert asked_name(selector) == name


@pytest.mark.parametrize(
    ("asked", "found", "expected"),
    [
        ("Submit", "Submit", True),
        ("submit", "Submit *", True),
        ("Username", "Username:", True),
        ("Cart", "Cart (3)", True),
        ("Submit", "SubmitAll", False),
        ("Save", "Save and add another", False),
        ("Order 1", "Order 12", False),
        ("user04", "user04 (edit)", False),
        ("Action: --------- Delete selected groups", "Action:", True),
        ("", "Save", False),
    ],
)
def test_answers(asked: str, found: str, expected: bool) -> None:
    assert answers(asked, found) is expected

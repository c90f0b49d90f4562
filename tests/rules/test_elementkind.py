from __future__ import annotations

import pytest

from skillnb.rules.elementkind import grade, kind, said, takes
from skillnb.terms.fingerprint import Attribute, Fingerprint


@pytest.mark.parametrize(
    ("tag", "type_", "role", "told"),
    [
        ("a", "", "", "click"),
        ("div", "", "button", "click"),
        ("input", "submit", "", "click"),
        ("input", "radio", "", "tick"),
        ("div", "", "switch", "tick"),
        ("input", "email", "", "field"),
        ("div", "", "textbox", "field"),
        ("select", "", "", "field"),
        ("input", "file", "button", "file"),
        ("div", "", "", "soft"),
        ("label", "", "generic", "soft"),
    ],
)
def test_kind_comes_from_the_role_and_then_from_the_tag(tag: str, type_: str, role: str, told: str) -> None:
    assert kind(Fingerprint(tag=tag, type=type_, role=role)) == told


def test_a_container_is_told_from_a_piece_of_text() -> None:
    assert [grade(Fingerprint(tag=tag)) for tag in ("li", "h2", "a")] == ["box", "text", "click"]


def test_a_field_whose_role_is_known_stays_a_field() -> None:
    assert takes(Fingerprint(tag="input", role="textbox")) == {"field"}
    assert takes(Fingerprint(tag="input")) == {"field", "soft"}
    assert takes(Fingerprint(tag="a", role="link")) == {"click", "soft"}
    assert takes(Fingerprint(tag="span")) == {"soft", "click", "tick"}


def test_what_an_element_says_is_its_name_first() -> None:
    one = Fingerprint(tag="input", attributes=(Attribute(name="placeholder", value="Search  here"),))
    assert said(one) == "search here"
    assert said(Fingerprint(tag="a", name="Close", text="×")) == "close"

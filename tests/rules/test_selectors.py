from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.selectors import parts


def kinds(selector: str) -> list[tuple[str, str, str]]:
    read = parts(selector)
    assert not isinstance(read, str)
    return [(part.kind, part.key, part.value) for part in read]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ('internal:role=link[name="Choose"i]', [("role", "link", "Choose")]),
        (
            'internal:role=checkbox[checked=true][name="a \\"q\\" \\\\ [x] >> y"i]',
            [("role", "checkbox", 'a "q" \\ [x] >> y')],
        ),
        ('internal:role=option[name="u\nv é"i]', [("role", "option", "u\nv é")]),
        ('internal:label="User"s', [("label", "", "User")]),
        ('internal:text="He said \\"x\\" >> y"i', [("text", "", 'He said "x" >> y')]),
        ('internal:attr=[placeholder="ph"i]', [("attr", "placeholder", "ph")]),
        ('internal:testid=[data-testid="t"s]', [("testid", "data-testid", "t")]),
        ("#id >> nth=0", [("css", "", ""), ("nth", "", "0")]),
        (
            'internal:role=row >> internal:has="internal:role=link[name=\\"x\\"i]" >> internal:role=checkbox',
            [("role", "row", ""), ("has", "", 'internal:role=link[name="x"i]'), ("role", "checkbox", "")],
        ),
        (
            'iframe >> internal:control=enter-frame >> internal:label="x"i',
            [("css", "", ""), ("frame", "", ""), ("label", "", "x")],
        ),
        ("div[title='a >> b'] >> visible=true", [("css", "", ""), ("visible", "", "true")]),
    ],
)
def test_parts(selector: str, expected: list[tuple[str, str, str]]) -> None:
    assert kinds(selector) == expected


@pytest.mark.parametrize("regex", ["/^a$/", '/a/b\\"c/i', "/[a\\]/]+/i", "/x\\]y/"])
def test_a_name_in_slashes_is_a_pattern_or_unreadable(regex: str) -> None:
    read = parts(f"internal:role=link[name={regex}]")
    assert isinstance(read, str) or [part.pattern for part in read] == [True]


def test_exactness_and_patterns() -> None:
    read = parts('internal:role=link[name="a"s] >> internal:text=/x y/i')
    assert not isinstance(read, str)
    assert [(part.exact, part.pattern) for part in read] == [(True, False), (False, True)]


@given(st.text())
def test_any_selector_is_read_or_refused(selector: str) -> None:
    parts(selector)
    parts("internal:role=" + selector)
    parts("internal:label=" + selector)

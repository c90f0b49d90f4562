"""The tree that pages are made of, how things in it are named, and how forms with files are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.testing.site.elements import at, el, html, places, put
from skillnb.testing.site.forms import button, checkbox, form, link, textbox
from skillnb.testing.site.multipart import read_parts
from skillnb.testing.site.naming import locate, name_of, unit_of
from skillnb.testing.site.visit import Control, Upload, control

PAGE = el(
    "html",
    el("head"),
    el(
        "body",
        el("header", button("Save", key="above")),
        el(
            "main",
            el("h1", "Save"),
            form(
                "/x",
                textbox("Street"),
                checkbox("terms", "Agree to the ", link("terms", "/t")),
                button("Save"),
                key="f",
            ),
            el("button", "x", aria_label="Close", key="icon"),
        ),
    ),
)


def test_html_is_escaped_but_for_scripts() -> None:
    page = el("p", "a<b & c", el("input", value='"q"', disabled=True, title=None), el("script", "a<b"), data_n="1&2")
    assert (
        html(page) == '<p data-n="1&amp;2">a&lt;b &amp; c<input value="&quot;q&quot;" disabled><script>a<b</script></p>'
    )


@pytest.mark.parametrize(
    ("target", "tag", "name", "unit"),
    [
        ("Save", "button", "Save", "button"),
        ("above", "button", "Save", "button"),
        ("Street", "input", "Street", "div"),
        ("terms", "input", "Agree to the terms", "label"),
        ("Close", "button", "Close", "button"),
        ("icon", "button", "Close", "button"),
    ],
)
def test_an_element_is_found_by_key_or_name(target: str, tag: str, name: str, unit: str) -> None:
    place = locate(PAGE, target)
    assert place is not None
    assert (at(PAGE, place).tag, name_of(PAGE, place), at(PAGE, unit_of(PAGE, place)).tag) == (tag, name, unit)


def test_the_button_of_the_page_goes_before_its_heading_and_the_one_in_the_header() -> None:
    place = locate(PAGE, "Save")
    assert place is not None
    assert at(PAGE, place).key == "save"
    assert locate(PAGE, "Nothing") is None


def test_every_place_can_be_taken_away_and_put_back() -> None:
    for place in list(places(PAGE, lambda each: True))[1:]:
        taken = put(PAGE, place)
        assert html(at(PAGE, place)) in html(PAGE)
        assert len(html(taken)) < len(html(PAGE))
        assert put(PAGE, place, at(PAGE, place)) == PAGE


def test_controls_as_they_are_written() -> None:
    assert control("button Save tracking") == Control("button", "Save tracking", 1)
    assert control("button Submit ×2") == Control("button", "Submit", 2)


NAMES = st.text("abcäß_- ", min_size=1, max_size=8)


@given(
    st.dictionaries(
        NAMES, st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=2), max_size=3
    ),
    st.dictionaries(NAMES, st.tuples(NAMES, st.binary(max_size=60)), max_size=2),
)
def test_forms_with_files_are_read_to_the_byte(form: dict[str, list[str]], files: dict[str, tuple[str, bytes]]) -> None:
    lines = b""
    for name, values in form.items():
        for value in values:
            lines += f'--b0und\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    for name, (file, content) in files.items():
        head = (
            f'--b0und\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\nContent-Type: x/y\r\n\r\n'
        )
        lines += head.encode() + content + b"\r\n"
    expected = {name: tuple(values) for name, values in form.items()}
    uploads = {name: Upload(*given) for name, given in files.items()}
    assert read_parts(lines + b"--b0und--\r\n", "b0und") == (expected, uploads)

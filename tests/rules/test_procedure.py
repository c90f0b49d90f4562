from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.procedure import intent, placeholders, sentences, title

SOURCE = """Before.

## Choose the carrier

Some words.

1. Choose {carrier} in "Carrier".
2) Type {note} into "Note",
   which is the long one, and {carrier} again.
- Press "Save".

  * Wait for {1}, {} and { x }.
Not an item.
    nor this
"""


def test_reads_heading_and_list() -> None:
    assert intent(SOURCE) == "Choose the carrier"
    assert sentences(SOURCE) == (
        'Choose {carrier} in "Carrier".',
        'Type {note} into "Note", which is the long one, and {carrier} again.',
        'Press "Save".',
        "Wait for {1}, {} and { x }.",
    )
    assert placeholders(SOURCE) == ("carrier", "note")


def test_title_and_intent_are_different_headings() -> None:
    assert (title("x\n# A\n## B"), intent("x\n# A\n## B")) == ("A", "B")
    assert (title("#A\n#\n"), intent("##A\n##  \n")) == ("", "")


@given(st.text())
def test_is_total_on_any_text(source: str) -> None:
    assert all(sentence.strip() for sentence in sentences(source))
    assert title(source) == title(source).strip()
    assert intent(source) == intent(source).strip()
    assert all(name.isidentifier() for name in placeholders(source))

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.offers import offered, values_offered
from skillnb.rules.shortlist import shortlisted
from skillnb.terms.gate import Fixed, Param, Template
from skillnb.terms.observation import Node
from tests.pages import page, recorded
from tests.strategies import texts


def plain(text: str) -> str:
    return text


TABLE = page(
    """
    - table [ref=e1]:
      - row "Ines 1001 Edit" [ref=e2]:
        - cell "Ines" [ref=e3]
        - button "Edit" [ref=e4]
      - row "Yuki 1002 Edit" [ref=e5]:
        - cell "Yuki" [ref=e6]
        - button "Edit" [ref=e7]
    - button "Edit" [ref=e8]
    - button "Edit" [ref=e9]
    - button "Off" [disabled] [ref=e10]
    - button "No box"
    - button [ref=e11]
    - textbox "Note" [ref=e12]: old
    - combobox "Carrier" [ref=e13]:
      - option "DHL" [selected]
      - option "UPS"
    """
)


def test_labels_tell_apart_what_has_one_name() -> None:
    assert [offer.label for offer in offered(TABLE.nodes, plain)] == [
        'button "Edit" in row "Ines 1001 Edit"',
        'button "Edit" in row "Yuki 1002 Edit"',
        'button "Edit" (1 of 2)',
        'button "Edit" (2 of 2)',
        'textbox "Note"',
        'combobox "Carrier"',
    ]


def test_an_offer_leads_back_to_its_element() -> None:
    for offer in offered(TABLE.nodes, plain):
        assert TABLE.nodes[offer.at].ref
        assert offer.name in offer.label


def test_a_real_page_has_labels_of_their_own() -> None:
    labels = [offer.label for offer in offered(recorded("every-kind-of-element").nodes, plain)]
    assert len(labels) == len(set(labels)) > 10


def _buttons(names: list[str]) -> tuple[Node, ...]:
    return tuple(
        Node(index=at, depth=0, parent=-1, role="button", name=name, ref=f"e{at}") for at, name in enumerate(names)
    )


tricky = st.sampled_from(["Edit", 'Edit" (1 of 2)', "Edit (1 of 2)", 'Edit" (number 3)', "x" * 90, "x" * 91, "  ", ""])


@given(st.lists(tricky | texts(), max_size=12))
def test_labels_are_all_different_and_nothing_named_is_left_out(names: list[str]) -> None:
    nodes = _buttons(names)
    made = offered(nodes, plain)
    assert len({offer.label for offer in made}) == len(made)
    assert len({offer.at for offer in made}) == len(made)
    assert len(made) >= sum(1 for name in names if any(mark.isalnum() for mark in name))


@given(st.lists(tricky, max_size=12), st.integers(0, 12), texts())
def test_a_short_list_is_a_part_of_the_whole_in_its_order(names: list[str], most: int, wanted: str) -> None:
    every = offered(_buttons(names), plain)
    some = shortlisted(every, wanted, most)
    assert len(some) == min(most, len(every))
    assert list(some) == [offer for offer in every if offer in some]


def test_a_short_list_holds_what_is_spoken_of() -> None:
    every = offered(_buttons([f"Restock {number}" for number in range(40)] + ["Post review", "Delete"]), plain)
    labels = [offer.label for offer in shortlisted(every, 'Press "Post review".', 3)]
    assert 'button "Post review"' in labels


def test_likeness_in_meaning_is_added() -> None:
    every = offered(_buttons(["One", "Two", "Three"]), plain)
    assert [offer.name for offer in shortlisted(every, "nothing alike", 1, [0.1, 0.9, 0.2])] == ["Two"]


def test_values_are_parameters_then_quotes_of_the_author_then_texts_of_the_page() -> None:
    seen = page(
        """
        - paragraph [ref=e1]: Order 1001
        - paragraph [ref=e2]: "{carrier}"
        - paragraph [ref=e3]: my wonder-land-7
        - textbox "Note" [ref=e4]: typed before
        - combobox "Carrier" [ref=e5]:
          - option "DHL" [selected]
        """
    )
    made = values_offered(
        ("carrier",),
        ('Type "T-1" into "Number"', "Write {carrier} first", 'Say "Hello {carrier}"'),
        seen.nodes,
        lambda text: text.replace("wonder-land-7", "[secret:pw]"),
        50,
    )
    assert [(value.label, value.authored) for value in made] == [
        ("{carrier}", True),
        ("T-1", True),
        ("Number", True),
        ("Hello {carrier}", True),
        ("DHL", False),
        ("Order 1001", False),
    ]
    assert made[0].operand == Param(name="carrier")
    assert made[3].operand == Template(parts=(Fixed(value="Hello "), Param(name="carrier")))


@given(st.lists(texts(), max_size=5), st.lists(texts(), max_size=5), st.integers(0, 8))
def test_labels_of_values_are_all_different(sentences: list[str], said: list[str], most: int) -> None:
    nodes = tuple(
        Node(index=at, depth=0, parent=-1, role="paragraph", name="", text=text) for at, text in enumerate(said)
    )
    made = values_offered(("a", "b"), sentences, nodes, plain, most)
    assert len({value.label for value in made}) == len(made)
    assert [value.label for value in made[:2]] == ["{a}", "{b}"]
    assert sum(not value.authored for value in made) <= max(most, 0)

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.candidates import called, soft
from skillnb.rules.roles import CLICKABLES, SOFT_CLICKABLES
from skillnb.rules.tree import contains
from skillnb.terms.observation import Node

_NODES = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.sampled_from(["generic", "heading", "button", "link", "group", "row", "text"]),
        st.sampled_from(["", "A"]),
        st.booleans(),
    ),
    max_size=14,
)


@given(_NODES)
def test_what_reacts_to_a_click_is_innermost_and_apart_from_controls(drawn: list[tuple[int, str, str, bool]]) -> None:
    nodes = tuple(
        Node(index=at, depth=depth, parent=-1, role=role, name=name, ref=f"e{at}", clickable=clickable)
        for at, (depth, role, name, clickable) in enumerate(drawn)
    )
    found = soft(nodes)
    reacting = [
        at
        for at, node in enumerate(nodes)
        if node.role in SOFT_CLICKABLES and node.clickable and called(nodes, at) and not _controls(nodes, at)
    ]
    assert set(found) >= {at for at in reacting if not any(_within(nodes, at, other) for other in {*reacting, *found})}
    for at in found:
        assert called(nodes, at)
        assert not _controls(nodes, at)
        assert not any(_within(nodes, at, other) for other in found)


def _controls(nodes: tuple[Node, ...], at: int) -> bool:
    others = (place for place, node in enumerate(nodes) if node.role in CLICKABLES)
    return any(contains(nodes, at, place) or contains(nodes, place, at) for place in others)


def _within(nodes: tuple[Node, ...], outer: int, inner: int) -> bool:
    return outer != inner and contains(nodes, outer, inner)

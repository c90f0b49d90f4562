from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.errors import Undecodable
from skillnb.rules.snapshot import parse_snapshot
from skillnb.terms.observation import Node
from tests.pages import GOLDEN, page, recorded, recorded_text


def by_ref(nodes: tuple[Node, ...], ref: str) -> Node:
    return next(node for node in nodes if node.ref == ref)


ALL_KINDS = recorded("every-kind-of-element").nodes


@pytest.mark.parametrize(
    ("ref", "role", "name", "text"),
    [
        ("e2", "heading", 'He said: "hi" & it\'s', ""),
        ("e4", "paragraph", "", "- dash text"),
        ("e5", "paragraph", "", '"quoted"'),
        ("e11", "paragraph", "", "[ref=e1] fake"),
        ("e12", "paragraph", "", "a \\ back"),
        ("e14", "paragraph", "", "emoji 😀 قائمة 日本"),
        ("e15", "button", "Save: now", ""),
        ("e16", "button", 'Say "hi"', ""),
        ("e18", "button", "[x]", ""),
        ("e24", "button", "x y", "z"),
        ("e26", "button", "back\\slash", ""),
        ("e30", "textbox", "User", "a: b"),
        ("e32", "textbox", "Both", '"q"'),
        ("e39", "searchbox", "s", "find"),
        ("e46", "textbox", "ta", "line 1 line 2: x"),
        ("e69", "link", "link bold tail", ""),
        ("e70", "link", "Pic", ""),
        ("e81", "row", "pick Interns Interns 5: x", ""),
        ("e84", "cell", "Interns", ""),
        ("e90", "listitem", "q and text", ""),
        ("e94", "heading", "Advanced (Show)", ""),
        ("e102", "button", "ah", "ah"),
    ],
)
def test_parse_snapshot_reads_each_spelling(ref: str, role: str, name: str, text: str) -> None:
    node = by_ref(ALL_KINDS, ref)
    assert (role, name, text) == (node.role, node.name, node.text)


def test_parse_snapshot_reads_states() -> None:
    assert by_ref(ALL_KINDS, "e19").disabled
    assert by_ref(ALL_KINDS, "e20").expanded
    assert not by_ref(ALL_KINDS, "e21").expanded
    assert by_ref(ALL_KINDS, "e22").pressed == "true"
    assert by_ref(ALL_KINDS, "e23").pressed == "mixed"
    assert [by_ref(ALL_KINDS, ref).checked for ref in ("e34", "e35", "e37")] == ["true", "", "mixed"]
    assert by_ref(ALL_KINDS, "e51").selected
    assert by_ref(ALL_KINDS, "e94").level == 3
    assert by_ref(ALL_KINDS, "e1").active
    assert by_ref(ALL_KINDS, "e32").placeholder == "ph: x"
    assert by_ref(ALL_KINDS, "e95").url == "#"
    assert by_ref(ALL_KINDS, "e66").clickable


def test_the_hand_pointer_is_taken_over_from_the_element_around() -> None:
    assert by_ref(ALL_KINDS, "e71").clickable
    assert not by_ref(ALL_KINDS, "e25").clickable


def test_options_of_a_closed_select_have_no_ref() -> None:
    at = by_ref(ALL_KINDS, "e49").index
    options = [node for node in ALL_KINDS if node.parent == at]
    printed = [(node.name, node.ref, node.selected) for node in options]
    assert printed == [("One", "", False), ("Two: x", "", True), ("Three", "", False)]
    assert options[2].disabled


def test_frames_are_told_apart() -> None:
    frames = {ref: by_ref(ALL_KINDS, ref).frame for ref in ("e99", "f1e2", "f1e3", "f3e2", "f2e2", "e103")}
    assert frames == {"e99": "", "f1e2": "f1", "f1e3": "f1", "f3e2": "f3", "f2e2": "f2", "e103": ""}


def test_the_top_frame_is_empty_although_its_refs_carry_a_prefix() -> None:
    assert {node.frame for node in recorded("django-admin-5.2-group-list").nodes} == {""}


def test_names_are_put_together_from_descendants() -> None:
    nodes = recorded("django-admin-3.2-flat-page-add").nodes
    assert next(node.name for node in nodes if node.level == 2) == "Advanced options (Show)"
    rows = [node.name for node in recorded("django-admin-5.2-group-list").nodes if node.role == "row"]
    assert rows[-2:] == [
        "Select this object for an action - Interns Interns",
        "Select this object for an action - Moderators Moderators",
    ]


def test_an_empty_text_is_an_empty_page() -> None:
    assert parse_snapshot("") == ()


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.txt")))
def test_every_recorded_page_is_read_whole(name: str) -> None:
    text = recorded_text(name)
    printed = set(re.findall(r"\[ref=(\w+)\]", text.replace("[ref=e1] fake", "")))
    assert printed == {node.ref for node in parse_snapshot(text) if node.ref}


@pytest.mark.parametrize(
    ("text", "field_name"),
    [
        ("generic", "indent"),
        (" - generic", "indent"),
        ("- generic\n  - text: x", "indent"),
        ("- generic:\n    - text: x", "indent"),
        ('- \'button "a: b"', "key"),
        ("- 'button \"a\" x'", "key"),
        ('- button "a', "name"),
        ('- button "a" what', "key"),
        ("- 7", "role"),
        ('- text: "a', "text"),
        ('- text: "\\q"', "text"),
        ("- /url: x", "property"),
    ],
)
def test_what_the_printer_never_writes_is_refused_with_its_line(text: str, field_name: str) -> None:
    with pytest.raises(Undecodable, match=f"snapshot line \\d: field {field_name}"):
        parse_snapshot(text)


def test_unknown_attributes_are_passed_over() -> None:
    node = page('- button "Go" [aria-hidden] [box=1,2,3,4] [ref=e1]').nodes[0]
    assert (node.role, node.name, node.ref) == ("button", "Go", "e1")


# The printer's rules, to read back what they print.


@dataclass
class Tree:
    role: str
    name: str = ""
    text: str | None = None
    attributes: tuple[str, ...] = ()
    url: str | None = None
    children: list[Tree | str] = field(default_factory=list)


def needs_quotes(text: str) -> bool:
    return bool(
        not text
        or re.search(r"^\s|\s$", text)
        or re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text)
        or text.startswith("-")
        or re.search(r"[\n:](\s|$)", text)
        or re.search(r"\s#", text)
        or re.search(r"[\n\r]", text)
        or re.search(r"""^[&*\],?!>|@"'#%\[]""", text)
        or re.search(r"[{}`]", text)
        or re.fullmatch(r"[-+]?[\d.]+(e\d+)?|true|false|null|yes|no|on|off|y|n|~", text, re.IGNORECASE)
    )


def printed_value(text: str) -> str:
    if not needs_quotes(text):
        return text
    short = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

    def escape(match: re.Match[str]) -> str:
        return short.get(match[0], f"\\x{ord(match[0]):02x}")

    return '"' + re.sub(r'[\\"\x00-\x1f\x7f-\x9f]', escape, text) + '"'


def printed(tree: Tree, depth: int = 0) -> list[str]:
    key = tree.role + (" " + json.dumps(tree.name, ensure_ascii=False) if tree.name else "")
    key += "".join(f" [{attribute}]" for attribute in tree.attributes)
    if needs_quotes(key):
        key = "'" + key.replace("'", "''") + "'"
    lead, inner = "  " * depth + "- ", "  " * (depth + 1) + "- "
    if tree.text is None and tree.url is None and not tree.children:
        return [lead + key]
    if tree.text is not None and tree.url is None:
        return [f"{lead}{key}: {printed_value(tree.text)}"]
    lines = [f"{lead}{key}:"]
    lines += [f"{inner}/url: {printed_value(tree.url)}"] if tree.url is not None else []
    lines += [f"{inner}text: {printed_value(tree.text)}"] if tree.text is not None else []
    for child in tree.children:
        lines += [f"{inner}text: {printed_value(child)}"] if isinstance(child, str) else printed(child, depth + 1)
    return lines


def read_back(nodes: tuple[Node, ...], at: int) -> Tree:
    node = nodes[at]
    inside = [child for child in nodes if child.parent == at]
    children = [child.text if child.role == "text" else read_back(nodes, child.index) for child in inside]
    states = [f"ref={node.ref}"] if node.ref else []
    states = (["disabled"] if node.disabled else []) + ([f"level={node.level}"] if node.level else []) + states
    return Tree(node.role, node.name, node.text or None, tuple(states), node.url or None, children)


words = st.text(
    st.one_of(
        st.sampled_from("ab1:-#\"'[]{}\\/ é日😀\t"), st.characters(exclude_categories=["Cs"], exclude_characters="\n")
    ),
    min_size=1,
    max_size=12,
)
states = st.sampled_from([(), ("ref=e7",), ("disabled", "ref=e8"), ("level=2", "ref=f1e3"), ("disabled",)])


def trees() -> st.SearchStrategy[Tree]:
    roles = st.sampled_from(["generic", "group", "paragraph", "navigation", "table"])
    leaves = st.builds(
        Tree, role=roles, name=st.just("") | words, text=st.none() | words, attributes=states, url=st.none() | words
    )
    return st.recursive(
        leaves,
        lambda inner: st.builds(
            Tree,
            role=roles,
            name=st.just("") | words,
            attributes=states,
            url=st.none() | words,
            children=st.lists(inner, min_size=1, max_size=3).map(lambda found: [*found, "tail"]),
        ),
        max_leaves=12,
    )


@given(trees())
def test_what_is_printed_by_the_rules_is_read_back(tree: Tree) -> None:
    assert tree == read_back(parse_snapshot("\n".join(printed(tree))), 0)


@given(st.text(st.sampled_from("- abc:\"'[]=\\\n/xref"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        nodes = parse_snapshot(text)
    except Undecodable:
        return
    assert [node.index for node in nodes] == list(range(len(nodes)))
    assert all(node.parent < node.index for node in nodes)

"""Playwright's accessibility snapshot (``aria_snapshot(mode="ai")``) to nodes.

The text looks like YAML but is written by one known printer, so it is read by its rules and nothing more: two blanks
per level, ``- role "name" [attribute] [attribute=value]``, then nothing, ``:`` (children follow) or ``: text``. A key
that holds special characters stands in single quotes with ``'`` doubled, a text in double quotes with backslash
escapes. Attributes this reader does not know are passed over; structure it does not know is refused.

What the printer leaves out and what is done about it:

* a name that the printed descendants repeat: put together from them again, for roles named from content;
* names over 900 characters, with the content they came from: lost, the node stays unnamed;
* the handle (``ref``) of elements without a box or with ``pointer-events: none``: the node has an empty ``ref``;
* the hand pointer of elements inside one that has it: taken over from there.

After a navigation the refs of the top frame carry a prefix too, so frames are told apart by their ``iframe``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace

from skillnb.errors import Undecodable
from skillnb.rules.roles import FIELDS, NAMED_FROM_CONTENT
from skillnb.rules.tree import children, joined, selected_options
from skillnb.terms.observation import Node, Observation, Recorded

__all__ = ["parse_snapshot", "replayed"]

_LINE = re.compile(r"( *)- (.*)", re.DOTALL)
_ROLE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_ATTRIBUTE = re.compile(r" \[([a-z-]+)(?:=([^\]\s]*))?\]")
_PROPERTY = re.compile(r"/([a-z]+):(?: (.*))?", re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|.)", re.DOTALL)
_FRAME_PREFIX = re.compile(r"((?:f\d+)*)e\d+")
_ESCAPES = {"\\": "\\", '"': '"', "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_STRING = json.JSONDecoder(strict=False)
_OBJECT_STATES = ("checked", "pressed")
_FLAG_STATES = ("disabled", "expanded", "selected", "active")


@dataclass
class _Draft:
    depth: int
    parent: int
    role: str
    name: str = ""
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    open: bool = False


def parse_snapshot(text: str) -> tuple[Node, ...]:
    """The nodes in document order; raises Undecodable naming the line. An empty text is an empty page."""
    drafts: list[_Draft] = []
    path: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line:
            _read_line(line, f"snapshot line {number}", drafts, path)
    return _named(_framed(_nodes(_folded_text(drafts))))


def _read_line(line: str, where: str, drafts: list[_Draft], path: list[int]) -> None:
    match = _LINE.fullmatch(line)
    if match is None or len(match[1]) % 2:
        raise Undecodable(where=where, field="indent", problem="not `- ` after an even number of blanks", found=line)
    depth, rest = len(match[1]) // 2, match[2]
    if depth > len(path) or (depth and not drafts[path[depth - 1]].open):
        raise Undecodable(where=where, field="indent", problem="deeper than its parent allows", found=line)
    del path[depth:]
    above = path[-1] if path else -1
    if rest.startswith("/"):
        found = _PROPERTY.fullmatch(rest)
        if found is None or above < 0:
            raise Undecodable(where=where, field="property", problem="not `/name: value` of an element", found=line)
        drafts[above].properties[found[1]] = _value(found[2] or "", where)
        return
    drafts.append(_element(rest, depth, above, where))
    path.append(len(drafts) - 1)


def _element(rest: str, depth: int, above: int, where: str) -> _Draft:
    if rest.startswith("'"):
        key, rest = _quoted_key(rest, where)
        draft, left = _key(key, depth, above, where)
        if left:
            raise Undecodable(where=where, field="key", problem="text after the attributes", found=left)
    else:
        draft, rest = _key(rest, depth, above, where)
    if rest == ":":
        draft.open = True
    elif rest.startswith(": "):
        draft.text = _value(rest[2:], where)
    elif rest:
        raise Undecodable(where=where, field="key", problem="neither end, `:` nor `: text` after the key", found=rest)
    return draft


def _quoted_key(rest: str, where: str) -> tuple[str, str]:
    match = re.match(r"'((?:[^']|'')*)'(?!')", rest, re.DOTALL)
    if match is None:
        raise Undecodable(where=where, field="key", problem="single quote is not closed", found=rest)
    return match[1].replace("''", "'"), rest[match.end() :]


def _key(key: str, depth: int, above: int, where: str) -> tuple[_Draft, str]:
    match = _ROLE.match(key)
    if match is None:
        raise Undecodable(where=where, field="role", problem="an element starts with its role", found=key)
    draft, at = _Draft(depth=depth, parent=above, role=match[0]), match.end()
    if key.startswith(' "', at):
        try:
            draft.name, at = _STRING.raw_decode(key, at + 1)
        except json.JSONDecodeError as error:
            raise Undecodable(where=where, field="name", problem=error.msg, found=key) from None
    while (attribute := _ATTRIBUTE.match(key, at)) is not None:
        draft.attributes[attribute[1]] = "true" if attribute[2] is None else attribute[2]
        at = attribute.end()
    return draft, key[at:]


def _value(text: str, where: str) -> str:
    if not text.startswith('"'):
        return text
    match = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    if match is None:
        raise Undecodable(where=where, field="text", problem="double quote is not closed", found=text)
    return _ESCAPE.sub(lambda found: _unescaped(found[1], where), match[1])


def _unescaped(escape: str, where: str) -> str:
    if escape in _ESCAPES:
        return _ESCAPES[escape]
    if len(escape) == 3:
        return chr(int(escape[1:], 16))
    raise Undecodable(where=where, field="text", problem="unknown escape", found="\\" + escape)


def _folded_text(drafts: list[_Draft]) -> list[_Draft]:
    """A sole text child is the element's own text: the printer sets it apart only where properties come first."""
    count: dict[int, int] = {}
    for draft in drafts:
        count[draft.parent] = count.get(draft.parent, 0) + 1
    kept: list[_Draft] = []
    place: dict[int, int] = {-1: -1}
    for index, draft in enumerate(drafts):
        if draft.role == "text" and draft.parent >= 0 and count[draft.parent] == 1 and not draft.open:
            kept[place[draft.parent]].text = draft.text
            continue
        place[index] = len(kept)
        draft.parent = place[draft.parent]
        kept.append(draft)
    return kept


def _nodes(drafts: list[_Draft]) -> list[Node]:
    nodes: list[Node] = []
    for index, draft in enumerate(drafts):
        have = draft.attributes
        level = have.get("level", "0")
        ref = have.get("ref", "")
        hand = (have.get("cursor") == "pointer") or (draft.parent >= 0 and nodes[draft.parent].clickable)
        nodes.append(
            Node(
                index=index,
                depth=draft.depth,
                parent=draft.parent,
                role=draft.role,
                name=draft.name,
                text=draft.text,
                ref=ref,
                url=draft.properties.get("url", ""),
                placeholder=draft.properties.get("placeholder", ""),
                level=int(level) if level.isascii() and level.isdigit() else 0,
                clickable=hand and draft.role != "iframe",
                **{state: have.get(state, "") for state in _OBJECT_STATES},  # type: ignore[arg-type]
                **{state: state in have for state in _FLAG_STATES},  # type: ignore[arg-type]
            )
        )
    return nodes


def _framed(nodes: list[Node]) -> list[Node]:
    framed: list[Node] = []
    for node in nodes:
        above = framed[node.parent] if node.parent >= 0 else None
        if above is None:
            frame = ""
        elif above.role == "iframe":
            frame = _prefix(nodes, node.index) or f"in {above.ref or above.index}"
        else:
            frame = above.frame
        framed.append(replace(node, frame=frame))
    return framed


def _prefix(nodes: list[Node], at: int) -> str:
    match = _FRAME_PREFIX.fullmatch(nodes[at].ref)
    return match[1] if match else ""


def _named(nodes: list[Node]) -> tuple[Node, ...]:
    """Bottom up, so that a row is named by cells that are themselves named by their links."""
    needed = [False] * len(nodes)
    for node in nodes:
        if node.parent >= 0:
            above = nodes[node.parent]
            needed[node.index] = needed[node.parent] or (above.role in NAMED_FROM_CONTENT and not above.name)
    said = [""] * len(nodes)
    for at in range(len(nodes) - 1, -1, -1):
        node = nodes[at]
        unnamed = node.role in NAMED_FROM_CONTENT and not node.name
        if not (unnamed or needed[at]):
            continue
        content = node.text or joined(said[child] for child in children(nodes, at))
        if unnamed and content:
            node = nodes[at] = replace(node, name=content)
        said[at] = _contribution(nodes, at, node, content)
    return tuple(nodes)


def _contribution(nodes: list[Node], at: int, node: Node, content: str) -> str:
    """What a descendant adds to a name made from content: of a field its value, else its name, else its own content."""
    if node.role in FIELDS:
        chosen = selected_options(nodes, at)
        return node.text if chosen is None else joined(chosen)
    return node.name or content


def replayed(recorded: Recorded) -> Observation:
    """The observation as it was when it was kept; raises Undecodable where ``parse_snapshot`` does."""
    values = {read.ref: read.value for read in recorded.values}
    nodes = parse_snapshot(recorded.snapshot) if recorded.snapshot else ()
    return Observation(
        url=recorded.url,
        title="",
        nodes=tuple(replace(node, value=values[node.ref]) if node.ref in values else node for node in nodes),
        responses=recorded.responses,
        files=recorded.files,
        settled=recorded.settled,
    )

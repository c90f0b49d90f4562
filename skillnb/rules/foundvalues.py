"""Values of one run in a recording: typed, chosen, uploaded. They become parameters; a secret's is forgotten."""

from __future__ import annotations

import ast
import builtins
import datetime
import json
import keyword
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from skillnb.rules.recordedcalls import Event, Kind, Link, literal_text
from skillnb.terms.workflow import Parameter, ParameterType

__all__ = ["field_name", "Found", "found_values", "may_be_named", "recorded_value", "texts_of"]

_SECRET = re.compile(
    r"pass(?:word|wort|phrase|code|wd)|kennwort|mot de passe|contrase|\bpin\b|secret|token|\bapi.?key|\bcv[cv]2?\b"
    r"|security code|one.?time|\botp\b|card.?number",
    re.I,
)
_NO_NUMBER = re.compile(r"phone|mobile|\bzip\b|post.?al|postcode|\bcode\b|account|iban|card|serial|tel\b", re.I)
_INT = re.compile(r"0|[1-9][0-9]{0,8}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_RECORDED = re.compile(r"(?:^|; )recorded as (\"(?:[^\"\\]|\\.)*\")$")
_BOUND = frozenset(
    {"call", "bind", "expect", "fallback", "gate", "page", "params", "quote", "re", "skillnb", "urljoin"}
)
_CSS_NAME = re.compile(r"""#([\w-]+)|\[(?:name|id|aria-label|placeholder|title)=["']?([^"'\]]+)""")
_TYPED = frozenset({"fill", "press_sequentially", "type"})
_KEPT_LENGTH = 80


class Found(NamedTuple):
    parameter: Parameter
    value: str
    """Empty for a secret."""
    line: int
    """Where it was first typed; 0 when the person said that it is one."""
    elsewhere: bool
    """Whether the same text in other places may be taken for this value."""
    nodes: frozenset[int]
    """The literals that hold it, by their identity."""


class _Typed(NamedTuple):
    line: int
    name: str
    node: ast.Constant
    text: str
    method: str


def found_values(
    events: Iterable[Event], start: str, given: Mapping[str, str], secrets: frozenset[str]
) -> tuple[Found, ...]:
    """``given`` are values that the person names, ``secrets`` parameters that are secret whatever their field says."""
    events = tuple(events)
    made: list[Found] = [
        Found(_parameter(name, value, _as_recorded("given", value), "fill", name), value, 0, True, frozenset())
        for name, value in given.items()
    ]
    kept: dict[str, str] = {}
    for typed in _typed(events):
        secret = typed.method in _TYPED and bool(_SECRET.search(typed.name))
        at = _same(made, kept, typed, secret)
        if at is None:
            taken = {found.parameter.name for found in made}
            name = _free(_identifier(typed.name), taken)
            hidden = secret or name in secrets
            help_ = _help(typed, hidden)
            parameter = _parameter(name, typed.text, help_, "secret" if hidden else typed.method, typed.name)
            elsewhere = not hidden and typed.method in _TYPED and _distinctive(typed.text, start, events, typed.line)
            kept[name] = f"{typed.name}\n{typed.text}" if not hidden else typed.text
            made.append(Found(parameter, "" if hidden else typed.text, typed.line, elsewhere, frozenset()))
            at = len(made) - 1
        made[at] = made[at]._replace(nodes=made[at].nodes | {id(typed.node)})
    return tuple(made)


def recorded_value(parameter: Parameter) -> str:
    """What the recording held, as the parameter's help says; empty when it does not."""
    match = _RECORDED.search(parameter.help)
    return str(json.loads(match[1], strict=False)) if match and not parameter.secret else ""


def field_name(chain: tuple[Link, ...]) -> str:
    """How a person would call the element; empty when the locator does not say."""
    for link in reversed(chain):
        if link.method == "get_by_role":
            name = link.text("name") or ""
        elif link.method.startswith("get_by_"):
            name = link.text() or ""
        elif link.method == "locator":
            match = _CSS_NAME.search(link.text() or "")
            name = next(filter(None, match.groups()), "") if match else ""
        else:
            continue
        if name:
            return " ".join(name.split())
    return ""


def texts_of(event: Event) -> Iterator[ast.Constant]:
    """Every text of the event, in the order in which it was written."""
    nodes = [node for link in event.chain for node in (*link.arguments, *(value for _, value in link.named))]
    for node in (*nodes, *event.arguments, *(value for _, value in event.named)):
        for inner in ast.walk(node):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                yield inner


def _typed(events: Iterable[Event]) -> Iterator[_Typed]:
    for event in events:
        if event.kind is not Kind.ACT or event.method not in (*_TYPED, "select_option", "set_input_files"):
            continue
        nodes = [*event.arguments[:1], *(value for name, value in event.named if name in ("value", "label", "files"))]
        for node in nodes:
            for item in node.elts if isinstance(node, ast.List | ast.Tuple) else (node,):
                text = literal_text(item)
                if text and isinstance(item, ast.Constant):
                    yield _Typed(event.line, field_name(event.chain), item, text, event.method)


def _same(made: list[Found], kept: Mapping[str, str], typed: _Typed, secret: bool) -> int | None:
    """The same value in a field of the same name, a secret once more, or what the person has named."""
    for at, found in enumerate(made):
        if found.line == 0 and found.value == typed.text and not secret:
            return at
        wanted = typed.text if found.parameter.secret else f"{typed.name}\n{typed.text}"
        if found.parameter.secret in (secret, True) and kept.get(found.parameter.name) == wanted:
            return at
    return None


def _parameter(name: str, text: str, help_: str, method: str, field: str) -> Parameter:
    return Parameter(name=name, type=_type(text, method, field), default="null", required=True, help=help_)


def _type(text: str, method: str, field: str) -> ParameterType:
    if method in ("secret", "set_input_files"):
        return ParameterType.SECRET if method == "secret" else ParameterType.FILE
    if method == "select_option":
        return ParameterType.STRING
    if _DATE.fullmatch(text) and _exists(text):
        return ParameterType.DATE
    return ParameterType.INT if _INT.fullmatch(text) and not _NO_NUMBER.search(field) else ParameterType.STRING


def _exists(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _help(typed: _Typed, hidden: bool) -> str:
    shown = "".join(sign if sign.isprintable() else " " for sign in typed.name.replace('"', "'")[:60])
    where = " ".join(shown.split()) or "a field without a name"
    how = {"select_option": "chosen in", "set_input_files": "uploaded to"}.get(typed.method, "typed into")
    what = "an e-mail address " if _MAIL.fullmatch(typed.text) and not hidden else ""
    said = f"{what}{how} {where}"
    return said if hidden else _as_recorded(said, typed.text)


def _as_recorded(said: str, text: str) -> str:
    if len(text) > _KEPT_LENGTH:
        return said
    return f"{said}; recorded as {json.dumps(text, ensure_ascii=not text.isprintable())}"


def _identifier(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    made = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")[:30].strip("_")
    if not made or made[0].isdigit():
        made = f"value_{made}".rstrip("_")
    return made if may_be_named(made) else f"{made}_value"


def may_be_named(name: str) -> bool:
    """Whether a parameter can have that name: an identifier that hides nothing."""
    plain = re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) is not None
    return plain and not (name in _BOUND or keyword.iskeyword(name) or name in vars(builtins))


def _free(name: str, taken: set[str]) -> str:
    number, free = 2, name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def _distinctive(text: str, start: str, events: Iterable[Event], line: int) -> bool:
    """Long enough not to occur by chance, and not a word that the site had used before it was typed."""
    if len(text) < 3 or "\n" in text:
        return False
    word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.I)
    events = tuple(events)
    typed = {id(each.node) for each in _typed(events)}
    earlier = (node for event in events if event.line < line for node in texts_of(event))
    before = [start, *(node.value for node in earlier if id(node) not in typed)]
    return not any(word.search(str(said)) for said in before)

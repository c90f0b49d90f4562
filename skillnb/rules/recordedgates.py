"""Gates that a recording lets be proposed: what is asserted in it, what a field holds, where an address leads.

Nothing is proposed that might have held before the step as well, such as the sight of what was used next.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from skillnb.rules.recordedcalls import Event, Kind, Link, Remark, literal_text
from skillnb.rules.recordedsteps import Group
from skillnb.rules.recordedwords import address_of
from skillnb.rules.substituting import Substitution

__all__ = ["Gates", "gates_of"]

_IMPORT = "from playwright.async_api import expect"
_TYPES = frozenset({"fill", "type", "press_sequentially"})
_TEXTUAL = frozenset({"textbox", "searchbox", "spinbutton"})
_NAMING = {"get_by_label": "label", "get_by_placeholder": "placeholder", "get_by_text": "text"}
_COMMITTING = _TYPES | {"check", "select_option", "set_input_files", "uncheck"}
_CLAIMS = {"to_contain_text": "contains", "to_have_text": "equals"}


class Gates(NamedTuple):
    pre: str
    post: str
    remarks: tuple[Remark, ...]


def gates_of(group: Group, put: Substitution, before: tuple[Event, ...] = ()) -> Gates:
    """``before`` are assertions that stood before the step."""
    pre = [*_known(group, put), *(_asserted(event, put) for event in before), *_there(group, put)]
    post = [*_done(group, put), *(_asserted(event, put) for event in group.assertions)]
    remarks = [] if post else [Remark(group.acts[-1].line if group.acts else group.events[-1].line, _MISSING)]
    if any(wait.kind == "download" for event in group.events for wait in event.waits):
        told = "the recording does not tell the file's name: say more than * in `gate.file`"
        remarks.append(Remark(group.events[-1].line, told))
    for event in group.events:
        if event.method == "select_option" and event.arguments:
            told = "the recorder writes an option's value, a sentence means its label: they may differ"
            remarks.append(Remark(event.line, told))
        if event.kind is Kind.DIALOG:
            told = f"the recorder writes dismiss whatever was pressed; it is {event.method} here: see that it is right"
            remarks.append(Remark(event.line, told))
    return Gates(_source(pre), _source(post), tuple(remarks))


_MISSING = (
    "gate to be written: nothing in the recording shows what must be true afterwards; until then runs stay unverified"
)


def _source(lines: list[str]) -> str:
    unique = list(dict.fromkeys(lines))
    imports = [_IMPORT] if any("expect(" in line for line in unique) else []
    imports += ["import re"] if any("re.compile(" in line for line in unique) else []
    imports += ["from urllib.parse import quote"] if any("quote(" in line for line in unique) else []
    return "\n".join([*imports, *unique])


def _known(group: Group, put: Substitution) -> Iterator[str]:
    first = next(iter(group.acts), None)
    if first is not None and first.method != "goto" and first.window == "page":
        line = first.line
        pattern = _pattern(group.known)
        if pattern:
            yield f"await gate.url({put.gate(pattern, line, address=True)})"


def _there(group: Group, put: Substitution) -> Iterator[str]:
    """The element that the step acts on first. A file field is often hidden behind a button."""
    first = next((event for event in group.acts if event.chain), None)
    if first is None or first is not group.acts[0] or first.method == "set_input_files":
        return
    found = _criteria(first.chain, put, first.line)
    if found is not None:
        yield f"await gate.visible({found})"
    else:
        yield f"await expect({put.locator(first.window, first.chain, first.line)}).to_be_visible()"


def _done(group: Group, put: Substitution) -> Iterator[str]:
    last = {put.locator(each.window, each.chain, each.line): each for each in group.acts if each.method in _COMMITTING}
    for locator, event in last.items():
        yield from _committed(event, locator, put)
    for event in group.acts:
        if event.method == "goto" and event.window == "page":
            pattern = _pattern(event.value or "")
            if pattern:
                yield f"await gate.url({put.gate(pattern, event.line, address=True)})"
        if any(wait.kind == "download" for wait in event.waits):
            yield 'await gate.file("*", min_size=1)'
        found = _criteria(event.chain, put, event.line) if group.optional else None
        if found is not None:
            yield f"await gate.absent({found})"


def _committed(event: Event, locator: str, put: Substitution) -> Iterator[str]:
    """What the field holds now. A choice is read back by its value: its label is not in the recording."""
    found = _criteria(event.chain, put, event.line)
    field = found if found is not None and "text=" not in found else None
    node = next(iter(event.arguments), None)
    if event.method in _TYPES and node is not None:
        value = put.value(node, event.line)
        text = literal_text(node)
        if field is not None and (text or event.method == "fill"):
            yield f"await gate.value({field}, equals={value})"
        elif text:
            yield f"await expect({locator}).to_have_value({put.code(node, event.line)})"
    elif event.method in ("check", "uncheck"):
        ticked = event.method == "check"
        if field is not None:
            yield f"await gate.value({field}, checked={ticked})"
        else:
            yield f"await expect({locator}).{'to_be_checked' if ticked else 'not_to_be_checked'}()"
    elif event.method == "select_option" and literal_text(node) is not None and node is not None:
        yield f"await expect({locator}).to_have_value({put.code(node, event.line)})"
    elif event.method == "set_input_files" and literal_text(node) is not None and node is not None:
        name = put.code(node, event.line)
        files = f'{locator}.evaluate("element => [...element.files].map(file => file.name)")'
        yield f'assert await {files} == [str({name}).replace("\\\\", "/").split("/")[-1]]'


def _asserted(event: Event, put: Substitution) -> str:
    """As a gate where that says the same; else as it was recorded."""
    found = _criteria(event.chain, put, event.line)
    value = next(iter(event.arguments), None)
    plain = not event.named
    if event.method in ("to_have_url", "wait_for_url") and plain and event.value is not None:
        pattern = _pattern(event.value)
        if pattern and event.window == "page":
            return f"await gate.url({put.gate(pattern, event.line, address=True)})"
    elif event.method == "to_be_visible" and plain and found is not None:
        return f"await gate.visible({found})"
    elif event.method in ("to_be_hidden", "not_to_be_visible") and plain and found is not None:
        return f"await gate.absent({found})"
    elif event.method in _CLAIMS and plain and event.value:
        place = _text_place(event.chain, put, event.line)
        if place is not None:
            return f"await gate.text({place}{_CLAIMS[event.method]}={put.gate(event.value, event.line)})"
    elif event.method == "to_have_value" and plain and event.value and found is not None and _is_textual(event.chain):
        return f"await gate.value({found}, equals={put.value(value, event.line) if value else ''})"
    elif (
        event.method in ("to_be_checked", "not_to_be_checked") and plain and found is not None and "text=" not in found
    ):
        return f"await gate.value({found}, checked={event.method == 'to_be_checked'})"
    if event.method == "wait_for_url":
        return f"await {put.call(event)}"
    where = put.locator(event.window, event.chain, event.line)
    given = [put.code(node, event.line) for node in event.arguments]
    given += [f"{name}={put.code(node, event.line)}" for name, node in event.named]
    return f"await expect({where}).{event.method}({', '.join(given)})"


def _criteria(chain: tuple[Link, ...], put: Substitution, line: int) -> str | None:
    """The one naming link of a locator as arguments of a gate; None for anything that says more or less."""
    if len(chain) != 1:
        return None
    link = chain[0]
    named = dict(link.named)
    exact = ", exact=True" if "exact" in named and ast.unparse(named["exact"]) == "True" else ""
    if set(named) - {"name", "exact"} or not link.arguments:
        return None
    if link.method == "get_by_role":
        role, name = link.text(), named.get("name")
        said = _operand(name, put, line) if name is not None else ""
        return f'role="{role}", name={said}{exact}' if role and said else None
    if link.method in _NAMING and "name" not in named:
        said = _operand(link.arguments[0], put, line)
        return f"{_NAMING[link.method]}={said}{exact}" if said else None
    return None


def _operand(node: ast.expr, put: Substitution, line: int) -> str:
    """Empty for a pattern that holds a value: as a gate it would be no data."""
    text = literal_text(node)
    if text is not None:
        return put.gate(text, line) if text.strip() else ""
    said = put.code(node, line) if isinstance(node, ast.Call) else ""
    return "" if "params." in said else said


def _text_place(chain: tuple[Link, ...], put: Substitution, line: int) -> str | None:
    if len(chain) != 1:
        return None
    link = chain[0]
    if link.method == "locator" and link.text() == "body" and not link.named:
        return ""
    if link.method == "get_by_role" and link.text() and not link.named:
        return f'role="{link.text()}", '
    found = _criteria(chain, put, line)
    return f"{found}, " if link.method == "get_by_role" and found is not None and "exact" not in found else None


def _is_textual(chain: tuple[Link, ...]) -> bool:
    return len(chain) == 1 and chain[0].method == "get_by_role" and chain[0].text() in _TEXTUAL


def _pattern(address: str) -> str:
    """``**/path``; a path that ends in ``/`` may lead on. Empty where that would match anything."""
    path = address_of(address)
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if parts.scheme not in ("", "http", "https") or not path.strip("/") or re.search(r"[*\s]", path):
        return ""
    return f"**{path}**" if path.endswith("/") else f"**{path}"

"""One call of a recording: an action, an assertion, an answer to a dialog; or why it can't be taken over."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

__all__ = ["Event", "event_of", "Kind", "Link", "literal_text", "Refused", "Remark", "Wait"]

_ON_ELEMENTS = frozenset(
    {
        "check", "clear", "click", "dblclick", "fill", "focus", "hover", "press", "press_sequentially",
        "scroll_into_view_if_needed", "select_option", "set_checked", "set_input_files", "tap", "type", "uncheck",
    }
)  # fmt: skip
_ON_PAGES = frozenset({"bring_to_front", "close", "go_back", "go_forward", "goto", "reload", "wait_for_url"})
_LEFT_OUT = {
    "pause": "a run waits for nobody",
    "screenshot": "runs take their own",
    "set_viewport_size": "the size of the window is not taken over",
    "wait_for_load_state": "gates wait for what they look for",
    "wait_for_timeout": "gates wait for what they look for",
}
_PROPERTIES = frozenset({"content_frame", "first", "last"})
_LINKS = frozenset(
    {
        "and_", "filter", "frame_locator", "get_by_alt_text", "get_by_label", "get_by_placeholder", "get_by_role",
        "get_by_test_id", "get_by_text", "get_by_title", "locator", "nth", "or_",
    }
)  # fmt: skip
_TAKES_TEXT = {"fill": 1, "goto": 1, "press": 1, "press_sequentially": 1, "type": 1, "wait_for_url": 1}


class Kind(StrEnum):
    ACT = "act"
    ASSERTION = "assertion"
    DIALOG = "dialog"
    WINDOW = "window"
    """A tab that the person opened."""


class Refused(NamedTuple):
    line: int
    reason: str
    remedy: str


class Remark(NamedTuple):
    """What was not taken over as it stood, or has to be looked at. ``line`` of the recording, 0 for the whole."""

    line: int
    text: str


class Wait(NamedTuple):
    kind: str
    """``popup`` or ``download``."""
    window: str
    name: str
    """What the window or file is bound to."""


class Link(NamedTuple):
    """One link of a locator: ``get_by_role("button", name="Save")``, ``nth(1)``, ``first``, ``content_frame``."""

    method: str
    arguments: tuple[ast.expr, ...] = ()
    named: tuple[tuple[str, ast.expr], ...] = ()
    called: bool = True

    def text(self, name: str = "") -> str | None:
        """A literal argument: the first one, or that name's."""
        node = dict(self.named).get(name) if name else next(iter(self.arguments), None)
        return literal_text(node)


class Event(NamedTuple):
    """``method`` is Playwright's; of a dialog ``accept`` or ``dismiss``."""

    kind: Kind
    line: int
    window: str
    chain: tuple[Link, ...] = ()
    method: str = ""
    arguments: tuple[ast.expr, ...] = ()
    named: tuple[tuple[str, ast.expr], ...] = ()
    waits: tuple[Wait, ...] = ()

    @property
    def value(self) -> str | None:
        return literal_text(self.arguments[0]) if self.arguments else None


def literal_text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def event_of(call: ast.Call, windows: frozenset[str], waits: tuple[Wait, ...]) -> Event | Refused | Remark:
    """``windows`` are the names that pages have."""
    function, line = call.func, call.lineno
    if not isinstance(function, ast.Attribute):
        return Refused(line, f"not a recorded action: {ast.unparse(function)[:40]}(...)", "leave it out")
    method, receiver = function.attr, function.value
    if isinstance(receiver, ast.Call) and ast.unparse(receiver.func) == "expect" and receiver.args:
        asserted = _located(receiver.args[0], windows)
        if isinstance(asserted, Refused):
            return asserted
        bad = _bad(call, windows)
        if bad is not None:
            return bad
        return Event(Kind.ASSERTION, line, *asserted, method, tuple(call.args), _named(call))
    place = _located(receiver, windows)
    if isinstance(place, Refused):
        return place
    window, chain = place
    if method == "once" and not chain:
        return _dialog(call, window)
    if not chain and method in _LEFT_OUT:
        return Remark(line, f"{method} is left out: {_LEFT_OUT[method]}")
    bad = _bad(call, windows)
    if bad is not None:
        return bad
    return _action(call, method, window, chain, waits)


def _action(
    call: ast.Call, method: str, window: str, chain: tuple[Link, ...], waits: tuple[Wait, ...]
) -> Event | Refused:
    line, arguments, named = call.lineno, tuple(call.args), _named(call)
    if method in _ON_ELEMENTS and not chain and literal_text(next(iter(arguments), None)) is not None:
        chain, arguments = (Link("locator", arguments[:1]),), arguments[1:]
    if method not in (_ON_ELEMENTS if chain else _ON_PAGES):
        known = ", ".join(sorted(_ON_ELEMENTS if chain else _ON_PAGES))
        return Refused(line, f"the action {method} is not one that is recorded", f"those are {known}")
    if len(arguments) < _TAKES_TEXT.get(method, 0):
        return Refused(line, f"{method} without what to {method}", "record it again")
    if method in ("fill", "press", "press_sequentially", "type", "goto") and literal_text(arguments[0]) is None:
        return Refused(line, f"the value of {method} is no plain text", "write the text; it becomes a parameter")
    kind = Kind.ASSERTION if method == "wait_for_url" else Kind.ACT
    return Event(kind, line, window, chain, method, arguments, named, waits)


def _dialog(call: ast.Call, window: str) -> Event | Refused:
    handler = call.args[1] if len(call.args) == 2 else None
    body = handler.body if isinstance(handler, ast.Lambda) else None
    answer = body.func.attr if isinstance(body, ast.Call) and isinstance(body.func, ast.Attribute) else ""
    if literal_text(call.args[0] if call.args else None) != "dialog" or answer not in ("accept", "dismiss"):
        remedy = 'only page.once("dialog", lambda dialog: dialog.dismiss()), or accept, is understood'
        return Refused(call.lineno, "not an answer to a dialog", remedy)
    bad = _bad(body, frozenset()) if isinstance(body, ast.Call) else None
    if bad is not None:
        return bad
    arguments = tuple(body.args) if isinstance(body, ast.Call) else ()
    return Event(Kind.DIALOG, call.lineno, window, method=answer, arguments=arguments)


def _located(node: ast.expr, windows: frozenset[str]) -> tuple[str, tuple[Link, ...]] | Refused:
    """The window and the links from it on."""
    links: list[Link] = []
    while not isinstance(node, ast.Name):
        function = node.func if isinstance(node, ast.Call) else node
        if not isinstance(function, ast.Attribute):
            return Refused(node.lineno, "an element that is not found by a locator", "name it as the recorder does")
        if isinstance(node, ast.Call) and function.attr in _LINKS:
            bad = _bad(node, windows)
            if bad is not None:
                return bad
            links.append(Link(function.attr, tuple(node.args), _named(node)))
        elif node is function and function.attr in _PROPERTIES:
            links.append(Link(function.attr, called=False))
        else:
            known = ", ".join(sorted(_LINKS | _PROPERTIES))
            return Refused(node.lineno, f"{function.attr} is no part of a locator", f"those are {known}")
        node = function.value
    if node.id not in windows:
        return Refused(node.lineno, f"{node.id} is no window of the recording", "begin it with `page`")
    return node.id, tuple(reversed(links))


def _named(call: ast.Call) -> tuple[tuple[str, ast.expr], ...]:
    return tuple((keyword.arg or "", keyword.value) for keyword in call.keywords)


def _bad(call: ast.Call, windows: frozenset[str]) -> Refused | None:
    """The first argument that is no data."""
    if any(keyword.arg is None for keyword in call.keywords):
        return Refused(call.lineno, "arguments are unpacked", "write them out")
    nodes = (*call.args, *(keyword.value for keyword in call.keywords))
    return next(filter(None, (_bad_value(node, windows) for node in nodes)), None)


def _bad_value(node: ast.expr, windows: frozenset[str]) -> Refused | None:
    """Why it is neither a literal, a pattern, nor another locator."""
    inner: list[ast.expr] = []
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and any("\ud800" <= letter <= "\udfff" for letter in node.value):
            return Refused(node.lineno, "a text holds half a character (a lone surrogate)", "write the whole one")
        if not isinstance(node.value, str | int | float | bool | None):
            return Refused(node.lineno, f"a {type(node.value).__name__} is no value of a recording", "write text")
    elif isinstance(node, ast.List | ast.Tuple):
        inner = node.elts
    elif isinstance(node, ast.Dict) and None not in node.keys:
        inner = [*(key for key in node.keys if key is not None), *node.values]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = [node.operand]
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
        if node.keywords or not node.args or literal_text(node.args[0]) is None or not all(_flags(node.args[1:])):
            return Refused(node.lineno, "a pattern that is not written out", 'write re.compile(r"...")')
        inner = node.args[:1]
    elif isinstance(node, ast.Call | ast.Attribute) and _root(node) in windows:
        found = _located(node, windows)
        return found if isinstance(found, Refused) else None
    else:
        return Refused(node.lineno, "a value is computed", "write the value; it becomes a parameter")
    return next(filter(None, (_bad_value(each, windows) for each in inner)), None)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Call | ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _flags(nodes: list[ast.expr]) -> Iterator[bool]:
    yield len(nodes) <= 1
    for node in nodes:
        yield all(part in ("re", "|") or part.startswith("re.") for part in ast.unparse(node).split())

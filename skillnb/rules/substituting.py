"""Texts of a recording with parameters in place of its values, as code, gates and sentences write them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import quote, quote_plus

from skillnb.rules.foundvalues import Found
from skillnb.rules.recordedcalls import Event, Link
from skillnb.terms.workflow import ParameterType

__all__ = ["Substitution"]

_BEFORE = r"(?<![\w@.-])"
_AFTER = r"(?![\w@-]|\.\w)"
_TEXT = frozenset({ParameterType.STRING, ParameterType.ENUM, ParameterType.FILE, ParameterType.SECRET})


class _Piece(NamedTuple):
    text: str
    found: Found | None = None


class Substitution:
    """Of the values ``found``. A value stands for itself in texts written after it was typed, as a whole word."""

    def __init__(self, found: Sequence[Found]) -> None:
        self._found = found

    def named(self, node: ast.expr) -> Found | None:
        """The value that a literal is, by its place."""
        return next((found for found in self._found if id(node) in found.nodes), None)

    def code(self, node: ast.expr, line: int, *, address: bool = False) -> str:
        """The argument as source."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            own = self.named(node)
            if own is not None:
                return _param(own)
            pieces = self._pieces(node.value, line, address=address)
            return _written(pieces, _quoted if address else _plain)
        if isinstance(node, ast.List | ast.Tuple):
            inner = ", ".join(self.code(item, line) for item in node.elts)
            return f"[{inner}]"
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            return "{" + ", ".join(f"{self.code(k, line)}: {self.code(v, line)}" for k, v in pairs if k) + "}"
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
            return self._pattern(node, line)
        if isinstance(node, ast.Call | ast.Attribute):
            return self._nested(node, line)
        return ast.unparse(node)

    def locator(self, window: str, chain: Sequence[Link], line: int) -> str:
        return window + "".join(self._link(link, line) for link in chain)

    def call(self, event: Event) -> str:
        """``page.get_by_label("Title").fill(params.title)``."""
        address = event.method in ("goto", "wait_for_url")
        given = [self.code(node, event.line, address=address) for node in event.arguments]
        given += [f"{name}={self.code(node, event.line)}" for name, node in event.named]
        return f"{self.locator(event.window, event.chain, event.line)}.{event.method}({', '.join(given)})"

    def gate(self, text: str, line: int, *, address: bool = False) -> str:
        """The argument of a gate: a literal, ``params.x`` or an f-string. Of an address, path and query."""
        pieces = self._pieces(text, line, address=address)
        if len(pieces) == 1 and pieces[0].found is not None:
            return f"params.{pieces[0].found.parameter.name}"
        return _written(pieces, lambda found: f"params.{found.parameter.name}")

    def value(self, node: ast.expr, line: int) -> str:
        """What a field holds, as the argument of a gate."""
        own = self.named(node)
        if own is not None:
            return f"params.{own.parameter.name}"
        return self.gate(node.value, line) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""

    def words(self, text: str, line: int, *, address: bool = False) -> str:
        """As a sentence says it: ``Order {order}``."""
        pieces = self._pieces(text, line, address=address)
        said = (f"{{{each.found.parameter.name}}}" if each.found else _without_braces(each.text) for each in pieces)
        return " ".join("".join(said).split())

    def said(self, node: ast.expr, line: int) -> str:
        own = self.named(node)
        if own is not None:
            return f"{{{own.parameter.name}}}"
        return self.words(node.value, line) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""

    def _link(self, link: Link, line: int) -> str:
        """A value is never put into a selector, whose own signs it might hold."""
        if not link.called:
            return f".{link.method}"
        selector = link.method in ("locator", "frame_locator")
        given = [
            _literal(node.value)
            if selector and isinstance(node, ast.Constant) and isinstance(node.value, str)
            else self.code(node, line)
            for node in link.arguments
        ]
        given += [f"{name}={self.code(node, line)}" for name, node in link.named]
        return f".{link.method}({', '.join(given)})"

    def _nested(self, node: ast.expr, line: int) -> str:
        """A locator within a locator."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            link = Link(node.func.attr, tuple(node.args), tuple((k.arg or "", k.value) for k in node.keywords))
            return self._nested(node.func.value, line) + self._link(link, line)
        if isinstance(node, ast.Attribute):
            return f"{self._nested(node.value, line)}.{node.attr}"
        return ast.unparse(node)

    def _pattern(self, node: ast.Call, line: int) -> str:
        source = str(getattr(node.args[0], "value", ""))
        flags = "".join(f", {ast.unparse(flag)}" for flag in node.args[1:])
        pieces = self._pieces(source, line)
        if all(piece.found is None for piece in pieces):
            return f"re.compile({_raw(source)}{flags})"
        return f"re.compile({_written(pieces, lambda found: f're.escape({_param(found)})')}{flags})"

    def _pieces(self, text: str, line: int, *, address: bool = False) -> list[_Piece]:
        forms: dict[str, Found] = {}
        for found in self._found:
            if found.elsewhere and found.line <= line:
                spelt = {found.value}
                spelt |= {quote(found.value, safe=""), quote_plus(found.value)} if address else set()
                forms |= {form: found for form in spelt if form not in forms}
        if not forms:
            return [_Piece(text)]
        longest = sorted(forms, key=len, reverse=True)
        pattern = re.compile(f"{_BEFORE}({'|'.join(map(re.escape, longest))}){_AFTER}")
        parts = pattern.split(text)
        pieces = [_Piece(part, forms[part] if at % 2 else None) for at, part in enumerate(parts)]
        return [piece for piece in pieces if piece.text] or [_Piece("")]


def _without_braces(text: str) -> str:
    """In a sentence they would name a parameter."""
    return text.replace("{", "(").replace("}", ")")


def _param(found: Found) -> str:
    name = f"params.{found.parameter.name}"
    return name if found.parameter.type in _TEXT or found.parameter.type is ParameterType.DATE else f"str({name})"


def _plain(found: Found) -> str:
    return f"params.{found.parameter.name}"


def _quoted(found: Found) -> str:
    name = f"params.{found.parameter.name}"
    return f"quote({name}, safe='')" if found.parameter.type in _TEXT else name


def _written(pieces: Sequence[_Piece], form: Callable[[Found], str]) -> str:
    """A literal, one expression, or an f-string; always with double quotes."""
    if len(pieces) == 1:
        only = pieces[0]
        if only.found is None:
            return _literal(only.text)
        bare = form(only.found)
        return bare if bare.startswith(("re.", "quote(")) or only.found.parameter.type in _TEXT else _param(only.found)
    inner = "".join(
        "{" + form(piece.found) + "}"
        if piece.found
        else _literal(piece.text)[1:-1].replace("{", "{{").replace("}", "}}")
        for piece in pieces
    )
    return f'f"{inner}"'


def _literal(text: str) -> str:
    """Python source in double quotes; what can't be printed is escaped."""
    return '"' + "".join(map(_sign, text)) + '"'


def _sign(sign: str) -> str:
    if sign in ('"', "\\"):
        return "\\" + sign
    if sign.isprintable():
        return sign
    return {"\n": "\\n", "\t": "\\t"}.get(sign) or (
        f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"
    )


def _raw(source: str) -> str:
    return (
        f'r"{source}"' if '"' not in source and not source.endswith("\\") and source.isprintable() else _literal(source)
    )

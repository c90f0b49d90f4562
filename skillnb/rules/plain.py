"""Imperative sentences as people write them, names without quotes, to all the instructions they may be.

    Choose {carrier} in Carrier. Tick Express. Press Save and wait for the confirmation. Open the order {order}.
    Search for 'wireless mouse'. Enter the username 'alice'. Click the log in button. Go to page 2 of the results.
    Set the quantity to 3. Type the customer's email bob@example.com.

Without quotes only the page can tell where a name ends: each way to cut a sentence is a reading, and each reading
accounts for all the words. The whole sentence may be a name, too: ``Select all`` beside the tab ``All``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from skillnb.rules.guidance import KEYS, PLACE_WORD, ROLE, ROLES, Heard
from skillnb.rules.wordsof import MARK
from skillnb.terms.action import Instruction, Verb
from skillnb.terms.gate import Fixed, Operand, Param, Template

__all__ = ["readings_of"]

_ANY_MARK = MARK.replace(r"(\d+)", r"\d+")
_ARTICLE = re.compile(r"^(?:(?:the|a|an|my|your|its|their)\s+)+(?=\S)", re.I)
_FIELD = r"(?:(?:text|search|input|drop-?down) )?(?:field|box|list|drop-?down|menu|input|area)"
_KIND = (
    re.compile(rf"^(?P<rest>\S.*?)\s+(?P<role>{ROLE})$", re.I),
    re.compile(rf"^(?P<role>{ROLE})\s+(?:(?:named|called|labelled)\s+)?(?P<rest>\S.*)$", re.I),
)
_FIELD_KIND = (
    re.compile(rf"^(?P<rest>\S.*?)\s+(?P<role>{_FIELD})$", re.I),
    re.compile(rf"^(?P<role>{_FIELD})\s+(?:(?:named|called|labelled)\s+)?(?P<rest>\S.*)$", re.I),
)
_PLACE = re.compile(r"\s(?:in|on|of|under|within|inside|beside|next to|for|from)\s", re.I)
_ROW = re.compile(r"^(?:the\s+)?(?:row|line|list item)(?:\s+(?:of|for|named|called))?\s+(?P<rest>\S.*)$", re.I)
_PLACE_WORDS = re.compile(
    rf"^(?:the\s+)?(?:{PLACE_WORD}\s+(?P<before>\S.*)|(?P<after>\S.*?)\s+{PLACE_WORD}|(?P<bare>\S.*))$", re.I
)
_PAGE = re.compile(
    r"^(?:go to|open|show|turn to)\s+page\s+(?P<number>\d+|\x02\d+\x03)"
    r"(?:\s+of\s+(?:the\s+)?(?:search\s+)?(?:results?|list|table))?$",
    re.I,
)
_TURN = re.compile(
    r"^(?:go to|open|show|turn to)\s+the\s+(?P<way>next|previous)\s+page(?:\s+of\s+(?:the\s+)?(?:results?|list))?$",
    re.I,
)
_SEARCH = re.compile(
    rf"^(?:search|look)(?:\s+(?:in\s+)?(?P<where>(?!for\b)\S.*?))?\s+for\s+(?P<value>{_ANY_MARK}|[^\x02]+)$", re.I
)
_VALUE_FIRST = re.compile(r"^(?:type|enter|write|put|fill in)\s+(?P<rest>\S.*)$", re.I)
_NAME_FIRST = re.compile(r"^(?:set|fill(?: in)?|change)\s+(?P<rest>\S.*)$", re.I)
_CHOICE = re.compile(r"^(?:choose|select|pick)\s+(?:the option\s+)?(?P<rest>\S.*)$", re.I)
_TICK = re.compile(r"^(?:tick|check|turn on|switch on)\s+(?P<rest>\S.*)$", re.I)
_UNTICK = re.compile(r"^(?:untick|uncheck|turn off|switch off)\s+(?P<rest>\S.*)$", re.I)
_CLICK = re.compile(r"^(?:press|click(?: on)?|follow|tap(?: on)?|hit)\s+(?P<rest>\S.*)$", re.I)
_OPEN = re.compile(r"^(?:open|go to|visit|show|see|view|look at)\s+(?P<rest>\S.*)$", re.I)
_DOUBLE = re.compile(r"^double[- ]?click(?: on)?\s+(?P<rest>\S.*)$", re.I)
_UPLOAD = re.compile(
    rf"^(?:upload|attach)\s+(?:the file\s+)?(?P<value>{_ANY_MARK})\s+(?:to|as|in|into|for)\s+(?P<rest>\S.*)$", re.I
)
_WAIT = re.compile(
    r"^wait\s+(?:for|until)\s+(?:the\s+)?(?:(?:text|message)\s+)?(?P<value>\S.*?)"
    r"(?:\s+(?:to appear|appears|is shown|is visible|shows))?$",
    re.I,
)
_KEY = re.compile(
    rf"^(?:press|hit)\s+(?:the\s+)?(?P<key>{'|'.join(KEYS)})(?:\s+key)?\s+(?:in|on)\s+(?P<rest>\S.*)$", re.I
)
_INTO = re.compile(r"\s(?:in|into|in to|on|for|as)\s", re.I)
_TO = re.compile(r"\s(?:to|with)\s", re.I)
_CHOSEN_IN = re.compile(r"\s(?:in|from|for|as)\s", re.I)
_TRAILING_MARK = re.compile(rf"^(?P<name>\S.*?)(?:\s+(?:to|as|with|of)|:|\s+saying)?\s+(?P<value>{_ANY_MARK})$", re.I)
_VALUE_LIKE = re.compile(r"^(?=[A-Z\d+]|\S*[\d@])\S+(?:\s(?=[A-Z\d+]|\S*[\d@])\S+){0,3}$")
_NO_VALUE = re.compile(rf"^(?:(?!{_ANY_MARK}).)*$")
_ACTION = re.compile(
    r"^(?:accept|add|allow|answer|apply|archive|assign|attach|book|browse|cancel|change|choose|clear|close|comment|complete|"
    r"confirm|continue|copy|create|decline|delete|deselect|dismiss|download|edit|enable|disable|enter|expand|export|fill|"
    r"filter|find|finish|forward|get rid|give|go|hide|import|leave|load|log|look|mark|move|open|pass|pay|pick|place|"
    r"post|print|proceed|publish|put|read|refresh|reject|remove|rename|reply|reserve|reset|restore|save|say|search|see|"
    r"send|share|show|sign|skip|sort|start|stop|submit|subscribe|switch|turn|undo|unsubscribe|update|view|write)\b",
    re.I,
)
"""What a sentence begins with that asks for something to be done on a page."""

_TYPING = re.compile(r"(?:type|enter|put|fill|set)\b", re.I)
"""What to type is then missing."""
_ADDRESS = re.compile(r"\w:/|//")
"""Never part of a name or a value that is not in quotes."""


_PLACED = frozenset({Verb.CHECK, Verb.CLICK, Verb.DOUBLE_CLICK, Verb.UNCHECK})


class _Name(NamedTuple):
    text: str
    role: str


def readings_of(said: Heard, sentence: str) -> tuple[Instruction, ...]:
    """All instructions the sentence may be, best known form first; none where it has no form at all."""
    return tuple(dict.fromkeys(_Cutter(said, sentence).cut()))


class _Cutter:
    def __init__(self, said: Heard, sentence: str) -> None:
        self._said, self._sentence = said, sentence

    def cut(self) -> Iterator[Instruction]:
        text = self._said.read.cased
        if _ADDRESS.search(text):
            return
        known = list(self._known(text))
        yield from known
        if any(item.verb in _PLACED for item in known):
            yield self._made(Verb.CLICK, "", names=(self._operand(text),), certain=False)
        if not known and _ACTION.match(text):
            yield from self._described(text)

    def _known(self, text: str) -> Iterator[Instruction]:
        if match := _PAGE.match(text):
            yield from self._page(match["number"])
        elif match := _TURN.match(text):
            names = ("Next", "Next page") if match["way"].lower() == "next" else ("Previous", "Previous page")
            yield self._made(Verb.CLICK, text, names=tuple(Fixed(value=name) for name in names), certain=False)
        elif match := _SEARCH.match(text):
            where = match["where"] or "search"
            about = where if "search" in where.lower() else f"search {_bare(where)}"
            yield self._made(Verb.FILL, about, value=match["value"], submit=True)
        elif match := _KEY.match(text):
            for name in _named(match["rest"], field=True):
                yield self._made(Verb.PRESS_KEY, name.text, value=KEYS[match["key"].lower()], role=name.role)
        elif match := _UPLOAD.match(text):
            for name in _named(match["rest"], field=True):
                yield self._made(Verb.UPLOAD, name.text, value=match["value"], role=name.role)
        elif match := _WAIT.match(text):
            yield self._made(Verb.WAIT, "", value=match["value"])
        elif match := _VALUE_FIRST.match(text):
            yield from self._typed(match["rest"])
        elif match := _NAME_FIRST.match(text):
            yield from self._set(match["rest"])
        elif match := _CHOICE.match(text):
            yield from self._chosen(match["rest"])
        elif (match := _UNTICK.match(text)) and _NO_VALUE.match(match["rest"]) is not None:
            yield from self._placed(Verb.UNCHECK, match["rest"])
        elif match := _TICK.match(text):
            yield from self._placed(Verb.CHECK, match["rest"])
        elif match := _DOUBLE.match(text):
            yield from self._placed(Verb.DOUBLE_CLICK, match["rest"])
        elif match := _CLICK.match(text) or _OPEN.match(text):
            yield from self._placed(Verb.CLICK, match["rest"])

    def _page(self, number: str) -> Iterator[Instruction]:
        """A page of a list is a link or button of that number, beside others of its kind."""
        names = (self._operand(f"page {number}"), self._operand(number))
        for role in ("link", "button"):
            yield self._made(Verb.CLICK, f"page {number}", names=names, role=role, certain=False)

    def _typed(self, rest: str) -> Iterator[Instruction]:
        for before, after in _cuts(_INTO, rest):
            for name in _named(after, field=True):
                yield self._made(Verb.FILL, name.text, value=before, role=name.role)
                yield from self._scoped(Verb.FILL, name, value=before)
        yield from self._set(rest)

    def _set(self, rest: str) -> Iterator[Instruction]:
        """The name, then the value: after ``to`` or ``with``, in quotes, or plainly not part of the name."""
        if match := _TRAILING_MARK.match(rest):
            for name in _named(match["name"], field=True):
                yield self._made(Verb.FILL, name.text, value=match["value"], role=name.role)
            return
        for before, after in _cuts(_TO, rest):
            for name in _named(before, field=True):
                yield self._made(Verb.FILL, name.text, value=after, role=name.role)
                yield self._made(Verb.SELECT, name.text, value=after, role=name.role)
        words = rest.split(" ")
        for at in range(1, len(words)):
            called, value = " ".join(words[:at]), " ".join(words[at:])
            if _VALUE_LIKE.match(value) and "\x02" not in value and not _TO.search(f"{rest} "):
                yield self._made(Verb.FILL, _bare(called), value=value, certain=False)

    def _chosen(self, rest: str) -> Iterator[Instruction]:
        for before, after in _cuts(_CHOSEN_IN, rest):
            for name in _named(after, field=True):
                yield self._made(Verb.SELECT, name.text, value=_bare(before), role=name.role)
        yield from self._placed(Verb.CHECK, rest)
        yield from self._placed(Verb.CLICK, rest)

    def _placed(self, verb: Verb, rest: str) -> Iterator[Instruction]:
        for name in _named(rest):
            yield self._made(verb, name.text, role=name.role)
            yield from self._scoped(verb, name)

    def _scoped(self, verb: Verb, name: _Name, value: str = "") -> Iterator[Instruction]:
        for what, where in _cuts(_PLACE, name.text):
            row = _ROW.match(where)
            place = _PLACE_WORDS.match(row["rest"] if row else where)
            if place is None:
                continue
            said = place["before"] or place["after"] or place["bare"]
            for inner in _named(what, field=verb in (Verb.FILL, Verb.SELECT)):
                role = inner.role or name.role
                scope = self._operand(_bare(said))
                yield self._made(verb, inner.text, value=value, role=role, scope=scope, row=row is not None)

    def _described(self, text: str) -> Iterator[Instruction]:
        """No known form: the whole sentence describes what is wanted, and nothing but a page can tell what that is."""
        marks = re.findall(_ANY_MARK, text)
        if len(marks) == 1:
            yield self._made(Verb.FILL, " ".join(text.replace(marks[0], " ").split()), value=marks[0])
        elif not marks and len(text.split()) > 1 and not _TYPING.match(text):
            yield self._made(Verb.CLICK, text)

    def _made(
        self,
        verb: Verb,
        about: str,
        *,
        names: tuple[Operand, ...] = (),
        value: str = "",
        role: str = "",
        scope: Operand | None = None,
        row: bool = False,
        certain: bool = True,
        submit: bool = False,
    ) -> Instruction:
        named: tuple[Operand, ...] = names or ((self._operand(about),) if about else ())
        if verb in (Verb.CHECK, Verb.UNCHECK) and role == "row" and scope is None:
            scope, row, named, role, about = named[0], True, (), "", ""
        return Instruction(
            verb=verb,
            sentence=self._sentence,
            target=named,
            scope=scope,
            scope_role="row" if row else "",
            value=self._operand(value) if value else None,
            role=role,
            optional=self._said.optional,
            about=self._operand(about) if about else None,
            certain=certain,
            submit=submit,
            awaited=self._said.awaited,
        )

    def _operand(self, text: str) -> Operand:
        """Words and marks as one operand."""
        parts: list[Fixed | Param] = []
        for at, piece in enumerate(re.split(MARK, text)):
            found: Operand = self._said.read.pieces[int(piece)] if at % 2 else Fixed(value=piece)
            if isinstance(found, Template):
                parts += found.parts
            elif isinstance(found, Param) or (isinstance(found, Fixed) and found.value != ""):
                parts.append(found)
        return parts[0] if len(parts) == 1 else Template(parts=tuple(parts))


def _cuts(at: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    start = 0
    while (match := at.search(text, start)) is not None:
        before, after = text[: match.start()].strip(), text[match.end() :].strip()
        if before and after:
            yield before, after
        start = match.start() + 1


def _bare(text: str) -> str:
    return _ARTICLE.sub("", text.strip())


def _named(text: str, *, field: bool = False) -> Iterator[_Name]:
    """The phrase as a name; where it begins or ends with a kind of element, first as one of that kind."""
    bare = _bare(text)
    for pattern in (*_KIND, *(_FIELD_KIND if field else ())):
        if match := pattern.match(bare):
            yield _Name(_bare(match["rest"]), ROLES.get(match["role"].lower(), ""))
    yield _Name(bare, "")

"""Plain imperative sentences to instructions: one sentence, one action. Whatever is not understood whole is refused.

    Go to "/admin/". Open the link "Users". Press "Save" and wait for the confirmation.
    Follow "Edit" in the row "Interns". Double-click "Editors" in "Available groups".
    Type {username} into "Username". Fill "Username" with {username}.
    Choose {carrier} in "Carrier". Tick "Staff status" in the row {group}. Press Enter in "Search".
    Upload {file} to "Attachment". Wait for "Saved". If "Accept cookies" is shown, press it.

Names stand in quotes, values in quotes or as ``{parameter}``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from skillnb.rules.wordsof import MARK, Skeleton, skeleton
from skillnb.terms.action import Abstain, Instruction, Verb
from skillnb.terms.gate import Fixed, Operand, Param, Template

__all__ = ["as_quoted", "Heard", "heard", "KEYS", "PLACE_WORD", "ROLE", "ROLES", "understand"]

ROLES = {
    "button": "button",
    "link": "link",
    "tab": "tab",
    "menu item": "menuitem",
    "option": "option",
    "check box": "checkbox",
    "checkbox": "checkbox",
    "radio button": "radio",
    "radio": "radio",
    "switch": "switch",
    "heading": "heading",
    "row": "row",
    "search box": "searchbox",
}
KEYS = {
    "enter": "Enter",
    "return": "Enter",
    "tab": "Tab",
    "escape": "Escape",
    "esc": "Escape",
    "space": "Space",
    "backspace": "Backspace",
    "arrow down": "ArrowDown",
    "arrow up": "ArrowUp",
    "arrow left": "ArrowLeft",
    "arrow right": "ArrowRight",
    "page down": "PageDown",
    "page up": "PageUp",
    "home": "Home",
    "end": "End",
}
_VERBS = (
    "go to|open|navigate to|visit|press|click|follow|choose|select|pick|double-?\\s?click|type|enter|fill|write|put|"
    "set|tick|check|untick|uncheck|upload|attach|wait|tap|delete|remove|clear|scroll|hover|drag"
)
ROLE = f"(?:{'|'.join(ROLES)})"
_FIELD = r"(?:the )?(?:(?:text |search )?(?:field|box|area)|list|drop-?down|menu|select)"
PLACE_WORD = r"(?:section|region|list|table|dialog|group|card|panel|form|area|box|part|menu|toolbar|navigation|sidebar)"
_IN = r"(?:in|of|on|under|from|within|inside|next to|beside|for)"
_SCOPE = (
    rf"(?: {_IN} (?:the )?(?:(?P<place_row>row|line|list item)(?: (?:of|for|named|called))? )?"
    rf"(?:{PLACE_WORD} )?(?P<scope>{MARK})(?P<row_after> row)?(?: {PLACE_WORD})?)?"
).replace(r"(\d+)", r"\d+")
_M = MARK.replace(r"(\d+)", r"\d+")
_NAMES = rf"(?P<target>{_M}(?: or {_M})*)"
_INTO = rf"(?:in|into|in to|on|to|for|as)(?: {_FIELD})? (?:the )?(?P<target>{_M})(?: (?:field|box|list))?"
_THEN_WAIT = r"(?:,? (?:and then|and|then)|,|;) (?:then )?wait"
_SHOWN = r"(?:is shown|is visible|is there|appears|shows up|shows)"
_WAITING = re.compile(rf"{_THEN_WAIT}(?: [a-z' ]*)?$", re.I)
_AWAITED = re.compile(
    rf"{_THEN_WAIT} (?:for|until) (?:the )?(?:(?:text|message|page|heading) )?(?P<awaited>{_M})"
    rf"(?: {_SHOWN}| to appear)?$",
    re.I,
)
_TWO = re.compile(rf"(?:,|;|\band\b|\bthen\b) (?:then )?(?:{_VERBS})\b", re.I)
_CONDITION = re.compile(rf"(?:if|when) (?:the )?(?:{ROLE} )?(?P<condition>{_M}) {_SHOWN},? ", re.I)
_PLAIN_CONDITION = re.compile(
    rf"(?:if|when) (?:the |a |an )?(?P<condition>[^\x02]+?) {_SHOWN},? (?P<rest>.+? it)$", re.I
)


class _Form(NamedTuple):
    verb: Verb
    pattern: re.Pattern[str]


def _form(verb: Verb, text: str) -> _Form:
    return _Form(verb, re.compile(text))


_CLICK = r"(?:press|click(?: on)?|follow|tap(?: on)?)"
_VALUE = rf"(?P<value>{_M})"
_NAMED = rf"(?:(?P<role>{ROLE}) )?{_NAMES}(?: (?P<role_after>{ROLE}))?"
_MUST_NAME = rf"(?:(?P<role>{ROLE}) {_NAMES}|{_NAMES.replace('target', 'target_before')} (?P<role_after>{ROLE}))"
_FORMS = (
    _form(Verb.GOTO, rf"(?:go to|open|navigate to|visit)(?: the)?(?: (?:page|address|url))? {_VALUE}"),
    _form(Verb.CLICK, rf"(?:open|choose|select|pick|activate) (?:the )?{_MUST_NAME}{_SCOPE}"),
    _form(Verb.CLICK, rf"{_CLICK} (?:the )?{_NAMED}{_SCOPE}"),
    _form(Verb.CLICK, rf"{_CLICK} the (?P<role>{ROLE}){_SCOPE}"),
    _form(Verb.DOUBLE_CLICK, rf"double[- ]?click(?: on)? (?:the )?{_NAMED}{_SCOPE}"),
    _form(Verb.FILL, rf"(?:type|enter|fill(?: in)?|write|put) {_VALUE} {_INTO}{_SCOPE}"),
    _form(Verb.FILL, rf"fill(?: in)?(?: {_FIELD})? (?:the )?(?P<target>{_M})(?: (?:field|box))?{_SCOPE} with {_VALUE}"),
    _form(Verb.FILL, rf"set(?: {_FIELD})? (?:the )?(?P<target>{_M})(?: (?:field|box))?{_SCOPE} to {_VALUE}"),
    _form(
        Verb.SELECT,
        rf"(?:choose|select|pick)(?: the option)? {_VALUE} (?:in|from|for|as)(?: {_FIELD})? (?:the )?"
        rf"(?P<target>{_M})(?: (?:field|box|list|menu))?{_SCOPE}",
    ),
    _form(Verb.CHECK, rf"(?:tick|check|turn on|switch on) (?:the )?{_NAMED}(?: box)?{_SCOPE}"),
    _form(Verb.CHECK, rf"(?:tick|check) the (?P<role>check ?box|radio button|switch){_SCOPE}"),
    _form(Verb.UNCHECK, rf"(?:untick|uncheck|turn off|switch off) (?:the )?{_NAMED}(?: box)?{_SCOPE}"),
    _form(Verb.UNCHECK, rf"(?:untick|uncheck) the (?P<role>check ?box|switch){_SCOPE}"),
    _form(
        Verb.PRESS_KEY,
        rf"press (?:the )?(?P<key>{'|'.join(KEYS)})(?: key)? (?:in|on)(?: {_FIELD})? (?:the )?"
        rf"(?P<target>{_M})(?: (?:field|box))?{_SCOPE}",
    ),
    _form(Verb.UPLOAD, rf"(?:upload|attach) (?:the file )?{_VALUE} {_INTO}{_SCOPE}"),
    _form(
        Verb.WAIT,
        rf"wait (?:for|until)(?: the)?(?: (?:text|message|page))? {_VALUE}"
        r"(?: (?:to appear|appears|is shown|is visible|shows))?",
    ),
)


class Heard(NamedTuple):
    """A sentence with what stands around its action taken off."""

    read: Skeleton
    optional: bool
    awaited: Operand | None


def heard(sentence: str, parameters: frozenset[str]) -> Heard | Abstain:
    """The skeleton without condition and waiting, or what is wrong with the sentence."""
    read = skeleton(sentence, parameters)
    if isinstance(read, str):
        return Abstain(reason=f"{read}: {sentence!r}")
    waits = _AWAITED.search(read.cased)
    text, cased = (_AWAITED.sub("", _WAITING.sub("", said)) for said in (read.text, read.cased))
    condition, plain = _CONDITION.match(cased), _PLAIN_CONDITION.match(cased)
    if condition is not None:
        text, cased = (_without_condition(said, _CONDITION.match(said) or condition) for said in (text, cased))
    elif plain is not None:
        cased = re.sub(r"\bit$", lambda _: plain["condition"], plain["rest"])
    if _TWO.search(cased):
        return Abstain(reason=f"one action per sentence, please: {sentence!r}")
    awaited = _pieces(waits["awaited"], read)[0] if waits else None
    bare = replace(read, text=text, cased=cased)
    return Heard(bare, optional=bool(condition or plain), awaited=awaited)


def understand(sentence: str, parameters: frozenset[str]) -> Instruction | Abstain:
    """The instruction, or why the sentence is not followed. Nothing of a sentence is passed over in silence."""
    said = heard(sentence, parameters)
    return said if isinstance(said, Abstain) else as_quoted(said, sentence)


def as_quoted(said: Heard, sentence: str) -> Instruction | Abstain:
    """By the forms in which every name stands in quotes."""
    for form in _FORMS:
        match = form.pattern.fullmatch(said.read.text)
        if match is not None:
            return _instruction(form.verb, match, said, sentence)
    return Abstain(reason=f"not understood: {sentence!r}; {_advice(said.read.text)}")


def _without_condition(text: str, condition: re.Match[str]) -> str:
    """``if "X" is shown, press it`` as ``press "X"``; any other consequence stays and is not understood."""
    rest = text[condition.end() :]
    action = re.sub(r"\b(?:it|that)$", lambda _: condition["condition"], rest)
    return action if condition["condition"] in action and action.count("\x02") == 1 else text


def _instruction(verb: Verb, match: re.Match[str], said: Heard, sentence: str) -> Instruction | Abstain:
    groups, read = match.groupdict(), said.read
    targets = groups.get("target") or groups.get("target_before") or ""
    value = _pieces(groups.get("value"), read)
    key = groups.get("key")
    made = Instruction(
        verb=verb,
        sentence=sentence,
        target=tuple(_pieces(targets, read)),
        scope=next(iter(_pieces(groups.get("scope"), read)), None),
        scope_role="row" if groups.get("place_row") or groups.get("row_after") else "",
        value=Fixed(value=KEYS[key]) if key else next(iter(value), None),
        role=ROLES[groups.get("role") or groups.get("role_after") or ""] if _role_named(groups) else "",
        optional=said.optional,
        awaited=said.awaited,
    )
    return _sensible(made)


def _role_named(groups: dict[str, str | None]) -> bool:
    return bool(groups.get("role") or groups.get("role_after"))


def _pieces(text: str | None, read: Skeleton) -> tuple[Operand, ...]:
    return tuple(read.pieces[int(number)] for number in re.findall(MARK, text or ""))


def _sensible(made: Instruction) -> Instruction | Abstain:
    """Understood as a sentence, but would it mean what it says? ``Tick the row "X"`` means what can be ticked there."""
    if made.verb in (Verb.CHECK, Verb.UNCHECK) and made.role == "row" and made.scope is None and len(made.target) == 1:
        return replace(made, target=(), role="", scope=made.target[0], scope_role="row")
    if made.verb is Verb.GOTO and not _is_address(made.value):
        return Abstain(reason=f"not an address, and what to open is not said (link, button ...): {made.sentence!r}")
    if not made.target and made.verb not in (Verb.GOTO, Verb.WAIT) and made.scope is None:
        return Abstain(reason=f"which element is not said: {made.sentence!r}")
    return made


def _is_address(value: Operand | None) -> bool:
    if isinstance(value, Template):
        value = value.parts[0]
    if isinstance(value, Param):
        return True
    return isinstance(value, Fixed) and re.match(r"/|https?://", str(value.value)) is not None


def _advice(text: str) -> str:
    if text.startswith("note"):
        return "a remark belongs in the card or in a note cell"
    if re.match(r"(?:choose|select|pick) \x02\d+\x03$", text):
        return "say in which field, or what is chosen (the link, the option ...)"
    return "write it as one of: Go to, Press, Type ... into, Choose ... in, Tick, Upload ... to, Wait for"

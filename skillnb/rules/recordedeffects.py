"""What a recorded action may do to the site, judged by its words; what they leave open counts as done once."""

from __future__ import annotations

import re

from skillnb.rules.foundvalues import field_name
from skillnb.rules.recordedcalls import Event
from skillnb.rules.recordedwords import role_of
from skillnb.terms.workflow import Effect

__all__ = ["effect_of", "fills", "is_consent"]

_FIELD_METHODS = frozenset(
    {
        "check", "clear", "fill", "focus", "hover", "press_sequentially", "scroll_into_view_if_needed",
        "select_option", "set_checked", "set_input_files", "type", "uncheck",
    }
)  # fmt: skip
_FIELD_ROLES = frozenset(
    {"textbox", "searchbox", "combobox", "spinbutton", "slider", "checkbox", "radio", "switch", "option", "listbox"}
)
_READ_PAGES = frozenset({"bring_to_front", "close", "go_back", "go_forward", "goto", "reload"})
_LOOKS = re.compile(
    r"(?:search|filter|find|apply filters?|show|view|sort|expand|collapse|details|refresh|reload|preview)\b.*"
    r"|(?:back|cancel|close|menu|more|next|open|previous|print|skip)",
    re.I,
)
_LOGS_IN = re.compile(r"(?:log|sign)[ -]?(?:in|on)\b.*", re.I)
_CHANGES = re.compile(
    r"(?:accept|add|approve|archive|book|buy|cancel|checkout|check out|confirm|create|deactivate|decline|delete|"
    r"disable|discard|empty|enable|log ?out|mark|order|pay|place|post|publish|reject|remove|restore|revoke|save|send|"
    r"sign ?out|submit|subscribe|unsubscribe|update|upload)\b.*",
    re.I,
)
_THINGS = re.compile(r"(?:book|mark|order|place|post)\b", re.I)
"""Of a link they are things more often than something to do."""
_CONSENT = re.compile(
    r"(?:accept|allow|agree to|reject|decline) (?:all )?(?:optional )?cookies|(?:accept|allow|reject|decline) all", re.I
)
_QUIET_KEYS = frozenset({"Tab", "Shift+Tab", "Escape", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "CapsLock"})


def fills(event: Event) -> bool:
    """Does the action only put something into a form, so that it belongs to the step which fills it in?"""
    if event.waits:
        return False
    if event.method in _FIELD_METHODS:
        return True
    if event.method == "press":
        return (event.value or "") in _QUIET_KEYS
    return event.method == "click" and role_of(event.chain) in _FIELD_ROLES


def is_consent(event: Event) -> bool:
    """A banner that stands in the way, shown on some loads only."""
    return event.method == "click" and not event.waits and bool(_CONSENT.fullmatch(field_name(event.chain)))


def effect_of(event: Event, before: tuple[Event, ...]) -> Effect:
    """``before`` are the actions since the page was last left, this one not among them."""
    if event.method in _READ_PAGES:
        return Effect.READ
    if fills(event) or is_consent(event):
        return Effect.IDEMPOTENT
    name, role = field_name(event.chain), role_of(event.chain)
    if event.method == "press":
        return _sent(event, before)
    if any(wait.kind == "download" for wait in event.waits):
        return Effect.READ
    if _LOGS_IN.fullmatch(name):
        return Effect.IDEMPOTENT
    if role == "tab" or (role == "link" and (_THINGS.match(name) or not _CHANGES.fullmatch(name))):
        return Effect.READ
    if any(wait.kind == "popup" for wait in event.waits) and re.match(r"open\b", name, re.I):
        return Effect.READ
    return Effect.READ if role == "button" and _LOOKS.fullmatch(name) else Effect.ONCE


def _sent(event: Event, before: tuple[Event, ...]) -> Effect:
    """Enter in a field sends its form."""
    name = field_name(event.chain)
    if event.value != "Enter":
        return Effect.ONCE
    if role_of(event.chain) == "searchbox" or re.match(r"(?:search|find|filter)\b", name, re.I):
        return Effect.READ
    secret = any(re.search(r"password|passwort|passcode", field_name(each.chain), re.I) for each in before)
    return Effect.IDEMPOTENT if secret else Effect.ONCE

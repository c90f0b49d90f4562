"""A model's answer read back: the one action it names, on the one element, or why nothing is done.

The answer is held to the same lists that its schema was made of, whether or not the server kept it to the schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skillnb.rules.candidates import openable
from skillnb.rules.forgood import for_good, forbidden, granted
from skillnb.rules.hosts import allowed, host_of, led_to
from skillnb.rules.offers import Offer, Value, told_literals
from skillnb.rules.operands import Unresolved, as_text, resolve
from skillnb.rules.roles import CHOOSERS, FILLABLES, TICKABLES
from skillnb.rules.similarity import folded, holds_words, same
from skillnb.rules.tree import ancestors, end, text_of
from skillnb.rules.turnprompt import ACTIONS
from skillnb.terms.action import Grounded, Instruction, Target, Verb
from skillnb.terms.gate import Fixed, Param
from skillnb.terms.observation import Node, Observation

__all__ = ["Garbled", "Mandate", "read_turn", "Refused", "settled_turn", "Turn"]

_VERBS = {
    "click": Verb.CLICK,
    "fill": Verb.FILL,
    "select": Verb.SELECT,
    "check": Verb.CHECK,
    "uncheck": Verb.UNCHECK,
    "press": Verb.PRESS_KEY,
    "goto": Verb.GOTO,
}
_KEYS = frozenset({"Enter", "Escape", "Tab", "ArrowDown", "ArrowUp"})
_ITEMS = frozenset({"row", "listitem", "treeitem", "article"})
_WORD = re.compile(r"[^\W_]+")


class Garbled(NamedTuple):
    """No answer to what was asked."""

    reason: str


class Refused(NamedTuple):
    """An answer that is not carried out, and why."""

    reason: str


class Turn(NamedTuple):
    action: str
    offer: Offer | None
    value: Value | None
    key: str

    @property
    def told(self) -> str:
        """The action in words, for the record: parameters by name, so never a secret."""
        on = f" {self.offer.label}" if self.offer else ""
        put = f" with {self.value.label}" if self.value else f" {self.key}" if self.key else ""
        return f"{self.action}{on}{put}"


class Mandate(NamedTuple):
    """What a model acts for: the author's own sentences, the values, and the hosts it may act on."""

    sentences: tuple[str, ...]
    values: Mapping[str, object]
    secrets: frozenset[str]
    hosts: tuple[str, ...]


def read_turn(text: str, offers: Sequence[Offer], values: Sequence[Value]) -> Turn | Garbled:
    """Total: whatever the model wrote is a turn or garbled."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return Garbled("the answer is not JSON")
    if not isinstance(said, dict) or not all(
        isinstance(said.get(field), str) for field in ("action", "element", "value")
    ):
        return Garbled("the answer is not an object with action, element and value")
    action, element, value = said["action"], said["element"], said["value"]
    if action not in ACTIONS:
        return Garbled(f"{action[:40]!r} is no action")
    offer = next((item for item in offers if item.label == element), None)
    if element and offer is None:
        return Garbled("the answer names an element that was not offered")
    if action == "press":
        return Turn(action, offer, None, value) if value in _KEYS else Garbled(f"{value[:20]!r} is no key to press")
    chosen = next((item for item in values if item.label == value), None)
    if value and chosen is None:
        return Garbled("the answer holds a value that is neither a parameter's nor the page's")
    return Turn(action, offer, chosen, "")


def settled_turn(turn: Turn, seen: Observation, mandate: Mandate) -> Grounded | Refused:
    """The turn as an action on the page, for those that are one (not wait, done, give_up)."""
    verb = _VERBS.get(turn.action)
    if verb is None:
        return Refused(f"{turn.action} is nothing to do to a page")
    if verb is Verb.GOTO:
        return _going(turn, seen, mandate)
    if turn.offer is None:
        return Refused(f"{turn.action} needs an element")
    nodes, at = seen.nodes, turn.offer.at
    wrong = _unfit(verb, nodes, at) or _forbidden(turn, seen, mandate)
    if wrong:
        return Refused(wrong)
    value = _value(turn, verb, nodes, mandate)
    if isinstance(value, Refused):
        return value
    node = nodes[at]
    return Grounded(
        instruction=Instruction(verb=verb, sentence=turn.told, value=_operand(turn), role=node.role),
        target=Target(ref=node.ref, role=node.role, name=turn.offer.name, score=1.0, how="chosen by the model"),
        value=value,
    )


def _operand(turn: Turn) -> Fixed | Param | None:
    operand = Fixed(value=turn.key) if turn.key else turn.value.operand if turn.value else None
    return operand if isinstance(operand, (Fixed, Param)) else None


def _going(turn: Turn, seen: Observation, mandate: Mandate) -> Grounded | Refused:
    if turn.value is None or not turn.value.authored:
        return Refused("it may only go to an address that a parameter, the intent or the procedure gives")
    value = resolve(turn.value.operand, mandate.values)
    if isinstance(value, Unresolved) or not re.match(r"/(?!/)|https?://", as_text(value)):
        return Refused(f"{turn.value.label} is not an address")
    if _secret(turn, mandate):
        return Refused("a secret is no address")
    address = as_text(value)
    if address.startswith("/"):
        here = seen.url.split("://", 1)
        address = f"{here[0]}://{here[1].split('/', 1)[0]}{address}" if len(here) == 2 else address
    if not allowed(address, mandate.hosts):
        return Refused(f"{host_of(address) or 'that'} is not among the hosts it may act on")
    instruction = Instruction(verb=Verb.GOTO, sentence=turn.told, value=_operand(turn))
    return Grounded(instruction=instruction, target=None, value=address)


def _unfit(verb: Verb, nodes: Sequence[Node], at: int) -> str:
    role = nodes[at].role
    fits = {
        Verb.FILL: openable(nodes, at),
        Verb.SELECT: role in CHOOSERS,
        Verb.CHECK: role in TICKABLES,
        Verb.UNCHECK: role in TICKABLES - {"radio", "menuitemradio"},
        Verb.PRESS_KEY: role in FILLABLES,
    }
    return "" if fits.get(verb, True) else f"{verb} can't be done to a {role}"


def _forbidden(turn: Turn, seen: Observation, mandate: Mandate) -> str:
    assert turn.offer is not None
    nodes, at, name = seen.nodes, turn.offer.at, turn.offer.name
    words = granted(mandate.sentences)
    given = [as_text(value) for key, value in mandate.values.items() if key not in mandate.secrets]
    if turn.action == "press" and turn.key == "Enter":
        for place in _buttons_around(nodes, at):
            if why := forbidden(nodes, place, nodes[place].name, words, given):
                return f"Enter may press what stands beside the field: {why}"
    if turn.action not in {"click", "check", "uncheck"}:
        return ""
    url = led_to(seen.url, nodes[at].url) if nodes[at].url else ""
    if host_of(url) and not allowed(url, mandate.hosts):
        return f"the link leads to {host_of(url)}, which is not among the hosts it may act on"
    return forbidden(nodes, at, name, words, given) or _which(turn, nodes, mandate)


def _which(turn: Turn, nodes: Sequence[Node], mandate: Mandate) -> str:
    """Of several buttons that do something for good, only the one in a place that the author or a parameter names."""
    assert turn.offer is not None
    at, name = turn.offer.at, turn.offer.name
    if not for_good(name):
        return ""
    twins = [place for place, node in enumerate(nodes) if node.role == nodes[at].role and same(node.name, name)]
    if len(twins) < 2:
        return ""
    item = next((above for above in ancestors(nodes, at) if nodes[above].role in _ITEMS), -1)
    said = folded(f"{nodes[item].name} {text_of(nodes, item)}") if item >= 0 else ""
    named = [
        as_text(resolve(operand, mandate.values)) for operand in told_literals(mandate.sentences, [*mandate.values])
    ]
    told = " ".join(mandate.sentences)
    named += [
        as_text(value) for key, value in mandate.values.items() if key not in mandate.secrets and f"{{{key}}}" in told
    ]
    if any(not same(text, name) and holds_words(said, folded(text)) for text in named):
        return ""
    return f'there are {len(twins)} of "{name}", and nothing in this one\'s place is named by the task'


def _buttons_around(nodes: Sequence[Node], at: int) -> tuple[int, ...]:
    """The buttons of the smallest part of the page that holds the field and any."""
    for above in ancestors(nodes, at):
        found = tuple(place for place in range(above, end(nodes, above)) if nodes[place].role == "button")
        if found:
            return found
    return tuple(place for place, node in enumerate(nodes) if node.role == "button")


def _value(turn: Turn, verb: Verb, nodes: Sequence[Node], mandate: Mandate) -> str | Refused:
    if verb is Verb.PRESS_KEY:
        return turn.key
    if verb not in {Verb.FILL, Verb.SELECT}:
        return ""
    assert turn.offer is not None
    if turn.value is None:
        return Refused(f"{turn.action} needs a value")
    value = resolve(turn.value.operand, mandate.values)
    if isinstance(value, Unresolved):
        return Refused(value.reason)
    if isinstance(value, bool | re.Pattern | dict | list | tuple | set | bytes) or not as_text(value).strip():
        return Refused(f"{turn.value.label} is not a text to type or choose")
    text = as_text(value)
    if _secret(turn, mandate) and not _meant_for(turn, mandate):
        return Refused(f'nothing says that {turn.value.label}, which is secret, belongs into "{turn.offer.name}"')
    return _option(nodes, turn.offer, text) if verb is Verb.SELECT else text


def _secret(turn: Turn, mandate: Mandate) -> bool:
    operand = turn.value.operand if turn.value else None
    parts = getattr(operand, "parts", (operand,))
    return any(isinstance(part, Param) and part.name in mandate.secrets for part in parts)


def _meant_for(turn: Turn, mandate: Mandate) -> bool:
    """The field is called like the secret, or a sentence of the author's names both."""
    assert turn.offer is not None
    assert turn.value is not None
    field = set(_WORD.findall(folded(turn.offer.name)))
    for secret in mandate.secrets:
        mark = f"{{{secret}}}"
        if mark not in turn.value.label:
            continue
        if field & set(_WORD.findall(folded(secret.replace("_", " ")))):
            return True
        if any(mark in said and holds_words(folded(said), folded(turn.offer.name)) for said in mandate.sentences):
            return True
    return False


def _option(nodes: Sequence[Node], offer: Offer, text: str) -> str | Refused:
    inner = [nodes[place] for place in range(offer.at + 1, end(nodes, offer.at)) if nodes[place].role == "option"]
    if not inner:
        return text
    hits = [node.name for node in inner if same(node.name, text) and not node.disabled]
    return hits[0] if len(hits) == 1 else Refused(f'{len(hits)} options of "{offer.name}" are {text!r}')

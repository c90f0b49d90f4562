"""A gate's answer on one observation. Live runs and replay call this same function.

``passed`` needs proof, ``failed`` needs disproof, everything between is ``unknown``: what can't be re-checked, a value
that was not read, an absence on a page that is still changing or shows nothing, an element that may not be visible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from skillnb.rules.asked import Answer, Asked, ask, bounds_of, claims_of, criteria_of, fits_url, pieces_of, unknown
from skillnb.rules.claims import Claim, Said, holds, value_of
from skillnb.rules.globs import matches_name
from skillnb.rules.matching import (
    Criteria,
    blank,
    certain,
    described,
    found,
    label,
    near_is_there,
    nearest,
    quoted,
    shown,
)
from skillnb.rules.operands import resolve
from skillnb.rules.roles import FIELDS, TICKABLES
from skillnb.rules.tree import page_text, text_of
from skillnb.terms.gate import Gate, GateKind
from skillnb.terms.observation import FileSeen, Node, Observation, ResponseSeen
from skillnb.terms.outcome import Verdict

__all__ = ["Answer", "check", "refuted", "resolve", "wants_value"]


def check(gate: Gate, values: Mapping[str, object], seen: Observation) -> Answer:
    """Total: whatever the gate and the page, there is an answer."""
    if gate.kind is GateKind.CUSTOM:
        return unknown(gate.expression, "a custom gate can't be re-checked")
    asked = ask(gate, values, seen)
    if isinstance(asked, str):
        return unknown(gate.expression, asked)
    return _CHECKS[gate.kind](asked)


def refuted(gates: Iterable[Gate], values: Mapping[str, object], seen: Observation) -> bool:
    """Does ``seen`` alone, with no value read, show that not all of ``gates`` hold?"""
    return any(gate.recheckable and check(gate, values, seen).verdict is Verdict.FAILED for gate in gates)


def wants_value(gate: Gate, values: Mapping[str, object], seen: Observation) -> tuple[str, ...]:
    """Refs of the elements whose exact value ``check`` needs and the snapshot can't give."""
    if gate.kind is not GateKind.VALUE:
        return ()
    asked = ask(gate, values, seen)
    if isinstance(asked, str) or not asked.given.keys() & {"equals", "contains"}:
        return ()
    criteria = criteria_of(asked)
    hits = () if isinstance(criteria, str) else found(seen.nodes, criteria)
    if len(hits) != 1 or value_of(seen.nodes, hits[0]) is not None:
        return ()
    node = seen.nodes[hits[0]]
    return (node.ref,) if node.ref and node.role in FIELDS else ()


def _url(asked: Asked) -> Answer:
    pattern, url = asked.given.get("pattern"), asked.seen.url
    expected = f"address {shown(pattern)}"
    fits = fits_url(asked, url)
    if isinstance(fits, str):
        return unknown(expected, fits)
    return Answer(Verdict.PASSED if fits else Verdict.FAILED, expected, f"address {url}")


def _visible(asked: Asked) -> Answer:
    criteria = criteria_of(asked)
    if isinstance(criteria, str):
        return unknown(asked.gate.expression, criteria)
    expected = f"visible {described(criteria)}"
    nodes = asked.seen.nodes
    hits = found(nodes, criteria)
    sure = [at for at in hits if certain(nodes, at)]
    if sure:
        return Answer(Verdict.PASSED, expected, f"{len(sure)} visible {described(criteria)}")
    if hits:
        return unknown(expected, f"{label(nodes[hits[0]])} is on the page, but perhaps without a box")
    return Answer(Verdict.FAILED, expected, _nothing(nodes, criteria))


def _nothing(nodes: tuple[Node, ...], criteria: Criteria) -> str:
    if not near_is_there(nodes, criteria):
        return f"nothing on the page reads {quoted(criteria.near or '')}"
    best = nearest(nodes, criteria)
    return f"no {described(criteria)}" + (f"; nearest: {best}" if best else "")


def _absent(asked: Asked) -> Answer:
    criteria = criteria_of(asked)
    if isinstance(criteria, str):
        return unknown(asked.gate.expression, criteria)
    expected = f"no {described(criteria)}"
    hits = found(asked.seen.nodes, criteria)
    if hits:
        return Answer(Verdict.FAILED, expected, f"{len(hits)} {described(criteria)}")
    doubt = _no_absence(asked.seen, criteria)
    return unknown(expected, doubt) if doubt else Answer(Verdict.PASSED, expected, f"no {described(criteria)}")


def _no_absence(seen: Observation, criteria: Criteria) -> str:
    """Why nothing missing can be concluded from this page; empty when it can."""
    if seen.url.startswith("chrome-error:"):
        return "the browser shows an error page of its own"
    if not seen.settled:
        return "the page is still changing"
    if blank(seen.nodes):
        return "the page shows nothing at all"
    if not near_is_there(seen.nodes, criteria):
        return f"nothing on the page reads {quoted(criteria.near or '')}"
    return ""


def _count(asked: Asked) -> Answer:
    criteria = criteria_of(asked)
    bounds = bounds_of(asked)
    if isinstance(criteria, str):
        return unknown(asked.gate.expression, criteria)
    if isinstance(bounds, str):
        return unknown(asked.gate.expression, bounds)
    least, most, words = bounds
    expected = f"{words} {described(criteria)}"
    nodes = asked.seen.nodes
    hits = found(nodes, criteria)
    sure = sum(certain(nodes, at) for at in hits)
    number = f"{sure}" if sure == len(hits) else f"{sure} to {len(hits)}"
    actual = f"{number} {described(criteria)}"
    if sure > most or len(hits) < least:
        return Answer(Verdict.FAILED, expected, actual)
    if sure < least or len(hits) > most:
        return unknown(expected, actual + " (some perhaps without a box)")
    doubt = _no_absence(asked.seen, criteria) if most != float("inf") else ""
    return unknown(expected, doubt) if doubt else Answer(Verdict.PASSED, expected, actual)


def _value(asked: Asked) -> Answer:
    criteria = criteria_of(asked)
    claims = claims_of(asked)
    if isinstance(criteria, str):
        return unknown(asked.gate.expression, criteria)
    if isinstance(claims, str):
        return unknown(asked.gate.expression, claims)
    wanted = asked.given.get("checked")
    words = [one.words for one in claims]
    if wanted is not None:
        words.append("checked" if wanted is True else "not checked")
    if not words or wanted not in (None, True, False):
        return unknown(asked.gate.expression, "the gate does not say which value")
    expected = f"{described(criteria)} {' and '.join(words)}"
    nodes = asked.seen.nodes
    hits = found(nodes, criteria)
    if len(hits) != 1:
        several = f"{len(hits)} elements answer to {described(criteria)}, one was expected"
        return Answer(Verdict.FAILED, expected, several if hits else _nothing(nodes, criteria))
    if wanted is not None:
        answer = _ticked(nodes[hits[0]], wanted is True, expected)
        if answer.verdict is not Verdict.PASSED or not claims:
            return answer
    return _held(claims, value_of(nodes, hits[0]), expected)


def _ticked(node: Node, wanted: bool, expected: str) -> Answer:
    if node.role not in TICKABLES:
        return unknown(expected, f"{label(node)} can't be checked")
    actual = f"{label(node)} is {({'true': 'checked', '': 'not checked'}).get(node.checked, node.checked)}"
    return Answer(Verdict.PASSED if node.checked == ("true" if wanted else "") else Verdict.FAILED, expected, actual)


def _held(claims: tuple[Claim, ...], said: Said | None, expected: str) -> Answer:
    if said is None:
        return unknown(expected, "the value was not read from the page")
    actual = "value " + (", ".join(map(quoted, said.values)) or "none chosen")
    kept = all(holds(one, said) for one in claims)
    return Answer(Verdict.PASSED if kept else Verdict.FAILED, expected, actual)


def _text(asked: Asked) -> Answer:
    criteria = criteria_of(asked, required=False)
    claims = claims_of(asked)
    if isinstance(criteria, str):
        return unknown(asked.gate.expression, criteria)
    if isinstance(claims, str):
        return unknown(asked.gate.expression, claims)
    if not claims:
        return unknown(asked.gate.expression, "the gate does not say which text")
    whole = criteria.role is None and criteria.name is None
    nodes = asked.seen.nodes
    expected = f"{'page' if whole else described(criteria)} {' and '.join(one.words for one in claims)}"
    if blank(nodes):
        return Answer(Verdict.FAILED, expected, "the page shows nothing at all")
    if whole:
        said = [page_text(nodes)]
    else:
        said = [text_of(nodes, at) for at in found(nodes, criteria)]
        if not said:
            return Answer(Verdict.FAILED, expected, _nothing(nodes, criteria))
    if any(all(holds(one, Said((text,), True)) for one in claims) for text in said):
        return Answer(Verdict.PASSED, expected, "it does")
    if whole:
        best = nearest(nodes, Criteria(text=claims[0].wish))
        return Answer(Verdict.FAILED, expected, "no such text on it" + (f"; nearest: {best}" if best else ""))
    return Answer(Verdict.FAILED, expected, "it reads " + ", ".join(quoted(text) for text in said[:3]))


def _response(asked: Asked) -> Answer:
    method, status = asked.given.get("method"), asked.given.get("status")
    wanted = "below 400" if status is None else str(status)
    expected = f"a response {method} {shown(asked.given.get('pattern'))} with status {wanted}"
    if not isinstance(method, str) or not method or isinstance(status, bool) or not isinstance(status, int | None):
        return unknown(expected, "method is a word and status a number")
    fitting: list[ResponseSeen] = []
    for response in asked.seen.responses:
        fits = fits_url(asked, response.url)
        if isinstance(fits, str):
            return unknown(expected, fits)
        if fits and response.method.upper() == method.upper():
            fitting.append(response)
    for response in fitting:
        if response.status == status or (status is None and 100 <= response.status < 400):
            return Answer(Verdict.PASSED, expected, f"{response.method} {response.url} {response.status}")
    got = ", ".join(str(response.status) for response in fitting)
    none = f"none among {len(asked.seen.responses)} responses since the step began"
    return Answer(Verdict.FAILED, expected, f"status {got}" if got else none)


def _file(asked: Asked) -> Answer:
    pattern, least = asked.given.get("name_pattern"), asked.given.get("min_size", 1)
    expected = f"a file {shown(pattern)} of at least {least} bytes"
    if not isinstance(least, int) or isinstance(least, bool):
        return unknown(expected, "min_size is not a number of bytes")
    if isinstance(pattern, re.Pattern):
        named = [file for file in asked.seen.files if pattern.search(file.name)]
    else:
        pieces = pieces_of(asked, "name_pattern")
        if isinstance(pieces, str):
            return unknown(expected, pieces)
        named = [file for file in asked.seen.files if matches_name(pieces, file.name)]
    for file in named:
        if not file.failure and file.size >= least:
            return Answer(Verdict.PASSED, expected, f"{file.name}, {file.size} bytes")
    actual = ", ".join(_told(file) for file in named or asked.seen.files)
    return Answer(Verdict.FAILED, expected, actual or "no file since the step began")


def _told(file: FileSeen) -> str:
    return f"{file.name}, {file.failure or f'{file.size} bytes'}"


_CHECKS: dict[GateKind, Callable[[Asked], Answer]] = {
    GateKind.URL: _url,
    GateKind.VISIBLE: _visible,
    GateKind.ABSENT: _absent,
    GateKind.VALUE: _value,
    GateKind.TEXT: _text,
    GateKind.COUNT: _count,
    GateKind.RESPONSE: _response,
    GateKind.FILE: _file,
}

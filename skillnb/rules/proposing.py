"""A recording made into the parts of a workflow: steps with sentences, code, gates and effects; parameters; remarks."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urljoin

from skillnb.rules.foundvalues import Found, field_name, found_values, texts_of
from skillnb.rules.lint_file import START_URL
from skillnb.rules.recordedcalls import Event, Kind, Refused, Remark
from skillnb.rules.recordedgates import gates_of
from skillnb.rules.recordedsteps import Group, grouped
from skillnb.rules.recordedwords import address_of, position_of, role_of, sentence
from skillnb.rules.recording import Recording
from skillnb.rules.substituting import Substitution
from skillnb.terms.workflow import Effect, Parameter

__all__ = ["Proposal", "proposed", "ProposedStep"]

_ACTION_WORD = re.compile(
    r"(?:accept|add|apply|approve|book|buy|cancel|change|close|confirm|create|delete|download|edit|export|filter|find|"
    r"import|log|mark|pay|place|post|print|publish|register|remove|save|search|send|show|sign|start|stop|submit|update)\b",
    re.I,
)
_SECRET_LENGTH = 4
"""Shorter ones stand in any text by chance."""


class ProposedStep(NamedTuple):
    name: str
    intent: str
    procedure: tuple[str, ...]
    pre: str
    code: str
    post: str
    effect: Effect
    optional: bool
    remarks: tuple[Remark, ...]


class Proposal(NamedTuple):
    start_url: str
    locale: str
    timezone: str
    parameters: tuple[Parameter, ...]
    steps: tuple[ProposedStep, ...]
    remarks: tuple[Remark, ...]
    """Of the recording as a whole."""


def proposed(
    recording: Recording, start: str = "", given: Mapping[str, str] | None = None, secrets: frozenset[str] = frozenset()
) -> Proposal | tuple[Refused, ...]:
    """``start`` is where runs begin, if not where the recording did; ``given`` are values that the person names."""
    whole = grouped(recording.events, start)
    if whole.start and not START_URL.fullmatch(whole.start):
        line = 0 if start else recording.events[0].line
        return (Refused(line, "the address that runs would start at is none", "write an absolute URL without blanks"),)
    found = found_values(recording.events, whole.start, given or {}, secrets)
    unknown = secrets - {each.parameter.name for each in found}
    if unknown:
        known = ", ".join(each.parameter.name for each in found) or "none"
        return (Refused(0, f"nothing is typed into a field named {sorted(unknown)[0]}", f"found are {known}"),)
    told = _told_secrets(recording.events, found)
    if told:
        return told
    put = Substitution(found)
    if not start and "{" in put.words(whole.start, 0, address=True):
        # the address that a run begins with is the same for all runs, so a value in it makes opening it a step
        whole = grouped(recording.events, urljoin(whole.start, "/"))
    steps: list[ProposedStep] = []
    names = frozenset(each.parameter.name for each in found)
    for at, group in enumerate(whole.groups):
        step = _step(group, put, names, whole.before if at == 0 else ())
        steps.append(step._replace(name=_free(step.name, {each.name for each in steps})))
    if not steps:
        return (Refused(1, "nothing is done in it but opening a page", "record at least one action"),)
    remarks = sorted((*recording.remarks, *whole.remarks, *_whole_remarks(found, whole.start)))
    locale, timezone = recording.locale or "en-US", recording.timezone or "UTC"
    parameters = tuple(each.parameter for each in found)
    return Proposal(whole.start, locale, timezone, parameters, tuple(steps), tuple(remarks))


def _whole_remarks(found: Sequence[Found], start: str) -> list[Remark]:
    made: list[Remark] = []
    if not start:
        made.append(Remark(0, "the recording opens no page first: say where runs begin (`start_url` in the metadata)"))
    for each in found:
        if each.parameter.secret:
            told = f"the value of {each.parameter.name} was not kept; the recording itself still holds it: delete it"
            made.append(Remark(each.line, told))
    return made


def _told_secrets(events: Sequence[Event], found: Sequence[Found]) -> tuple[Refused, ...]:
    """Places but its own fields where a secret's text stands: the notebook would hold it."""
    nodes = {identity: each for each in found if each.parameter.secret for identity in each.nodes}
    texts = {(nodes[id(node)].parameter.name, node.value) for e in events for node in texts_of(e) if id(node) in nodes}
    made = []
    for event in events:
        for node in texts_of(event):
            for name, secret in sorted(texts, key=str):
                if id(node) not in nodes and len(str(secret)) >= _SECRET_LENGTH and str(secret) in str(node.value):
                    reason = f"the text typed as {name} stands here too, and would be written into the notebook"
                    remedy = f"put any other text in its place where {name} is typed: it is not kept"
                    made.append(Refused(node.lineno, reason, remedy))
    return tuple(dict.fromkeys(made))


def _step(group: Group, put: Substitution, names: frozenset[str], before: tuple[Event, ...]) -> ProposedStep:
    gates = gates_of(group, put, before)
    remarks: list[Remark] = list(gates.remarks)
    said: list[str] = []
    for event in group.acts:
        made = sentence(event, put, names)
        text = made.text
        if group.optional and not made.unfollowed:
            text = f'If "{put.words(field_name(event.chain), event.line)}" is shown, press it.'
        said.append(text)
        if made.unfollowed:
            told = f"sentence {len(said)} can't be followed without a model: {made.unfollowed}"
            remarks.append(Remark(event.line, told))
        position = position_of(event.chain)
        if position:
            told = f"{position} rests on the order of the page: say near what the element stands"
            remarks.append(Remark(event.line, told))
    if group.effect is Effect.ONCE:
        told = "the step is taken to do harm if it is done twice (`once`): set `effect` if it is not so"
        remarks.append(Remark(group.events[-1].line, told))
    intent = _intent(group, put)
    return ProposedStep(
        name=_slug(intent),
        intent=intent,
        procedure=tuple(said),
        pre=gates.pre,
        code=_code(group, put),
        post=gates.post,
        effect=group.effect,
        optional=group.optional,
        remarks=tuple(dict.fromkeys(remarks)),
    )


def _code(group: Group, put: Substitution) -> str:
    lines: list[str] = []
    for event in group.events:
        if event.kind is Kind.WINDOW:
            lines.append(f"{event.window} = await page.context.new_page()")
        elif event.kind is Kind.DIALOG:
            given = ", ".join(put.code(node, event.line) for node in event.arguments)
            lines.append(f'{event.window}.once("dialog", lambda dialog: dialog.{event.method}({given}))')
        else:
            lines += _acted(event, put)
    imports = ["import re"] if any("re.compile(" in line for line in lines) else []
    needed = [name for name in ("quote", "urljoin") if any(f"{name}(" in line for line in lines)]
    imports += [f"from urllib.parse import {', '.join(needed)}"] if needed else []
    return "\n".join([*imports, *lines])


def _acted(event: Event, put: Substitution) -> list[str]:
    """Other addresses of the site are opened from where the page is, so that the run may be on another host."""
    made = put.call(event)
    if event.method == "goto":
        made = f"{event.window}.goto({_address(event, put)})"
    lines, indent = [], ""
    for wait in event.waits:
        lines.append(f"{indent}async with {wait.window}.expect_{wait.kind}() as {wait.name}_info:")
        indent += "    "
    lines.append(f"{indent}await {made}")
    return [*lines, *(f"{wait.name} = await {wait.name}_info.value" for wait in reversed(event.waits))]


def _address(event: Event, put: Substitution) -> str:
    """As it stands where the window has no page to go from."""
    text = event.value or ""
    if not re.match(r"https?://", text) or event.window != "page":
        return put.code(event.arguments[0], event.line, address=True)
    fragment = "#" + text.split("#", 1)[1] if "#" in text else ""
    own = ast.copy_location(ast.Constant(address_of(text) + fragment), event.arguments[0])
    return f"urljoin({event.window}.url, {put.code(own, event.line, address=True)})"


def _intent(group: Group, put: Substitution) -> str:
    line = group.events[-1].line
    names = dict.fromkeys(field_name(event.chain) for event in group.acts)
    act = group.acts[-1] if group.acts else None
    if act is not None and act.method == "goto":
        path = address_of(act.value or "").split("?")[0]
        return f"Go to {put.words(path, line, address=True)}"
    return _heading(group, [put.words(name, line) for name in names if name]) or "Go on"


def _heading(group: Group, words: list[str]) -> str:
    act = group.acts[-1] if group.acts else None
    if act is None:
        return "Open another window"
    if group.filling:
        if len(words) > 4:
            return f"Fill in {', '.join(words[:3])} and {len(words) - 3} more fields"
        return f"Fill in {' and '.join(filter(None, (', '.join(words[:-1]), *words[-1:]))) or 'the form'}"
    if not act.chain:
        return {"close": "Close the window", "reload": "Load the page again"}.get(act.method, "Go on")
    name = words[-1] if words else ""
    if act.method == "press":
        return f"Send {name or 'the form'} with {act.value}"
    if any(wait.kind == "download" for wait in act.waits):
        return f"Download with {name}" if not _ACTION_WORD.match(name) else name
    if role_of(act.chain) == "link" and not _ACTION_WORD.match(name):
        return f"Open {name}"
    return (name[0].upper() + name[1:]) if _ACTION_WORD.match(name) else f"Press {name or 'an element'}"


def _slug(intent: str) -> str:
    made = re.sub(r"[^a-z0-9]+", "-", intent.lower()).strip("-")
    return (made if len(made) <= 40 else made[:40].rsplit("-", 1)[0].strip("-")) or "step"


def _free(name: str, taken: set[str]) -> str:
    number, free = 2, name
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free

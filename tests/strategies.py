"""Hypothesis strategies for the terms. A new field of a term must appear here."""

from __future__ import annotations

import builtins
import keyword
from dataclasses import replace
from datetime import UTC
from typing import Any

from hypothesis import strategies as st

from skillnb.codec import canonical
from skillnb.notebook.assemble import Header, assembled
from skillnb.notebook.compose import StepDraft, compose
from skillnb.rules.gatesource import SIGNATURES
from skillnb.terms.gate import Argument, Fixed, Gate, GateKind, Operand, Param, Pattern, Template
from skillnb.terms.workflow import (
    Cell,
    Effect,
    Parameter,
    ParameterType,
    Provenance,
    Role,
    StepSettings,
    Workflow,
)

__all__ = [
    "cells_of_notes",
    "gates",
    "headers",
    "json_values",
    "operand_source",
    "operands",
    "parameters",
    "slugs",
    "step_settings",
    "texts",
    "workflows",
]

_BOUND = {"page", "gate", "params", "fallback", "call", "bind", "skillnb"}
_RESERVED = _BOUND | set(keyword.kwlist) | set(dir(builtins))


def texts(max_size: int = 20) -> st.SearchStrategy[str]:
    """Any text that UTF-8 can hold, awkward characters included."""
    return st.text(st.characters(codec="utf-8"), max_size=max_size)


def lines(min_size: int = 1) -> st.SearchStrategy[str]:
    """One printable line without outer blanks."""
    whole = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp", "Zs", "Cn", "Co")), max_size=20)
    joined = st.lists(whole, max_size=3).map(lambda words: " ".join(words).strip())
    return joined.filter(lambda line: len(line) >= min_size)


slugs = st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,4}){0,2}", fullmatch=True)
workflow_names = st.tuples(slugs, slugs).map("/".join)
identifiers = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(lambda name: name not in _RESERVED)


def json_values() -> st.SearchStrategy[Any]:
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts()
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(8), inner, max_size=3), max_leaves=6
    )


# gates


def fixed() -> st.SearchStrategy[Fixed]:
    values = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
    return st.builds(Fixed, value=values | texts())


params = st.builds(Param, name=identifiers)
patterns = st.builds(
    Pattern,
    source=st.sampled_from(["^a+$", r"\d{3}", "naïve", "(x|y)", 'quo"te', ""]),
    flags=st.sets(st.sampled_from("aimsx")).map(lambda letters: "".join(sorted(letters))),
)
_pieces = st.lists(texts(5).filter(bool), min_size=1, max_size=3)


@st.composite
def templates(draw: st.DrawFn) -> Template:
    """Literal pieces and parameters in turn: two literal pieces never stand side by side, as in an f-string."""
    parts: list[Fixed | Param] = []
    for piece in draw(_pieces):
        parts += [Fixed(value=piece), draw(params)]
    return Template(parts=tuple(parts[draw(st.integers(0, 1)) :]))


def operands() -> st.SearchStrategy[Operand]:
    return fixed() | params | patterns | templates()


def operand_source(operand: Operand) -> str:
    """Python source that reads back as the operand."""
    match operand:
        case Fixed(value=value):
            return repr(value)
        case Param(name=name):
            return f"params.{name}"
        case Pattern(source=source, flags=""):
            return f"re.compile({source!r})"
        case Pattern(source=source, flags=flags):
            return f"re.compile({source!r}, " + " | ".join(f"re.{letter.upper()}" for letter in flags) + ")"
        case Template(parts=parts):
            return 'f"' + "".join(_piece(part) for part in parts) + '"'


def _piece(part: Fixed | Param) -> str:
    if isinstance(part, Param):
        return "{params." + part.name + "}"
    escaped = str(part.value).encode("unicode_escape").decode("ascii").replace('"', '\\"')
    return escaped.replace("{", "{{").replace("}", "}}")


@st.composite
def gates(draw: st.DrawFn, known: tuple[str, ...] | None = None) -> Gate:
    """A gate as data, on line 1. With ``known``, only these parameters are used."""
    kind = draw(st.sampled_from(sorted(SIGNATURES)))
    signature = SIGNATURES[GateKind(kind)]
    chosen = set(draw(st.sets(st.sampled_from(sorted(signature.all - {"timeout"})), max_size=3)))
    chosen |= {sorted(choices)[0] for choices in signature.one_of_each if not choices & chosen}
    named = sorted(chosen - set(signature.positional))
    values: st.SearchStrategy[Any] = (
        operands() if known is None else fixed() | (st.sampled_from(known).map(_param) if known else fixed())
    )
    arguments = [Argument(name=name, value=draw(values)) for name in (*signature.positional, *named)]
    if draw(st.booleans()):
        arguments.append(Argument(name="timeout", value=Fixed(value=draw(st.integers(1, 60)))))
    by_name = draw(st.booleans())
    written = ", ".join(
        operand_source(argument.value)
        if argument.name in signature.positional and not by_name
        else f"{argument.name}={operand_source(argument.value)}"
        for argument in arguments
    )
    return Gate(kind=GateKind(kind), expression=f"gate.{kind}({written})", arguments=tuple(arguments))


def _param(name: str) -> Param:
    return Param(name=name)


# workflows


@st.composite
def parameters(draw: st.DrawFn, name: str | None = None) -> Parameter:
    kind = draw(st.sampled_from(ParameterType))
    choices = tuple(draw(st.lists(texts(8), min_size=1, max_size=3, unique=True))) if kind is ParameterType.ENUM else ()
    required = draw(st.booleans())
    return Parameter(
        name=name or draw(identifiers),
        type=kind,
        default="null" if required else canonical(draw(_defaults(kind, choices))),
        required=required,
        help=draw(lines(min_size=0)),
        choices=choices,
    )


def _defaults(kind: ParameterType, choices: tuple[str, ...]) -> st.SearchStrategy[Any]:
    match kind:
        case ParameterType.STRING:
            return texts()
        case ParameterType.INT:
            return st.integers()
        case ParameterType.FLOAT:
            return st.floats(allow_nan=False, allow_infinity=False)
        case ParameterType.BOOL:
            return st.booleans()
        case ParameterType.DATE:
            return st.dates().map(lambda day: day.isoformat())
        case ParameterType.DATETIME:
            return st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.isoformat())
        case ParameterType.ENUM:
            return st.sampled_from(choices)
        case ParameterType.FILE:
            return lines().map(lambda name: f"{name}.csv")
        case ParameterType.JSON:
            return json_values()
        case ParameterType.SECRET:
            return st.from_regex(r"env:[A-Z][A-Z_]{0,8}", fullmatch=True)


step_settings = st.builds(
    StepSettings,
    effect=st.sampled_from(Effect),
    formalized=st.booleans(),
    optional=st.booleans(),
    timeout=st.floats(0.1, 3600),
    checkpoint=st.sampled_from(["", "/orders/", "/orders/{order}", "https://shop.example/orders/"]),
)

headers = st.builds(
    Header,
    name=workflow_names,
    site=slugs,
    task_type=lines(min_size=0),
    start_url=st.sampled_from(["", "/", "/admin/?next=/a b"[:14], "https://shop.example:8443/x?y=1#z"]),
    locale=st.sampled_from(["en-US", "de-DE", "ar"]),
    timezone=st.sampled_from(["UTC", "Europe/Berlin"]),
    provenance=st.builds(Provenance, method=lines(), episodes=st.lists(texts(), max_size=2).map(tuple)),
    extra=st.dictionaries(st.sampled_from(["authors", "title", "vscode"]), json_values(), max_size=2).map(canonical),
)


@st.composite
def _drafts(draw: st.DrawFn, name: str, known: tuple[str, ...]) -> StepDraft:
    def cell_of_gates() -> str:
        found = draw(st.lists(gates(known), max_size=2))
        return "\n".join(f"await {gate.expression}" for gate in found)

    values = [f"await page.get_by_label({name!r}).fill(str(params.{name}))" for name in known]
    return StepDraft(
        name=name,
        intent=draw(lines()),
        procedure=tuple(draw(st.lists(st.sampled_from(['Press "Save".', "Öffne „Menü“.", "Wait."]), max_size=3))),
        pre=cell_of_gates(),
        code="\n".join(draw(st.lists(st.sampled_from([*values, "await page.reload()", "x = 'ü{}%'"]), max_size=2))),
        post=cell_of_gates(),
        settings=draw(step_settings),
        fallback=draw(st.booleans()),
    )


@st.composite
def cells_of_notes(draw: st.DrawFn, number: int) -> Cell:
    kind = draw(st.sampled_from(["code", "markdown", "raw"]))
    extra: dict[str, Any] = {}
    if draw(st.booleans()):
        extra["tags"] = draw(st.lists(st.sampled_from(["hide-input", "keep", "ünique"]), unique=True, min_size=1))
    if draw(st.booleans()):
        extra["metadata"] = {"editable": draw(st.booleans()), "other": {"deep": [1, None]}}
    if kind == "markdown" and draw(st.booleans()):
        extra["attachments"] = {"a.png": {"image/png": "aGk="}}
    source = draw(st.sampled_from(["", "print('ü')", "x = 1\n"])) if kind == "code" else draw(texts())
    return Cell(id=f"note-{number}", kind=kind, role=Role.NOTE, step=None, source=source, extra=canonical(extra))


@st.composite
def workflows(draw: st.DrawFn) -> Workflow:
    """Workflows as notebooks can hold them, with notes anywhere and cells of one role more than once."""
    known = tuple(draw(st.lists(identifiers, max_size=3, unique=True)))
    declared = tuple(draw(parameters(name)) for name in known)
    names = draw(st.lists(slugs, min_size=1, max_size=3, unique=True))
    header = draw(headers)
    drafts = tuple(draw(_drafts(name, known)) for name in names)
    made = compose(header, f"# {draw(lines())}\n\n{draw(lines(min_size=0))}", declared, drafts)
    cells: list[Cell] = []
    for cell in made.cells:
        if draw(st.integers(0, 5)) == 0:
            cells.append(draw(cells_of_notes(len(cells))))
        cells.append(cell)
        if cell.role in (Role.PRE, Role.CODE, Role.POST) and draw(st.integers(0, 3)) == 0:
            second = {"tags": ["second"]} if draw(st.booleans()) else {}
            again = replace(cell, id=f"{cell.id}-2", source="await gate.url('**/x')", extra=canonical(second))
            cells.append(again)
    return assembled(header, tuple(cells), {step.name: step.settings for step in made.steps})

"""The parameters cell, read and written: ``name = <literal>  # <type>[, required][, one of a|b]: help``."""

from __future__ import annotations

import ast
import io
import json
import keyword
import re
import tokenize
from typing import NamedTuple

from skillnb.codec import canonical
from skillnb.rules.cellsource import BadSource, parsed
from skillnb.rules.nearest import did_you_mean
from skillnb.rules.parametervalue import ENVIRONMENT_NAME, Unfit, fitted
from skillnb.terms.workflow import Parameter, ParameterType

__all__ = ["LineProblem", "mirror", "ParameterCell", "parse_parameters", "write_parameters"]

_CHOICE = r'(?:"(?:[^"\\]|\\.)*"|[^|,:"\s](?:[^|,:"]*[^|,:"\s])?)'
_COMMENT = re.compile(
    r"#\s*(?P<type>[A-Za-z]+)\s*(?P<required>,\s*required\s*)?"
    rf"(?:,\s*one of\s+(?P<choices>{_CHOICE}(?:\s*\|\s*{_CHOICE})*)\s*)?(?::\s*(?P<help>.*))?$"
)
_FORM = "write `name = <literal>  # <type>[, required][, one of a|b|c]: help`"
_IDENTIFIER = "use letters, digits and underscores, beginning with a letter, and no Python keyword"
_NAME = re.compile(r"^([^\s=#'\"\[\](){}][^=#'\"\[\](){}]*?)\s*=(?!=)")
_TYPES = frozenset(kind.value for kind in ParameterType)
_EMPTY: tuple[object, ...] = (None, "", 0, 0.0, False, [], {})


class LineProblem(NamedTuple):
    line: int
    reason: str
    remedy: str
    code: str
    warning: bool = False


class ParameterCell(NamedTuple):
    """Parameters in order with the line each stands on, and what is wrong with the others."""

    parameters: tuple[Parameter, ...]
    lines: tuple[int, ...]
    problems: tuple[LineProblem, ...]


def parse_parameters(source: str) -> ParameterCell:
    tree = parsed(source)
    if isinstance(tree, BadSource):
        return ParameterCell((), (), _unreadable(source, tree))
    comments = _comments(source)
    found: list[Parameter] = []
    lines: list[int] = []
    problems: list[LineProblem] = []
    for statement in tree.body:
        if isinstance(statement, ast.Pass):
            continue
        read = _parameter(statement, comments.get(statement.end_lineno or 0, ""))
        if isinstance(read, LineProblem):
            problems.append(read)
        elif any(read.name == earlier.name for earlier in found):
            reason = f"parameter {read.name!r} is declared twice"
            problems.append(LineProblem(statement.lineno, reason, "keep one of the lines", "duplicate-parameter"))
        else:
            found.append(read)
            lines.append(statement.lineno)
            problems += _doubts(read, statement)
    return ParameterCell(tuple(found), tuple(lines), tuple(problems))


def _unreadable(source: str, bad: BadSource) -> tuple[LineProblem, ...]:
    """Names that Python itself refuses are told as such; else where the syntax breaks."""
    named = ((number, _NAME.match(line)) for number, line in enumerate(source.split("\n"), start=1))
    problems = tuple(
        LineProblem(number, f"{found[1]!r} can't be the name of a parameter", _IDENTIFIER, "parameter-name")
        for number, found in named
        if found and (not found[1].isidentifier() or keyword.iskeyword(found[1]))
    )
    reason = f"the parameters cell is not Python: {bad.reason}"
    return problems or (LineProblem(bad.line, reason, _FORM, "python-syntax"),)


def write_parameters(parameters: tuple[Parameter, ...]) -> str:
    """The source of a parameters cell that reads back as the same parameters."""
    return "\n".join(_line(parameter) for parameter in parameters)


def mirror(parameters: tuple[Parameter, ...]) -> dict[str, object]:
    """What the notebook's metadata says of the parameters, for tools that do not read comments."""
    return {parameter.name: _entry(parameter) for parameter in parameters}


def _entry(parameter: Parameter) -> dict[str, object]:
    entry: dict[str, object] = {"type": parameter.type.value, "required": parameter.required}
    if parameter.choices:
        entry["choices"] = list(parameter.choices)
    return entry


def _line(parameter: Parameter) -> str:
    literal = '""' if parameter.required else _literal(json.loads(parameter.default))
    if parameter.required and parameter.type in (ParameterType.INT, ParameterType.FLOAT, ParameterType.BOOL):
        literal = "None"
    parts = [str(parameter.type)]
    if parameter.required:
        parts.append("required")
    if parameter.choices:
        parts.append("one of " + "|".join(_quoted(choice) for choice in parameter.choices))
    return f"{parameter.name} = {literal}  # {', '.join(parts)}" + (f": {parameter.help}" if parameter.help else "")


def _literal(value: object) -> str:
    """Python source of a JSON value, on one line, strings in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if value.isprintable() else repr(value)
    if isinstance(value, list):
        return "[" + ", ".join(_literal(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(item)}" for key, item in value.items()) + "}"
    return repr(value)


def _quoted(choice: str) -> str:
    return choice if re.fullmatch(_CHOICE, choice) and choice[0] != '"' and choice.isprintable() else json.dumps(choice)


def _comments(source: str) -> dict[int, str]:
    """The trailing comment of each line. The source is known to parse."""
    found: dict[int, str] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = token.string
    except (tokenize.TokenError, SyntaxError):
        return found
    return found


def _parameter(statement: ast.stmt, comment: str) -> Parameter | LineProblem:
    if isinstance(statement, ast.AnnAssign):
        reason = "a parameter is annotated; its type stands in the comment"
        return LineProblem(statement.lineno, reason, "remove the annotation", "parameter-annotated")
    if (
        not isinstance(statement, ast.Assign)
        or len(statement.targets) != 1
        or not isinstance(statement.targets[0], ast.Name)
    ):
        reason = f"{ast.unparse(statement).splitlines()[0][:60]!r} is no parameter line"
        remedy = f"{_FORM}, names being identifiers; anything else goes to another cell"
        return LineProblem(statement.lineno, reason, remedy, "not-a-parameter")
    name = statement.targets[0].id
    declared = _COMMENT.match(comment)
    if not declared or declared["type"] not in _TYPES:
        return _no_type(statement.lineno, name, comment, declared)
    try:
        literal = ast.literal_eval(statement.value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        reason = f"the default of {name!r} is computed"
        return LineProblem(statement.lineno, reason, "write a literal", "parameter-default")
    return _declared(statement.lineno, name, declared, literal)


def _no_type(line: int, name: str, comment: str, declared: re.Match[str] | None) -> LineProblem:
    if declared:
        remedy = did_you_mean(declared["type"], _TYPES)
        reason = f"parameter {name!r} has the unknown type {declared['type']!r}"
        return LineProblem(line, reason, remedy, "parameter-type")
    reason = f"parameter {name!r} has " + (f"an unreadable comment {comment!r}" if comment else "no type comment")
    return LineProblem(line, reason, _FORM, "parameter-type")


def _declared(line: int, name: str, declared: re.Match[str], literal: object) -> Parameter | LineProblem:
    kind = ParameterType(declared["type"])
    required = declared["required"] is not None
    choices = _choices(declared["choices"] or "")
    if (kind is ParameterType.ENUM) != bool(choices):
        reason = f"parameter {name!r} " + ("is an enum without choices" if not choices else f"is a {kind} with choices")
        return LineProblem(line, reason, f"write `# enum, one of {'|'.join(choices) or 'a|b|c'}`", "parameter-choices")
    bare = Parameter(
        name=name,
        type=kind,
        default="null",
        required=required,
        help=(declared["help"] or "").strip(),
        choices=choices,
    )
    if required:
        return bare
    if bare.secret and not _names_variable(literal):
        reason = f"secret {name!r} has a value in the notebook"
        remedy = f'write `{name} = "env:{name.upper()}"`, or `, required`; change the secret if it was a real one'
        return LineProblem(line, reason, remedy, "secret-literal")
    try:
        value = _strict(bare, literal)
    except Unfit as unfit:
        return LineProblem(line, f"the default of {name!r} ({kind}): {unfit.reason}", unfit.remedy, "parameter-default")
    return Parameter(name=name, type=kind, default=canonical(value), required=False, help=bare.help, choices=choices)


def _strict(parameter: Parameter, literal: object) -> object:
    """A default is written in its own type; only a run's values may come as text."""
    kinds: dict[ParameterType, tuple[type, ...]] = {
        ParameterType.INT: (int,),
        ParameterType.FLOAT: (int, float),
        ParameterType.BOOL: (bool,),
    }
    if parameter.type is ParameterType.JSON:
        if isinstance(literal, str):
            fitted(Parameter(name="", type=ParameterType.STRING, default="null", required=False), literal)
            return literal
        return fitted(parameter, literal)
    expected = kinds.get(parameter.type, (str,))
    if not isinstance(literal, expected) or (isinstance(literal, bool) and bool not in expected):
        remedy = f"write a literal of type {parameter.type}, or `, required` when there is no default"
        raise Unfit(f"{literal!r:.80} is no {parameter.type}", remedy)
    return fitted(parameter, literal)


def _choices(text: str) -> tuple[str, ...]:
    found = (choice.strip() for choice in re.findall(_CHOICE, text))
    return tuple(dict.fromkeys(_unquoted(choice) for choice in found))


def _unquoted(choice: str) -> str:
    if not choice.startswith('"'):
        return choice
    try:
        return str(json.loads(choice))
    except ValueError:
        return choice


def _doubts(parameter: Parameter, statement: ast.stmt) -> list[LineProblem]:
    if not parameter.required or not isinstance(statement, ast.Assign):
        return []
    literal = ast.literal_eval(statement.value)
    if literal in _EMPTY:
        return []
    if parameter.secret and not _names_variable(literal):
        reason = f"secret {parameter.name!r} has a value in the notebook"
        remedy = 'write `""`; change the secret if it was a real one'
        return [LineProblem(statement.lineno, reason, remedy, "secret-literal")]
    reason = f"parameter {parameter.name!r} is required, so its value here is never used by a run"
    return [LineProblem(statement.lineno, reason, 'write `""`, or remove `required`', "unused-default", warning=True)]


def _names_variable(literal: object) -> bool:
    return isinstance(literal, str) and ENVIRONMENT_NAME.fullmatch(literal) is not None

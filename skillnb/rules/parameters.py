"""The values a run works with: given, default or from the environment; every problem found before anything starts."""

from __future__ import annotations

import json
from collections.abc import Mapping

from skillnb.errors import InvalidParameters
from skillnb.rules.masking import Masker
from skillnb.rules.nearest import did_you_mean
from skillnb.rules.parametervalue import ENVIRONMENT_NAME, Unfit, fitted
from skillnb.terms.workflow import Parameter, ParameterType

__all__ = ["is_secret_names", "resolve"]


def resolve(
    declared: tuple[Parameter, ...], given: Mapping[str, object], environment: Mapping[str, str], workflow: str
) -> dict[str, object]:
    """Values by name, in declared order. Raises InvalidParameters listing every problem at once.

    A problem never quotes a secret, not even where another parameter was given its value. Whether the file of a
    ``file`` parameter exists is the caller's question.
    """
    names = {parameter.name for parameter in declared}
    problems = [f"`{name}` is no parameter of it: {_extra(name, names)}" for name in given if name not in names]
    values: dict[str, object] = {}
    for parameter in declared:
        try:
            values[parameter.name] = _value(parameter, given, environment)
        except Unfit as unfit:
            problems.append(f"`{parameter.name}` ({parameter.type}) {unfit}")
    if problems:
        listed = tuple(f"{parameter.name} ({_described(parameter)})" for parameter in declared)
        hidden = Masker({item.name: str(values[item.name]) for item in declared if item.secret and item.name in values})
        told = tuple(hidden.text(problem) for problem in problems)
        raise InvalidParameters(workflow=workflow, problems=told, declared=listed)
    return values


def is_secret_names(declared: tuple[Parameter, ...]) -> frozenset[str]:
    return frozenset(parameter.name for parameter in declared if parameter.secret)


def _extra(name: str, names: set[str]) -> str:
    return did_you_mean(name, names) if names else "it takes none"


def _value(parameter: Parameter, given: Mapping[str, object], environment: Mapping[str, str]) -> object:
    if parameter.name in given:
        value = given[parameter.name]
    elif parameter.required:
        meaning = f" ({parameter.help})" if parameter.help else ""
        raise Unfit(f"is missing{meaning}", f"give it with `-p {parameter.name}={_sample(parameter)}`")
    else:
        value = json.loads(parameter.default)
        if parameter.type is ParameterType.JSON:  # already the value, not a text to parse
            return value
    found = fitted(parameter, value)
    return _secret(parameter.name, str(found), environment) if parameter.secret else found


def _secret(name: str, value: str, environment: Mapping[str, str]) -> str:
    if not value.startswith("env:"):
        if not value:
            raise Unfit("is empty", f"give it with `-p {name}=env:VARIABLE`")
        return value
    variable = ENVIRONMENT_NAME.fullmatch(value)
    if variable is None:
        raise Unfit("begins with `env:` but names no variable", "write env:NAME with a variable's name")
    content = environment.get(variable[1])
    if not content:
        state = "is not set" if content is None else "is empty"
        raise Unfit(
            f"is read from the environment variable {variable[1]}, which {state}",
            f"set it with `export {variable[1]}=...`, or name another with `-p {name}=env:OTHER`",
        )
    return _content(content)


def _content(content: str) -> str:
    if any("\ud800" <= letter <= "\udfff" for letter in content):
        raise Unfit("is not UTF-8 in the environment", "set it again as UTF-8 text")
    return content


def _sample(parameter: Parameter) -> str:
    if parameter.secret:
        return "env:VARIABLE"
    return "|".join(parameter.choices) if parameter.choices else "VALUE"


def _described(parameter: Parameter) -> str:
    return f"{parameter.type}, required" if parameter.required else str(parameter.type)

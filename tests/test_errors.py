"""The error tree: its picture at the top of the module is true, and every error survives a process boundary."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from skillnb import errors
from skillnb.errors import SkillnbError

SAMPLES: dict[Any, object] = {
    str: "something",
    int: 3,
    float: 2.5,
    int | None: 3,
    tuple[str, ...]: ("one", "two"),
    tuple[int, ...]: (8001, 8002),
}


def below(kind: type[SkillnbError]) -> list[type[SkillnbError]]:
    """``kind`` and all that come from it, as the module orders them."""
    return [
        kind,
        *(each for child in kind.__subclasses__() if child.__module__ == errors.__name__ for each in below(child)),
    ]


KINDS = below(SkillnbError)


def sample(kind: type[SkillnbError]) -> SkillnbError:
    hints = get_type_hints(kind.__init__)
    given = {
        name: SAMPLES[hints[name]]
        for name, parameter in inspect.signature(kind).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    positional = ["something went wrong"] if "what" in inspect.signature(kind).parameters else []
    return kind(*positional, **given)  # type: ignore[arg-type]


def drawn() -> list[tuple[str, str]]:
    """(error, the one above it) for each line of the tree in the module's docstring."""
    above: list[str] = []
    found = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"((?:│   |    |├── |└── )*)([A-Z]\w+)\b", line)
        if match is None or match.group(2) not in vars(errors):
            continue
        depth = len(match.group(1)) // 4
        del above[depth:]
        found.append((match.group(2), above[-1] if above else ""))
        above.append(match.group(2))
    return found


def test_the_tree_drawn_is_the_tree_there_is() -> None:
    real = {(kind.__name__, (kind.__base__ or kind).__name__ if kind is not SkillnbError else "") for kind in KINDS}
    assert set(drawn()) == real
    assert len(drawn()) == len(real)


def test_every_error_is_exported_and_nothing_else() -> None:
    assert sorted((kind.__name__ for kind in KINDS), key=str.lower) == errors.__all__


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_crosses_processes_with_its_message_and_facts(kind: type[SkillnbError]) -> None:
    error = sample(kind)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (kind, str(error), vars(error))


@pytest.mark.parametrize("kind", KINDS)
def test_the_exit_status_follows_the_branch(kind: type[SkillnbError]) -> None:
    branches = {errors.UsageError: 2, errors.OutsideError: 4}
    expected = next((status for branch, status in branches.items() if issubclass(kind, branch)), 1)
    assert sample(kind).exit_status == expected


@pytest.mark.parametrize("kind", KINDS)
def test_a_message_says_what_it_was_given(kind: type[SkillnbError]) -> None:
    assert re.search("something|one|3|8001", str(sample(kind)))


def test_errors_are_defined_in_one_module_only() -> None:
    """Elsewhere an exception is only the outcome of one adapter, caught by the layer above it."""
    package = Path(errors.__file__).parent
    outcomes = {
        "ActionFailed",
        "KernelLost",
        "ModelFailed",
        "NotRecorded",
        "OtherElement",
        "PageLost",
        "RunNotPassed",
        "Unfit",
    }
    found = {
        node.name
        for path in package.rglob("*.py")
        if "files" not in path.parts and path.name != "errors.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(
            re.search(r"Error$|Exception$", ast.unparse(base)) or ast.unparse(base) in vars(errors)
            for base in node.bases
        )
    }
    assert found == outcomes

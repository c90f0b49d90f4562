"""Sizes, names, ``__all__``, docstrings, silent excepts, skipped tests, stray paths and addresses."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import re
import subprocess
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path

import pytest

from tests.repo import house

ROOT = Path(__file__).parents[2]

LONG: dict[str, str] = {}
"""Modules longer than the house allows, each with its reason. One that no longer is must leave this list."""

SKIPPED: dict[str, str] = {
    "tests/llm/test_real_models.py": "weights of models that a machine may not be able to fetch; the reason is printed"
}
"""Tests that may be skipped or fail: file to reason."""

HOSTS = {
    "api.openai.com": "where a model is asked when no other address is set",
    "127.0.0.1": "applications on loopback",
    "localhost": "applications on loopback",
    "www.apache.org": "the licence",
}
"""Hosts that a tracked file may name, besides those reserved for examples (``*.example``, ``*.invalid``)."""


def tracked() -> tuple[Path, ...]:
    """Files under version control, or where there is none all that are not hidden."""
    answer = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if answer.returncode == 0:
        names = [Path(name) for name in answer.stdout.split("\0") if name]
    else:
        names = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
    return tuple(name for name in names if (ROOT / name).is_file() and not _hidden(name))


def _hidden(name: Path) -> bool:
    return any(part.startswith(".") and part not in {".ci", ".gitignore"} for part in name.parts)


def text_files() -> Iterator[tuple[Path, str]]:
    for name in tracked():
        data = (ROOT / name).read_bytes()
        if b"\0" not in data:
            yield name, data.decode("utf-8")


def sources(*tops: str) -> Iterator[tuple[Path, ast.Module, str]]:
    """Our own Python; scripts of the applications (``files/``) run elsewhere and follow their framework."""
    for name, text in text_files():
        if name.suffix == ".py" and "files" not in name.parts and (not tops or name.parts[0] in tops):
            yield name, ast.parse(text), text


def over_all(rule: Callable[[Path, ast.Module], Iterator[str]], *tops: str) -> list[str]:
    return [sentence for name, tree, _ in sources(*tops) for sentence in rule(name, tree)]


def test_no_module_or_function_is_too_long() -> None:
    found = {str(name): list(house.sized(name, tree, text)) for name, tree, text in sources()}
    too_long = {name: told for name, told in found.items() if told}
    assert {name: told for name, told in too_long.items() if name not in LONG} == {}
    assert sorted(LONG) == sorted(too_long), "an exception that is not needed any more"


def test_names_say_what_is_inside() -> None:
    assert [sentence for name, _, _ in sources() for sentence in house.named(name)] == []


def test_every_module_lists_its_public_names() -> None:
    assert over_all(house.unlisted, "skillnb") == []


def test_every_module_says_what_it_is_for() -> None:
    assert over_all(house.opened, "skillnb", "docs", "bench") == []


def test_no_exception_is_caught_and_forgotten() -> None:
    assert over_all(house.swallowed) == []


def test_no_test_is_skipped_without_a_listed_reason() -> None:
    found = over_all(house.skipped, "tests")
    assert [told for told in found if told.split(":")[0] not in SKIPPED] == []
    assert {told.split(":")[0] for told in found} == set(SKIPPED)


def test_no_reminder_and_no_path_of_one_machine_is_left_lying() -> None:
    assert [told for name, text in text_files() for told in house.unmarked(name, text)] == []


def test_no_tracked_file_names_a_host_that_is_not_known() -> None:
    found = {
        (str(name), host)
        for name, text in text_files()
        for host in re.findall(r"https?://([\w-]+(?:\.[\w-]+)+)", text)
        if host not in HOSTS and not host.endswith((".example", ".invalid", ".test"))
    }
    assert found == set()


def terms() -> Iterator[type]:
    for name, tree, _ in sources("skillnb"):
        if name.parts[1] == "terms" and name.stem != "__init__":
            module = importlib.import_module(f"skillnb.terms.{name.stem}")
            yield from (getattr(module, node.name) for node in tree.body if isinstance(node, ast.ClassDef))


@pytest.mark.parametrize("kind", list(terms()), ids=lambda kind: kind.__name__)
def test_every_class_of_terms_is_a_term_or_a_closed_set(kind: type) -> None:
    if issubclass(kind, StrEnum):
        return
    assert dataclasses.is_dataclass(kind)
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert all(field.kw_only for field in dataclasses.fields(kind))
    assert "__slots__" in vars(kind)
    assert kind.__pydantic_config__ == {"extra": "forbid"}  # type: ignore[attr-defined]


LONG_FUNCTION = "def f():\n" + "    x = 1\n" * 50
PLANTED: list[tuple[Callable[[Path, ast.Module], Iterator[str]], str, str]] = [
    (house.unlisted, "def f(): ...\n", "m.py: no __all__, and it defines f"),
    (house.unlisted, "__all__ = ['f']\ndef f(): ...\nA = 1\n", "m.py: not in __all__: A"),
    (house.unlisted, "__all__ = ['B', 'a']\na = B = 1\nB = 2\n", "m.py: __all__ is not sorted"),
    (house.unlisted, "__all__ = ['f', 'g']\ndef f(): ...\n", "m.py: in __all__ and nowhere else: g"),
    (house.opened, "from __future__ import annotations\n", "m.py: no docstring"),
    (house.opened, "'''M.'''\n", "m.py: no `from __future__ import annotations` after the docstring"),
    (house.swallowed, "try:\n    f()\nexcept E:\n    pass\n", "m.py:3: catches an exception and forgets it"),
    (house.swallowed, "try:\n    f()\nexcept:\n    g()\n", "m.py:3: catches everything without naming it"),
    (house.skipped, "@pytest.mark.skipif(True)\ndef f(): ...\n", "m.py:1: pytest.mark.skipif"),
    (house.skipped, "pytest.importorskip('x')\n", "m.py:1: pytest.importorskip"),
]


@pytest.mark.parametrize(("rule", "source", "told"), PLANTED, ids=[told for _, _, told in PLANTED])
def test_a_planted_fault_is_found(rule: Callable[[Path, ast.Module], Iterator[str]], source: str, told: str) -> None:
    assert list(rule(Path("m.py"), ast.parse(source))) == [told]


def test_planted_lengths_names_and_marks_are_found() -> None:
    where = Path("m.py")
    assert list(house.sized(where, ast.parse(LONG_FUNCTION), LONG_FUNCTION)) == ["m.py: f has 51 lines, more than 50"]
    blank = "\n" * 351
    assert list(house.sized(where, ast.parse(blank), blank)) == ["m.py: 351 lines are more than 350"]
    assert list(house.named(Path("rules/utils.py"))) == ["rules/utils.py: utils says nothing about what is inside"]
    assert list(house.unmarked(where, "# TO" + "DO later")) == ["m.py:1: a reminder left lying: TO" + "DO"]
    assert list(house.unmarked(where, "open('/ro" + "ot/x')")) == ["m.py:1: a path of one machine: /ro" + "ot/"]

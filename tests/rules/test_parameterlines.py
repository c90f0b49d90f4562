from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.rules.parameterlines import mirror, parse_parameters, write_parameters
from skillnb.terms.workflow import Parameter, ParameterType
from tests.strategies import parameters


@given(st.lists(parameters(), max_size=4, unique_by=lambda parameter: parameter.name))
@settings(deadline=None)
def test_reads_back_what_it_wrote(declared: list[Parameter]) -> None:
    read = parse_parameters(write_parameters(tuple(declared)))
    assert read.problems == ()
    assert tuple(declared) == read.parameters


@given(
    st.text(max_size=80)
    | st.builds("{} = {}  # {}".format, st.text(max_size=6), st.text(max_size=8), st.text(max_size=30))
)
@settings(deadline=None)
def test_is_total_on_any_text(source: str) -> None:
    read = parse_parameters(source)
    assert len(read.parameters) == len(read.lines)


def test_reads_the_lines_of_a_person() -> None:
    source = """# Parameters
username = ""  # string, required: the new user's name: as shown
carrier = 'DHL # fast'# enum, one of DHL # fast | "UPS, Ground" |Post
password = "env:DJANGO_ADMIN_PASSWORD"   #secret: of the person who logs in

due = {
    "day": 1,
}  # json
"""
    read = parse_parameters(source)
    assert read.problems == ()
    assert read.lines == (2, 3, 4, 6)
    assert (
        Parameter(
            name="username",
            type=ParameterType.STRING,
            default="null",
            required=True,
            help="the new user's name: as shown",
        ),
        Parameter(
            name="carrier",
            type=ParameterType.ENUM,
            default='"DHL # fast"',
            required=False,
            choices=("DHL # fast", "UPS, Ground", "Post"),
        ),
        Parameter(
            name="password",
            type=ParameterType.SECRET,
            default='"env:DJANGO_ADMIN_PASSWORD"',
            required=False,
            help="of the person who logs in",
        ),
        Parameter(name="due", type=ParameterType.JSON, default='{"day":1}', required=False),
    ) == read.parameters


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('x = ""', "parameter-type"),
        ('x = ""  # the name', "parameter-type"),
        ('x = ""  # str', "parameter-type"),
        ('x = ""  # string required', "parameter-type"),
        ('x: str = ""  # string', "parameter-annotated"),
        ("import os", "not-a-parameter"),
        ("x = y = 1  # int", "not-a-parameter"),
        ("x.y = 1  # int", "not-a-parameter"),
        ("x = 1 + y  # int", "parameter-default"),
        ('x = "1"  # int', "parameter-default"),
        ("x = True  # int", "parameter-default"),
        ("x = 1.5  # int", "parameter-default"),
        ("x = 1e999  # float", "parameter-default"),
        ("x = 1  # bool", "parameter-default"),
        ("x = 1  # string", "parameter-default"),
        ("x = None  # string", "parameter-default"),
        ('x = "\\ud800"  # string', "parameter-default"),
        ('x = ""  # date', "parameter-default"),
        ('x = "2026-02-30"  # date', "parameter-default"),
        ('x = "c"  # enum, one of a|b', "parameter-default"),
        ("x = {1}  # json", "parameter-default"),
        ('x = ""  # enum', "parameter-choices"),
        ('x = ""  # string, one of a|b', "parameter-choices"),
        ('x = "hunter2"  # secret', "secret-literal"),
        ('x = ""  # secret', "secret-literal"),
        ('x = "hunter2"  # secret, required', "secret-literal"),
        ("x = 1  # int\nx = 2  # int", "duplicate-parameter"),
        ("class = 1  # int", "parameter-name"),
        ("a-b = 1  # int", "parameter-name"),
        ("a b = 1  # int", "parameter-name"),
        ("1x = 1  # int", "parameter-name"),
        ("x = (", "python-syntax"),
        ('x = "a"  # string, required', "unused-default"),
    ],
)
def test_names_what_is_wrong_with_a_line(line: str, code: str) -> None:
    (problem,) = parse_parameters(line).problems
    assert code == problem.code
    assert line.count("\n") + 1 == problem.line


@pytest.mark.parametrize("line", ['x = "hunter2"  # secret', 'x = "hunter2"  # secret, required'])
def test_a_problem_never_quotes_a_secret(line: str) -> None:
    assert "hunter2" not in str(parse_parameters(line).problems)


def test_mirror_tells_type_need_and_choices() -> None:
    read = parse_parameters('a = ""  # string, required\nb = "x"  # enum, one of x|y')
    assert mirror(read.parameters) == {
        "a": {"type": "string", "required": True},
        "b": {"type": "enum", "required": False, "choices": ["x", "y"]},
    }

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.errors import InvalidParameters
from skillnb.rules.parameters import is_secret_names, resolve
from skillnb.terms.workflow import Parameter, ParameterType
from tests.strategies import parameters, texts


def _parameter(kind: str, **facts: Any) -> Parameter:
    return Parameter(**{"name": "x", "type": ParameterType(kind), "default": "null", "required": True, **facts})


def _one(kind: str, value: object, **facts: Any) -> object:
    return resolve((_parameter(kind, **facts),), {"x": value}, {}, "a/b")["x"]


def _problems(*args: Any) -> tuple[str, ...]:
    with pytest.raises(InvalidParameters) as caught:
        resolve(args[0], args[1], args[2], "a/b")
    return caught.value.problems


@pytest.mark.parametrize(
    ("kind", "given_value", "expected"),
    [
        ("string", "007", "007"),
        ("string", "{x} 100 % \"a\"\n'b' / Zürich 東京", "{x} 100 % \"a\"\n'b' / Zürich 東京"),
        ("string", "", ""),
        ("string", 1001, "1001"),
        ("string", 10**30, "1" + "0" * 30),
        ("string", True, "True"),
        ("int", "42", 42),
        ("int", "-1", -1),
        ("int", "0", 0),
        ("int", 42, 42),
        ("int", "9" * 60, int("9" * 60)),
        ("float", "3.50", 3.5),
        ("float", "-1e-3", -0.001),
        ("float", ".5", 0.5),
        ("float", 2, 2.0),
        ("bool", "true", True),
        ("bool", "True", True),
        ("bool", "0", False),
        ("bool", "False", False),
        ("bool", 1, True),
        ("bool", False, False),
        ("date", "2024-02-29", "2024-02-29"),
        ("date", datetime.date(2024, 2, 29), "2024-02-29"),
        ("datetime", "2026-01-31T09:30:00+01:00", "2026-01-31T09:30:00+01:00"),
        ("datetime", "2026-01-31T09:30Z", "2026-01-31T09:30Z"),
        ("file", "a b/ü.csv", "a b/ü.csv"),
        ("json", '{"a": [1, true, null]}', {"a": [1, True, None]}),
        ("json", [1, {"b": "c"}], [1, {"b": "c"}]),
        ("json", '"text"', "text"),
        ("json", None, None),
        ("secret", "hunter2", "hunter2"),
        ("secret", 1234, "1234"),
    ],
)
def test_accepts(kind: str, given_value: object, expected: object) -> None:
    found = _one(kind, given_value)
    assert expected == found
    assert type(expected) is type(found)


@pytest.mark.parametrize(
    ("kind", "given_value"),
    [
        ("string", 3.1),
        ("string", None),
        ("string", ["a"]),
        ("string", "half \ud83d"),
        ("int", "1_000"),
        ("int", "0x10"),
        ("int", " 5"),
        ("int", "5 "),
        ("int", "5\n"),
        ("int", "٣"),
        ("int", "1e5"),
        ("int", "1.0"),
        ("int", "007"),
        ("int", "+5"),
        ("int", ""),
        ("int", 1e5),
        ("int", True),
        ("int", "9" * 5000),
        ("float", "nan"),
        ("float", "inf"),
        ("float", float("nan")),
        ("float", float("-inf")),
        ("float", "1e999"),
        ("float", 10**400),
        ("float", "1_0.0"),
        ("float", " 1.0"),
        ("float", "٣.٠"),
        ("float", "."),
        ("float", True),
        ("float", None),
        ("bool", "TRUE"),
        ("bool", "yes"),
        ("bool", ""),
        ("bool", 2),
        ("bool", 1.0),
        ("bool", None),
        ("date", "2025-02-29"),
        ("date", "2025-2-9"),
        ("date", "20250209"),
        ("date", "2025-02-09T00:00"),
        ("date", "٢٠٢٥-٠٢-٠٩"),
        ("date", datetime.datetime(2025, 2, 9)),
        ("datetime", "2026-01-31T09:30:00"),
        ("datetime", "2026-01-31 09:30:00Z"),
        ("datetime", "2026-01-31"),
        ("datetime", "2026-01-31T25:00:00Z"),
        ("datetime", datetime.datetime(2026, 1, 31)),
        ("datetime", 5),
        ("file", ""),
        ("file", "  "),
        ("file", "a\0b"),
        ("json", "{"),
        ("json", "NaN"),
        ("json", "[1e999]"),
        ("json", "[" * 100_000),
        ("json", {1: "a"}),
        ("json", float("nan")),
        ("json", {"a": {1}}),
        ("json", '"\\ud800"'),
        ("secret", 3.5),
        ("secret", ""),
        ("secret", "env:not a name"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_refuses(kind: str, given_value: object) -> None:
    (problem,) = _problems((_parameter(kind),), {"x": given_value}, {})
    assert problem.startswith(f"`x` ({kind}) ")
    assert len(problem) < 400


def test_an_enum_takes_its_choices_and_nothing_else() -> None:
    assert _one("enum", "DHL", choices=("DHL", "UPS")) == "DHL"
    assert _one("enum", 1, choices=("1", "2")) == "1"
    near = _problems((_parameter("enum", choices=("DHL", "UPS")),), {"x": "dhl"}, {})
    assert near == ("`x` (enum) 'dhl' is none of the choices; write 'DHL'",)


def test_a_zone_is_asked_for_by_name() -> None:
    (problem,) = _problems((_parameter("datetime"),), {"x": "2026-01-31T09:30:00"}, {})
    assert problem == "`x` (datetime) '2026-01-31T09:30:00' has no zone; end it with Z or an offset such as +01:00"


def test_lists_every_problem_at_once() -> None:
    declared = (
        _parameter("string", name="username", help="who logs in"),
        _parameter("int", name="order"),
        _parameter("secret", name="password", required=False, default='"env:ADMIN_PASSWORD"'),
    )
    problems = _problems(declared, {"user_name": "x", "order": "1_000"}, {})
    assert problems == (
        "`user_name` is no parameter of it: did you mean 'username'?",
        "`username` (string) is missing (who logs in); give it with `-p username=VALUE`",
        "`order` (int) '1_000' is no int; write decimal digits only, such as 42 or -1, without leading zeros",
        "`password` (secret) is read from the environment variable ADMIN_PASSWORD, which is not set; "
        "set it with `export ADMIN_PASSWORD=...`, or name another with `-p password=env:OTHER`",
    )


def test_an_extra_parameter_of_a_workflow_without_any() -> None:
    assert _problems((), {"x": 1}, {}) == ("`x` is no parameter of it: it takes none",)


def test_secrets_come_from_the_environment() -> None:
    declared = (_parameter("secret", required=False, default='"env:A"'),)
    assert resolve(declared, {}, {"A": "s3cret"}, "a/b") == {"x": "s3cret"}
    assert resolve(declared, {"x": "env:B"}, {"A": "s3cret", "B": "other"}, "a/b") == {"x": "other"}
    assert resolve(declared, {"x": "literal"}, {}, "a/b") == {"x": "literal"}
    assert "is empty" in _problems(declared, {}, {"A": ""})[0]
    assert "is not UTF-8" in _problems(declared, {}, {"A": "\udcff"})[0]


@given(st.text(alphabet="abcXYZ019", min_size=6), st.sampled_from(["{}", "env:{} !", "{}\ud800"]))
def test_a_problem_never_quotes_a_secret(secret: str, shape: str) -> None:
    declared = (_parameter("secret"), _parameter("int", name="n"))
    with pytest.raises(InvalidParameters) as caught:
        resolve(declared, {"x": shape.format(secret), "n": "?"}, {"A": secret}, "a/b")
    assert secret not in str(caught.value)
    with pytest.raises(InvalidParameters) as caught:
        resolve(declared, {"x": [secret], "n": "?"}, {"A": secret}, "a/b")
    assert secret not in str(caught.value)


@given(parameters())
@settings(deadline=None)
def test_every_default_resolves_to_itself(parameter: Parameter) -> None:
    if parameter.required:
        assert "is missing" in _problems((parameter,), {}, {})[0]
        return
    default = json.loads(parameter.default)
    environment = {default[4:]: "value"} if parameter.secret else {}
    found = resolve((parameter,), {}, environment, "a/b")
    assert {parameter.name: "value" if parameter.secret else default} == found


@given(texts(200))
def test_text_comes_through_unchanged(value: str) -> None:
    assert value == _one("string", value)


@given(
    st.sampled_from(ParameterType), st.text() | st.integers() | st.floats() | st.none() | st.binary() | st.booleans()
)
@settings(deadline=None)
def test_any_value_is_taken_or_refused_in_words(kind: ParameterType, value: object) -> None:
    try:
        found = _one(kind.value, value, choices=("a", "b") if kind is ParameterType.ENUM else ())
    except InvalidParameters:
        return
    assert found == json.loads(json.dumps(found, allow_nan=False))


def test_values_stand_in_declared_order() -> None:
    declared = (_parameter("int", name="b"), _parameter("int", name="a"))
    assert list(resolve(declared, {"a": 1, "b": 2}, {}, "w")) == ["b", "a"]


def test_names_the_secrets() -> None:
    assert frozenset({"p"}) == is_secret_names((_parameter("secret", name="p"), _parameter("string")))

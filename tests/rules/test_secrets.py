from __future__ import annotations

from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.rules.parameterlines import parse_parameters
from skillnb.rules.secrets import known_secrets, secrets_of
from skillnb.terms.workflow import Workflow


def workflow(name: str, parameters: str, code: str = "pass") -> Workflow:
    step = StepDraft(name="x", intent="X", procedure=(), code=code)
    return compose(Header(name=name, site="s"), "# X", parse_parameters(parameters).parameters, (step,))


def test_the_runs_own_those_of_called_workflows_and_those_named_in_code() -> None:
    main = workflow("s/main", 'p = "env:OWN"  # secret: x', 'await call("s/other", key="env:NAMED")')
    other = workflow("s/other", 'key = "env:KEY"  # secret: x\nalso = "env:OWN"  # secret: x')
    environment = {"OWN": "default", "KEY": "of the other", "NAMED": "in code", "ELSE": "x"}
    assert known_secrets(main, (other,), {"p": "given"}, environment) == {
        "p": "given",
        "s/main.p": "default",
        "NAMED": "in code",
        "s/other.key": "of the other",
    }


def test_values_under_names_that_tell_the_workflow() -> None:
    other = workflow("s/other", 'key = "env:KEY"  # secret: x\nn = 1  # int: x')
    assert secrets_of(other, {"key": "v", "n": 1}) == {"s/other.key": "v"}

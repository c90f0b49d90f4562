"""The difference of two versions, by steps."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings

from skillnb.notebook.example import example
from skillnb.notebook.identity import version_id
from skillnb.rules.stepdiff import StepDiff, step_diff
from skillnb.terms.workflow import Effect, Role, Workflow
from tests.strategies import workflows

EXAMPLE = example("django/log-in", None)


def edited(role: Role, old: str, new: str) -> Workflow:
    cells = tuple(
        replace(cell, source=cell.source.replace(old, new)) if cell.role is role else cell for cell in EXAMPLE.cells
    )
    return replace(EXAMPLE, cells=cells)


def told(after: Workflow, before: Workflow = EXAMPLE) -> list[tuple[str, str, list[str]]]:
    return [(item.step, item.kind, [part.part for part in item.parts]) for item in step_diff(before, after)]


def test_gates_guidance_and_code_are_told_apart() -> None:
    assert told(edited(Role.CODE, "Username", "User")) == [("fill-in-the-form", "changed", ["code"])]
    assert told(edited(Role.POST, "Log out", "Leave")) == [("log-in", "changed", ["gates after"])]
    assert told(edited(Role.PRE, "Log in", "Enter")) == [("fill-in-the-form", "changed", ["gates before"])]
    assert told(edited(Role.PROCEDURE, "wait", "look")) == [("log-in", "changed", ["guidance"])]


def test_only_the_lines_that_changed_and_what_stands_around_them() -> None:
    found = step_diff(EXAMPLE, edited(Role.CODE, '"Username"', '"User"'))
    assert found[0].parts[0].lines == (
        '-await page.get_by_label("Username").fill(params.username)',
        '+await page.get_by_label("User").fill(params.username)',
        ' await page.get_by_label("Password").fill(params.password)',
    )


def test_a_step_added_removed_moved_and_set_otherwise() -> None:
    one, two = EXAMPLE.steps
    less = replace(EXAMPLE, steps=(one,), cells=tuple(cell for cell in EXAMPLE.cells if cell.step != "log-in"))
    parts = ["gates before", "gates after", "guidance", "settings", "code", "fallback"]
    assert told(less) == [("log-in", "removed", parts)]
    assert told(EXAMPLE, less) == [("log-in", "added", parts)]
    assert [(step, kind) for step, kind, _ in told(replace(EXAMPLE, steps=(two, one)))] in (
        [("log-in", "moved")],
        [("fill-in-the-form", "moved")],
    )
    once = replace(one, settings=replace(one.settings, effect=Effect.ONCE))
    assert told(replace(EXAMPLE, steps=(once, two))) == [("fill-in-the-form", "changed", ["settings"])]


def test_what_belongs_to_no_step() -> None:
    assert told(replace(EXAMPLE, start_url="/")) == [("", "changed", ["start_url"])]
    assert told(edited(Role.CARD, "administration", "office"))[0][::2] == ("", ["other cells"])


@given(workflows(), workflows())
@settings(max_examples=60, deadline=None)
def test_nothing_differs_exactly_where_the_identity_is_the_same(one: Workflow, two: Workflow) -> None:
    assert step_diff(one, one) == ()
    assert (version_id(one) == version_id(two)) == (not step_diff(one, two))
    assert all(isinstance(item, StepDiff) and (item.parts or item.kind == "moved") for item in step_diff(one, two))

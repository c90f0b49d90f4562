from __future__ import annotations

from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.terms.workflow import StepSettings


def test_a_step_without_code_is_guided() -> None:
    step = StepDraft(name="go", intent="Go", procedure=("Press it.", "Wait."), post="await gate.url('**/gone')")
    workflow = compose(Header(name="a/b", site="a"), "# Go", (), (step,))
    assert [cell.id for cell in workflow.cells] == [
        "card",
        "parameters",
        "open",
        "go-procedure",
        "go-post",
        "go-fallback",
    ]
    assert StepSettings(formalized=False) == workflow.step("go").settings
    assert workflow.cell("go-procedure").source == "## Go\n\n1. Press it.\n2. Wait."
    assert workflow.cell("go-fallback").source == 'await fallback("go")'


def test_settings_and_fallback_are_the_drafts() -> None:
    settings = StepSettings(formalized=False, timeout=5.0)
    step = StepDraft(name="go", intent="Go", procedure=(), code="1", settings=settings, fallback=False)
    workflow = compose(Header(name="a/b", site="a"), "# Go", (), (step,))
    assert settings == workflow.step("go").settings
    assert workflow.step("go").fallback is None
    assert workflow.cell("go-procedure").source == "## Go"

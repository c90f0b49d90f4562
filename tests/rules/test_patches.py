"""Repairs on trial: what is put in, what a run's results make of them, and what is kept at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skillnb.rules.patches import after_run, applied, keepable
from skillnb.terms.cascade import Happened, Move
from skillnb.terms.fingerprint import Box, Fingerprint
from skillnb.terms.history import What
from skillnb.terms.memory import Call, Gathered, Memory, Mended, Patch, PatchState, Seen
from skillnb.terms.outcome import FailureClass, Outcome, Path, Verdict
from skillnb.terms.record import StepResult
from tests.promises.workflows import step, workflow

MADE = workflow("/", step("save", code='await page.locator("#a").fill("x")\nawait page.locator("#b").click()'))
CALL = Call(step="save", cell="save-code", number=1)
PATCH = Patch(
    call=CALL,
    method="click",
    old='page.locator("#b")',
    new='page.get_by_role("button", name="Save")',
    selector="#b",
    gates=(),
    run="r0",
)


def result(path: Path, outcome: Outcome = Outcome.PASSED, *, failed: FailureClass | None = None) -> StepResult:
    verdict = Verdict.FAILED if failed else Verdict.PASSED
    return StepResult(
        step="save",
        workflow="kit/it",
        outcome=outcome,
        path=path,
        failure=failed,
        reason="",
        seconds=0.0,
        tokens=0,
        gates=(),
        happened=(Happened(move=Move.CODE, verdict=verdict, failure=failed, reason=""),),
        patched=("as patched",),
    )


def after(
    patches: tuple[Patch, ...], told: StepResult, gathered: Gathered | None = None, *, passed: bool = True
) -> tuple[tuple[Patch, ...], list[What]]:
    memory = Memory(workflow="kit/it", patches=patches)
    made, events = after_run(memory, gathered or Gathered(), (told,), "r1", passed=passed, passes=2)
    return made.patches, [event.what for event in events]


def test_a_patched_cell_says_so_and_differs_in_its_locator_alone() -> None:
    put = applied(
        MADE, (PATCH, replace(PATCH, call=replace(CALL, number=7)), replace(PATCH, call=replace(CALL, cell="x")))
    )
    source = put.workflow.cell("save-code").source
    note, rest = source.split("\n", 1)
    assert note.startswith('# patched: page.locator("#b") -> page.get_by_role("button", name="Save") (proven in run r0')
    assert rest == 'await page.locator("#a").fill("x")\nawait page.get_by_role("button", name="Save").click()'
    assert put.patches == (PATCH,)
    assert applied(MADE, ()).workflow == MADE


def test_passes_are_counted_once_a_run_and_promote() -> None:
    [once], events = after((PATCH,), result(Path.CODE))
    assert (once.passes, once.state, events) == (("r1",), PatchState.QUARANTINED, [])
    assert after((once,), result(Path.CODE)) == ((once,), [])
    [twice], events = after((replace(PATCH, passes=("r0a",)),), result(Path.CODE))
    assert (twice.state, events) == (PatchState.PROMOTED, [What.PROMOTED])
    assert after((PATCH,), result(Path.SKIPPED)) == ((PATCH,), [])
    assert after((PATCH,), result(Path.CODE), passed=False) == ((PATCH,), [])


@pytest.mark.parametrize("failure", [FailureClass.LOCATOR, FailureClass.GATE])
@pytest.mark.parametrize("state", list(PatchState))
def test_a_patch_that_fails_is_dropped_in_whatever_state(failure: FailureClass, state: PatchState) -> None:
    told = result(Path.PROCEDURE, Outcome.FAILED, failed=failure)
    assert after((replace(PATCH, state=state),), told, passed=False) == ((), [What.REVERTED])


@pytest.mark.parametrize("failure", [FailureClass.NETWORK, FailureClass.AUTH, FailureClass.TIMEOUT])
def test_what_says_nothing_of_the_locator_drops_nothing(failure: FailureClass) -> None:
    assert after((PATCH,), result(Path.CODE, Outcome.ABORTED, failed=failure), passed=False) == ((PATCH,), [])


def mended(number: int, new: str = "page.locator('#c')", old: str = 'page.locator("#a")') -> Gathered:
    call = replace(CALL, number=number)
    item = Mended(place="save", workflow="kit/it", call=call, method="fill", old=old, new=new, selector="#a")
    return Gathered(mended=(item,))


def test_another_action_that_failed_says_nothing_of_the_patch() -> None:
    patches, events = after((PATCH,), result(Path.REPAIRED, failed=FailureClass.LOCATOR), mended(0))
    assert ([patch.call.number for patch in patches], events) == ([1, 0], [What.REPAIRED])


def test_a_repair_of_a_patch_replaces_it_and_knows_the_versions_own_locator() -> None:
    again = mended(1, "page.locator('#d')", old=PATCH.new)
    [patch], events = after((PATCH,), result(Path.REPAIRED, failed=FailureClass.LOCATOR), again)
    assert (patch.old, patch.selector, patch.new, patch.run) == (PATCH.old, "#b", "page.locator('#d')", "r1")
    assert events == [What.REVERTED, What.REPAIRED]
    back = mended(1, PATCH.old, old=PATCH.new)
    assert after((PATCH,), result(Path.REPAIRED, failed=FailureClass.LOCATOR), back) == ((), [What.REVERTED])


@pytest.mark.parametrize("told", [result(Path.REPAIRED, Outcome.UNVERIFIED), result(Path.PROCEDURE)])
def test_what_was_not_proven_is_not_kept(told: StepResult) -> None:
    assert after((), told, mended(0)) == ((), [])
    assert after((), result(Path.REPAIRED), mended(0), passed=False) == ((), [])


@pytest.mark.parametrize(("path", "kept"), [(Path.CODE, 1), (Path.REPAIRED, 1), (Path.PROCEDURE, 0)])
def test_elements_are_known_from_code_that_passed(path: Path, kept: int) -> None:
    seen = Seen(place="save", workflow="kit/it", call=CALL, selector="#b", fingerprint=Fingerprint(tag="button"))
    made, _ = after_run(Memory(workflow="kit/it"), Gathered(seen=(seen,)), (result(path),), "r1", passed=True, passes=2)
    assert len(made.known) == kept


@pytest.mark.parametrize(
    ("old", "new", "values", "kept"),
    [
        ('page.locator("#a")', 'page.get_by_role("link", name="Orders")', {"order": "1001"}, True),
        ("page.locator(where)", 'page.get_by_role("link", name="Orders")', {}, False),
        ('page.get_by_text(f"{params.a}")', "page.locator('#a')", {"a": "b"}, False),
        ('row.locator("#a")', "page.locator('#a')", {}, False),
        ('page.locator("#a")', 'page.get_by_role("link", name="Order 1001")', {"order": 1001}, False),
        ('page.locator("#a")', 'page.get_by_role("link", name="Desk lamp")', {"product": "desk  LAMP"}, False),
        ("page.locator(", "page.locator('#a')", {}, False),
    ],
)
def test_a_repair_good_for_one_run_is_not_kept(old: str, new: str, values: dict[str, object], kept: bool) -> None:
    assert keepable(old, new, values) is kept


@pytest.mark.parametrize(
    ("box", "text", "written"),
    [
        (Box(x=10, y=20, width=100, height=30), "Save", False),
        (Box(x=12, y=36, width=101, height=30), "Save", False),
        (Box(x=10, y=37, width=100, height=30), "Save", True),
        (None, "Save", True),
        (Box(x=10, y=20, width=100, height=30), "Save now", True),
    ],
)
def test_what_is_known_is_written_again_only_where_it_says_more(box: Box | None, text: str, written: bool) -> None:
    def seen(box: Box | None, text: str) -> Gathered:
        print_ = Fingerprint(tag="button", text=text, box=box)
        return Gathered(
            seen=(Seen(workflow="kit/it", place="save", call=CALL, selector="#b", fingerprint=print_),), mended=()
        )

    first = seen(Box(x=10, y=20, width=100, height=30), "Save")
    memory, _ = after_run(Memory(workflow="kit/it"), first, (result(Path.CODE),), "r1", passed=True, passes=2)
    again, _ = after_run(memory, seen(box, text), (result(Path.CODE),), "r2", passed=True, passes=2)
    assert [known.run for known in again.known] == ["r2" if written else "r1"]

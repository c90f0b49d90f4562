"""States as a machine: whatever happens in whatever order, what is served exists, was gated and is not retired."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from skillnb.rules.serving import MOVES, known_versions, maker, makes_version, refused, standing
from skillnb.terms.history import Entry, State, What

PLACES = st.integers(0, 5)


def entry(event: What, version: int, *, file: str = "", gates: bool = True, at: str = "2026-03-01T00:00:00Z") -> Entry:
    seen = ('gate.url("**")',) if gates else ()
    return Entry(event=event, version=version, id=f"id-{version}", who="ada", why="w", at=at, file=file, gates=seen)


CREATED = entry(What.CREATED, 1, file="f")


def history(*events: str) -> list[Entry]:
    """``edited`` makes the next version; ``released 2`` names one."""
    made = [CREATED]
    for text in events:
        word, _, number = text.rpartition(" ") if text[-1].isdigit() else (text, "", "0")
        event = What(word)
        newest = max(item.version for item in made)
        making = event is What.EDITED
        made.append(entry(event, newest + 1 if making else int(number), file="f" if making else ""))
    return made


def told(*events: str, versions: tuple[int, ...] = (1, 2, 3)) -> tuple[str, int | None]:
    now = standing(history(*events), versions)
    return str(now.state), now.version


def test_the_newest_runs_until_one_is_released_then_that_one() -> None:
    assert told() == ("provisional", 1)
    assert told("edited") == ("provisional", 2)
    assert told("edited", "released 1") == ("released", 1)
    assert told("edited", "released 1", "edited") == ("released", 1)


def test_a_retired_one_comes_back_on_probation_and_is_released_again() -> None:
    assert told("released 1", "retired 1") == ("retired", None)
    assert told("released 1", "retired 1", "released 1") == ("retired", None)
    assert told("released 1", "retired 1", "restored 1") == ("probation", 1)
    assert told("released 1", "retired 1", "restored 1", "released 1") == ("released", 1)
    assert told("retired 1", "restored 1") == ("provisional", 1)


def test_a_roll_back_goes_to_what_was_released_before_and_can_be_undone() -> None:
    two = ("released 1", "edited", "released 2")
    assert standing(history(*two), (1, 2)).back == 1
    assert told(*two, "rolled back 1") == ("released", 1)
    assert told(*two, "rolled back 1", "undone 1") == ("released", 2)
    assert told(*two, "rolled back 1", "undone 1", "undone 2") == ("released", 1)
    assert told(*two, "edited", "rolled back 3") == ("released", 2)


def test_histories_written_with_the_product_hold_without_gates() -> None:
    shipped = (entry(What.CREATED, 1, at=""), entry(What.RELEASED, 1, gates=False, at=""))
    assert standing(shipped, (1,))[:2] == (State.RELEASED, 1)
    later = (shipped[0], entry(What.RELEASED, 1, gates=False))
    assert standing(later, (1,))[:2] == (State.PROVISIONAL, 1)


def test_a_file_that_the_history_does_not_name_is_not_run() -> None:
    assert known_versions((CREATED,), (1, 7)) == (1,)
    assert known_versions((), (1, 7)) == (1, 7)


def test_a_patch_on_trial_makes_no_version_and_a_taken_one_does() -> None:
    assert not makes_version(entry(What.REPAIRED, 1))
    assert makes_version(entry(What.REPAIRED, 2, file="f"))


ENTRIES = st.builds(
    entry, st.sampled_from(What), st.integers(0, 5), file=st.sampled_from(("", "f")), gates=st.booleans()
)


@given(st.lists(ENTRIES, max_size=25), st.frozensets(PLACES))
@settings(max_examples=400, deadline=None)
def test_of_any_series_of_lines_what_is_served_exists_was_gated_and_is_not_retired(
    lines: list[Entry], versions: frozenset[int]
) -> None:
    now = standing(lines, versions)
    if now.version is not None:
        assert now.version in versions
        assert now.state is not State.RETIRED
    if now.version is not None and now.state in (State.RELEASED, State.PROBATION):
        assert any(line.event is What.RELEASED and line.version == now.version and line.gates for line in lines)


class Life(RuleBasedStateMachine):
    """Only what ``refused`` lets through is written, as the commands do; a plain model beside it says what must be."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = [CREATED]
        self.gated = {1: True}
        self.runs: list[int] = [0]
        """What was chosen after each standing move, the last one last; 0: none."""
        self.retired = False

    @property
    def versions(self) -> tuple[int, ...]:
        return tuple(self.gated)

    def move(self, event: What, version: int) -> bool:
        made = entry(event, version, gates=self.gated.get(version, False))
        before = standing(self.lines, self.versions)
        if refused(before, self.lines, made, self.versions):
            assert standing((*self.lines, made), self.versions)[:2] == before[:2]
            return False
        self.lines.append(made)
        return True

    @rule(gated=st.booleans())
    def edit(self, gated: bool) -> None:
        number = max(self.gated) + 1
        self.gated[number] = gated
        self.lines.append(entry(What.EDITED, number, file="f"))

    @rule(version=PLACES)
    def release(self, version: int) -> None:
        allowed = version in self.gated and self.gated[version]
        if self.move(What.RELEASED, version):
            assert allowed
            assert standing(self.lines, self.versions)[:2] == (State.RELEASED, version)

    @rule(version=PLACES)
    def roll_back(self, version: int) -> None:
        if self.move(What.ROLLED_BACK, version):
            assert any(line.event is What.RELEASED and line.version == version for line in self.lines)
            assert standing(self.lines, self.versions).version == version

    @rule()
    def retire(self) -> None:
        was = standing(self.lines, self.versions)
        assert self.move(What.RETIRED, was.version or 1) == (was.state is not State.RETIRED)

    @rule()
    def restore(self) -> None:
        was = standing(self.lines, self.versions).state
        assert self.move(What.RESTORED, 1) == (was is State.RETIRED)

    @precondition(lambda self: standing(self.lines, self.versions).last is not None)
    @rule()
    def undo(self) -> None:
        assert self.move(What.UNDONE, 1)

    @rule(version=PLACES)
    def move_and_undo(self, version: int) -> None:
        before = standing(self.lines, self.versions)
        for event in sorted(MOVES):
            if self.move(event, version):
                assert self.move(What.UNDONE, version)
                assert standing(self.lines, self.versions) == before

    @invariant()
    def served_exists_was_gated_and_is_not_retired(self) -> None:
        now = standing(self.lines, self.versions)
        assert (now.version is None) == (now.state is State.RETIRED)
        if now.state in (State.RELEASED, State.PROBATION):
            assert now.version is not None
            assert self.gated[now.version]
            released = [line for line in self.lines if line.event is What.RELEASED and line.version == now.version]
            assert released


Life.TestCase.settings = settings(max_examples=80, stateful_step_count=30, deadline=None)
TestLife = Life.TestCase


def test_the_maker_of_a_version_is_the_first_entry_that_wrote_it() -> None:
    lines = (CREATED, replace(CREATED, id="other"))
    found = maker(lines, 1)
    assert found is not None
    assert found.id == "id-1"
    assert maker(lines, 2) is None

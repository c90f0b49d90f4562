"""The shelf: whole or as it was, whoever writes, whenever they are killed, and when the disk is full."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from skillnb.codec import digest_bytes
from skillnb.errors import CorruptHistory, CorruptVersion, HeadMoved, NotSaved, VersionExists
from skillnb.store.shelf import Shelf
from skillnb.terms.history import Entry, What

NAME = "kit/it"
WRITER = """
import json, sys
from pathlib import Path
from skillnb.errors import HeadMoved, VersionExists
from skillnb.store.shelf import Shelf
from tests.store.test_shelf import NAME, entry, writes
shelf, who, done, refused = Shelf(Path(sys.argv[1])), sys.argv[2], [], 0
while len(done) < int(sys.argv[3]):
    history = shelf.read(NAME)
    number = max(shelf.versions(NAME), default=0) + 1
    text = f"{who} {len(done)}"
    try:
        shelf.add(NAME, number, writes(text), entry(number, who=who, why=text), history.head)
    except (HeadMoved, VersionExists):
        refused += 1
    else:
        done.append([number, text])
print(json.dumps([done, refused]))
"""


def entry(version: int, event: What = What.CREATED, who: str = "ada", why: str = "w") -> Entry:
    return Entry(event=event, version=version, id=f"id-{version}", who=who, why=why, at="2026-03-01T00:00:00Z")


def writes(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, "utf-8")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    made = Shelf(tmp_path)
    made.add(NAME, 1, writes("one"), entry(1))
    return made


def files(shelf: Shelf) -> dict[str, bytes]:
    home = shelf.folder / NAME
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def test_a_version_is_kept_under_its_digest_too_and_can_only_be_read(shelf: Shelf) -> None:
    only = shelf.history(NAME)[0]
    assert only.file == digest_bytes(b"one")
    assert shelf.kept(NAME).get(only.file) == shelf.path(NAME, 1).read_bytes() == b"one"
    assert stat.S_IMODE(shelf.path(NAME, 1).stat().st_mode) & 0o222 == 0


def test_each_line_names_the_one_above(shelf: Shelf) -> None:
    shelf.append(NAME, entry(1, What.RELEASED))
    first, second = shelf.history_path(NAME).read_bytes().splitlines()
    assert [line.parent for line in shelf.history(NAME)] == ["", digest_bytes(first)]
    assert shelf.read(NAME).head == digest_bytes(second)


@pytest.mark.parametrize("lines", [(1,), (1, 0), (0, 1, 1), (0, 2)])
def test_a_history_that_was_rearranged_is_noticed(shelf: Shelf, lines: tuple[int, ...]) -> None:
    shelf.append(NAME, entry(1, What.RELEASED))
    shelf.append(NAME, entry(1, What.RETIRED))
    file = shelf.history_path(NAME)
    whole = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(whole[at] for at in lines))
    with pytest.raises(CorruptHistory, match=r"history\.jsonl:\d: unreadable history line: it was written after"):
        shelf.history(NAME)


def test_lines_from_before_there_was_a_chain_stay_readable(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    file = shelf.history_path(NAME)
    file.parent.mkdir(parents=True)
    old = [{"event": what, "version": 1, "id": "i", "who": "s", "why": "w"} for what in ("created", "released")]
    file.write_text("".join(json.dumps(line) + "\n" for line in old), "utf-8")
    shelf.append(NAME, entry(1, What.RETIRED))
    assert [line.event for line in shelf.history(NAME)] == [What.CREATED, What.RELEASED, What.RETIRED]
    assert shelf.history(NAME)[2].parent == digest_bytes(file.read_bytes().splitlines()[1])


def test_who_decided_on_an_older_history_is_refused_and_told_what_came(shelf: Shelf) -> None:
    head = shelf.read(NAME).head
    shelf.append(NAME, entry(1, What.RELEASED, who="eve", why="it is good"), head)
    before = files(shelf)
    with pytest.raises(HeadMoved, match="released version 1 by eve: it is good"):
        shelf.append(NAME, entry(1, What.RETIRED), head)
    with pytest.raises(HeadMoved, match="eve"):
        shelf.add(NAME, 2, writes("two"), entry(2), head)
    with pytest.raises(VersionExists):
        shelf.add(NAME, 1, writes("other"), entry(1))
    assert files(shelf) == before


def test_a_torn_line_names_nothing_stops_writers_and_is_set_aside_by_command(shelf: Shelf) -> None:
    file = shelf.history_path(NAME)
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"event":"retir')
    assert [line.event for line in shelf.history(NAME)] == [What.CREATED]
    with pytest.raises(CorruptHistory, match=r"history\.jsonl:2: .*verify kit/it --repair"):
        shelf.append(NAME, entry(1, What.RELEASED))
    aside = shelf.mend_history(NAME)
    assert aside is not None
    assert (aside.read_bytes(), file.read_bytes()) == (b'{"event":"retir', whole)
    assert shelf.mend_history(NAME) is None
    shelf.append(NAME, entry(1, What.RELEASED))


@pytest.mark.parametrize("damage", [b"\xff\n", b"{}\n", b"[]\n", b"\n", b'{"event":"sold"}\n'])
def test_a_line_that_is_none_is_named(shelf: Shelf, damage: bytes) -> None:
    file = shelf.history_path(NAME)
    file.write_bytes(damage + file.read_bytes())
    with pytest.raises(CorruptHistory, match=r"history\.jsonl:1"):
        shelf.history(NAME)


def test_a_version_whose_writer_was_killed_before_its_file_was_there_is_finished(shelf: Shelf) -> None:
    shelf.add(NAME, 2, writes("two"), entry(2))
    shelf.path(NAME, 2).unlink()
    assert shelf.finish(NAME) == (2,)
    assert shelf.path(NAME, 2).read_text("utf-8") == "two"
    shelf.path(NAME, 2).unlink()
    with pytest.raises(VersionExists):
        shelf.add(NAME, 2, writes("another"), entry(2))
    assert shelf.path(NAME, 2).read_text("utf-8") == "two"


def test_kept_bytes_are_checked_when_they_are_read(shelf: Shelf) -> None:
    kept = Path(shelf.kept(NAME).path(shelf.history(NAME)[0].file))
    kept.write_bytes(b"else")
    shelf.path(NAME, 1).unlink()
    with pytest.raises(CorruptVersion, match=digest_bytes(b"else")):
        shelf.finish(NAME)
    kept.unlink()
    with pytest.raises(CorruptVersion, match="no file"):
        shelf.finish(NAME)


def test_what_stands_in_the_place_of_a_version_is_set_aside_never_lost(shelf: Shelf) -> None:
    path = shelf.path(NAME, 1)
    path.chmod(0o644)
    path.write_text("typed into", "utf-8")
    aside = shelf.put_back(NAME, 1)
    assert (path.read_text("utf-8"), aside.read_text("utf-8")) == ("one", "typed into")
    assert shelf.versions(NAME) == (1,)


def test_gc_takes_what_no_history_names_and_nothing_else(shelf: Shelf) -> None:
    shelf.add(NAME, 2, writes("two"), entry(2))
    before = files(shelf)
    shelf.kept(NAME).put(b"came to nothing", ".ipynb")
    (shelf.folder / NAME / "versions" / ".0003.ipynb.new").write_bytes(b"half")
    found = shelf.sweep(NAME, remove=False)
    assert len(found) == 2
    assert shelf.sweep(NAME) == found
    assert files(shelf) == before
    assert shelf.sweep(NAME) == ()


LIMITED = """
import resource, signal, sys
from pathlib import Path
from skillnb.errors import NotSaved
from skillnb.store.shelf import Shelf
from skillnb.terms.history import What
from tests.store.test_shelf import NAME, entry, writes
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
shelf, limit, text = Shelf(Path(sys.argv[1])), int(sys.argv[2]), sys.argv[3]
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    if text:
        shelf.add(NAME, 2, writes(text * 500), entry(2))
    else:
        shelf.append(NAME, entry(1, What.RELEASED))
except NotSaved as error:
    print(error)
"""


@pytest.mark.parametrize("room", [0, 7, 250])
@pytest.mark.parametrize("text", ["", "two "])
def test_a_full_disk_leaves_everything_as_it_was(shelf: Shelf, room: int, text: str) -> None:
    """Files of this process can't grow beyond a limit, in the middle of the new line or of the new version."""
    before = files(shelf)
    limit = (0 if text else len(before["history.jsonl"])) + room
    done = python(LIMITED, shelf.folder, limit, text)
    assert "could not be written: File too large" in done.stdout, done.stderr
    assert files(shelf) == before
    shelf.append(NAME, entry(1, What.RELEASED))


def test_a_folder_that_is_no_folder_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / NAME / "kept").mkdir(parents=True)
    (tmp_path / NAME / "versions").write_text("a file", "utf-8")
    with pytest.raises(NotSaved, match="nothing was changed"):
        Shelf(tmp_path).add(NAME, 1, writes("one"), entry(1))


def python(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_two_writers_of_two_hundred_changes_each_lose_none(tmp_path: Path) -> None:
    """Each decides on what it has read; a change is there as it was written, or its writer was told that it is not."""
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    started = [
        subprocess.Popen([*command, who, "200"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for who in ("ada", "eve")
    ]
    told = []
    for process in started:
        out, error = process.communicate(timeout=300)
        assert process.returncode == 0, error
        told.append(json.loads(out))
    done = dict(change for changes, _ in told for change in changes)
    shelf = Shelf(tmp_path)
    assert shelf.versions(NAME) == tuple(range(1, 401))
    assert {number: shelf.path(NAME, number).read_text("utf-8") for number in shelf.versions(NAME)} == done
    assert [(line.version, line.why) for line in shelf.history(NAME)] == sorted(done.items())
    assert sum(refused for _, refused in told) > 0
    assert shelf.sweep(NAME) == ()

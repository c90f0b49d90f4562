"""Write the parts of the documentation that the code knows better: ``python -m docs.generate``.

They stand between ``<!-- generated: name -->`` and ``<!-- end -->``; a test fails when they are not current.
"""

from __future__ import annotations

import dataclasses
import inspect
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

import typer.main

from docs.limits import limits_of_a_step
from docs.modeltables import price_rows, priced_on, weights_rows
from skillnb import errors
from skillnb.agent.gate import Gates
from skillnb.cli.main import app
from skillnb.rules.cascade import advance
from skillnb.rules.mutationkinds import AIMS, SAYS
from skillnb.rules.outcome import exit_status
from skillnb.terms import trace
from skillnb.terms.cascade import Happened, Move, Position, Ways
from skillnb.terms.gate import GateKind
from skillnb.terms.outcome import FailureClass, Outcome, Verdict
from skillnb.terms.outcome import Path as Way
from skillnb.terms.workflow import Effect, ParameterType, Role
from tests.repo.layers import LAYERS, LIBRARIES

__all__ = ["current", "pages", "write"]

HERE = Path(__file__).parent
WIDTH = 100
_PART = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

FAILURES = {
    FailureClass.LOCATOR: "an action's locator found no element, several, or one that can't be acted on",
    FailureClass.GATE: "a gate did not hold, or could not be asked",
    FailureClass.TIMEOUT: "a cell or a wait ran out of time",
    FailureClass.AUTH: "the session ended or access was refused; named so far by nothing",
    FailureClass.NETWORK: "the site could not be reached at all; aborts the run",
    FailureClass.DIALOG: "a dialog of the browser stood in the way",
    FailureClass.DATA: "a parameter or a file was not what the step needs",
    FailureClass.CODE: "the cell's own code raised something else",
    FailureClass.MODEL: "a language model failed, gave up or met a limit, or none was there to ask",
    FailureClass.INFRASTRUCTURE: "browser, page or kernel were lost; aborts the run, never counts against the workflow",
}
ROLES = {
    Role.CARD: "markdown: title; when to use the workflow, what it changes, what it needs",
    Role.PARAMETERS: "code, tagged `parameters`: one typed parameter a line",
    Role.OPEN: "code: the one line that binds `page`, `gate`, `params`, `fallback`, `call`",
    Role.PROCEDURE: "markdown: heading = intent in one sentence, list = the way to do it in plain sentences",
    Role.PRE: "code: gates that must hold before the step",
    Role.CODE: "code: the realization, as Playwright's recorder writes it",
    Role.POST: "code: gates that must hold after the step; they alone decide its outcome",
    Role.FALLBACK: 'code: `await fallback("<step>")`',
    Role.REPAIR: "code: only in executed copies, what was tried in place of a cell that failed",
    Role.NOTE: "any: whatever has no `metadata.skillnb` is the author's own and is kept as it is",
}
EFFECTS = {
    Effect.READ: "changes nothing",
    Effect.IDEMPOTENT: "doing it twice is doing it once (the default)",
    Effect.ONCE: "doing it twice would do harm: nothing is repeated once a request may have left",
}
TYPES = {
    ParameterType.STRING: "text",
    ParameterType.INT: "`7`",
    ParameterType.FLOAT: "`1.5`",
    ParameterType.BOOL: "`true`, `false`, `1`, `0`",
    ParameterType.DATE: "`2026-03-01`",
    ParameterType.DATETIME: "`2026-03-01T12:00`, with or without seconds and zone",
    ParameterType.ENUM: "one of the choices after `one of`",
    ParameterType.FILE: "the path of a file that exists",
    ParameterType.JSON: "any JSON value",
    ParameterType.SECRET: "`env:NAME`, the variable it is read from; its value is masked in all that is written",
}


def current(text: str) -> str:
    """``text`` with each generated part as the code has it now. Raises KeyError for a part nobody generates."""
    return _PART.sub(lambda found: f"{found[1]}\n{PARTS[found['name']]()}\n\n{found[3]}", text)


def pages() -> tuple[Path, ...]:
    """Pages that hold generated parts."""
    return tuple(path for path in sorted(HERE.glob("*.md")) if "<!-- generated: " in path.read_text("utf-8"))


def write() -> tuple[Path, ...]:
    """Bring every page up to date; returns those that were not."""
    changed = [path for path in pages() if current(path.read_text("utf-8")) != path.read_text("utf-8")]
    for path in changed:
        path.write_text(current(path.read_text("utf-8")), encoding="utf-8")
    return tuple(changed)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _layers() -> str:
    return _table(
        ("layer", "folders and modules", "may import", "what it is"),
        [(layer.name, _present(layer.units), layer.may, layer.what) for layer in LAYERS],
    )


def _present(units: tuple[str, ...]) -> str:
    """Those that exist, and after them in brackets those that are still to come."""
    package = HERE.parent / "skillnb"
    there = [
        f"`{unit}/`" if (package / unit).is_dir() else f"`{unit}.py`"
        for unit in units
        if (package / unit).is_dir() or (package / f"{unit}.py").is_file()
    ]
    to_come = [unit for unit in units if f"`{unit}/`" not in there and f"`{unit}.py`" not in there]
    return ", ".join(there) + (f" (to come: {', '.join(to_come)})" if to_come else "")


def _libraries() -> str:
    rows = [
        (library, ", ".join(f"`{home.replace('.', '/')}.py`" if home != "cli" else "`cli/`" for home in homes))
        for library, homes in sorted(LIBRARIES.items(), key=lambda item: item[0].lower())
    ]
    return _table(("library", "lives in"), rows)


def _words() -> str:
    rows = []
    for path in sorted((HERE.parent / "skillnb" / "terms").glob("*.py")):
        if path.stem != "__init__":
            module = import_module(f"skillnb.terms.{path.stem}")
            classes = [name for name in module.__all__ if inspect.isclass(getattr(module, name))]
            rows.append((f"`terms/{path.name}`", _first(module), ", ".join(classes)))
    return _table(("module", "what", "terms"), rows)


def _first(thing: object) -> str:
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split()).replace("``", "`")


_ALL = Ways(pre=True, code=True, post=True, procedure=True, intent=True, repair=True, once=False, optional=False)
_ONCE = dataclasses.replace(_ALL, once=True)
_MOVES: tuple[tuple[Move, tuple[Way | None, ...]], ...] = (
    (Move.PROBE, (None, Way.CODE)),
    (Move.PRE, (None,)),
    (Move.CODE, (Way.CODE,)),
    (Move.REPAIR, (Way.CODE,)),
    (Move.POST, (Way.CODE, Way.REPAIRED, Way.PROCEDURE, Way.INTENT)),
    (Move.PROCEDURE, (None,)),
    (Move.INTENT, (None,)),
)
_GATED = frozenset({Move.PROBE, Move.PRE, Move.POST})


def _moves() -> str:
    return _table(("move", "came of it", "next", "next of a `once` step whose request may have left"), _move_rows())


def _move_rows() -> Iterator[tuple[str, ...]]:
    for move, ways in _MOVES:
        for way in ways:
            for verdict, failure in _came(move):
                at = Position(move=move, path=way)
                happened = Happened(move=move, verdict=verdict, failure=failure, reason="why")
                usual = _told(advance(_ALL, at, happened))
                once = _told(advance(_ONCE, at, dataclasses.replace(happened, dispatched=True)))
                said = f"{verdict}: {failure}" if failure else str(verdict)
                yield _asked(move, way), said, usual, "the same" if once == usual else once
    lost = Happened(move=Move.CODE, verdict=Verdict.FAILED, failure=FailureClass.INFRASTRUCTURE)
    aborted = _told(advance(_ALL, Position(move=Move.CODE), lost))
    yield "any", f"failed: {FailureClass.INFRASTRUCTURE} or {FailureClass.NETWORK}", aborted, "the same"


def _asked(move: Move, way: Way | None) -> str:
    if move is Move.PROBE:
        return "`probe` before the step" if way is None else "`probe` after an error"
    return f"`{move}` after {way}" if move is Move.POST else f"`{move}`"


def _came(move: Move) -> Iterator[tuple[Verdict, FailureClass | None]]:
    yield Verdict.PASSED, None
    if move is Move.CODE:
        yield Verdict.FAILED, FailureClass.LOCATOR
        yield Verdict.FAILED, FailureClass.CODE
    else:
        yield Verdict.FAILED, None
    if move in {Move.POST, Move.REPAIR, Move.PROCEDURE, Move.INTENT}:
        yield Verdict.UNKNOWN, None


def _told(at: Position) -> str:
    if at.move is not Move.STOP:
        return f"`{at.move}`"
    by = f" by {at.path}" if at.path and at.outcome is Outcome.PASSED else ""
    return f"stop: {at.outcome}{by}"


def _statuses() -> str:
    def of(outcome: Outcome) -> str:
        return str(exit_status(outcome, (), False))

    healed = exit_status(Outcome.PASSED, (Way.REPAIRED,), True)
    rows = [
        (of(Outcome.PASSED), "passed: every step's post gates held"),
        (of(Outcome.FAILED), "failed: a step could not be done in any way (of `check`: a notebook has errors)"),
        (str(errors.UsageError.exit_status), "bad input, found before anything was started"),
        (of(Outcome.UNVERIFIED), "unverified: done, but no gate could prove it"),
        (
            of(Outcome.ABORTED),
            "aborted: browser, kernel, network or the run were lost; says nothing of the workflow",
        ),
        (str(healed), "passed, but a step healed or fell back, with `--fail-on-heal`"),
    ]
    return _table(("status", "meaning"), rows)


def _failures() -> str:
    return _table(("class", "why the step failed"), [(f"`{kind}`", FAILURES[kind]) for kind in FailureClass])


def _trace() -> str:
    rows = [(event.__name__, _fields(event)) for event in get_args(trace.Event)]
    line = f"Format {trace.FORMAT}. A line: {_fields(trace.TraceLine)}."
    return line + "\n\n" + _table(("event (`kind`)", "fields"), rows)


def _fields(kind: type[Any]) -> str:
    hints = get_type_hints(kind)
    return ", ".join(f"`{field.name}` {_type(hints[field.name])}" for field in dataclasses.fields(kind))


def _type(hint: Any) -> str:
    if hint == trace.Event:
        return "(one of the events below)"
    if isinstance(hint, UnionType):
        return " or ".join(_type(each) for each in get_args(hint))
    if get_args(hint):
        return f"list of {_type(get_args(hint)[0])}"
    plain = {str: "text", int: "integer", float: "number", bool: "true/false", type(None): "null"}
    return plain[hint] if hint in plain else str(hint.__name__)


def _enumerated(head: tuple[str, str], words: dict[Any, str], members: Any) -> str:
    return _table(head, [(f"`{member}`", words[member]) for member in members])


def _gates() -> str:
    rows = []
    for kind in GateKind:
        method = getattr(Gates, kind, None)
        if method is not None:
            given = [
                item for item in inspect.signature(method).parameters.values() if item.name not in {"self", "timeout"}
            ]
            shown = [item.name if item.kind is item.POSITIONAL_OR_KEYWORD else f"{item.name}=" for item in given]
            rows.append((f"`gate.{kind}({', '.join(shown)})`", _first(method)))
    return _table(("gate", "holds when"), rows)


def _mutations() -> str:
    return _table(("change", "counts as", "the page then"), [(f"`{kind}`", AIMS[kind], SAYS[kind]) for kind in SAYS])


def _errors() -> str:
    tree = (errors.__doc__ or "").split("\n\n")[1]
    kinds = [getattr(errors, name) for name in errors.__all__]
    branches = {base for kind in kinds for base in kind.__bases__}
    rows = [(f"`{kind.__name__}`", str(kind.exit_status), _message(kind)) for kind in kinds if kind not in branches]
    return f"```text\n{tree.strip()}\n```\n\n" + _table(("error", "exit status", "message"), rows)


def _message(kind: Any) -> str:
    """What the error says, with the names of its facts where the facts will stand."""
    hints = get_type_hints(kind.__init__)
    given = {name: _fact(name, hints[name]) for name in inspect.signature(kind).parameters}
    return " ".join(str(kind(**given)).split())


def _fact(name: str, hint: Any) -> Any:
    if hint is str:
        return f"‹{name}›"
    if get_args(hint) and get_args(hint)[-1] is Ellipsis:
        return (_fact(name, get_args(hint)[0]),)
    return 3


def _commands() -> str:
    command = typer.main.get_command(app)
    return "\n\n".join(_help(command, path) for path in _paths(command, ()))


def _paths(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    command.rich_markup_mode = None  # plain text, the same in every terminal
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from _paths(inner, (*path, name))


def _help(command: Any, path: tuple[str, ...]) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        command.main(
            [*path, "--help"],
            prog_name="skillnb",
            standalone_mode=False,
            terminal_width=WIDTH,
            max_content_width=WIDTH,
        )
    text = "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())
    return f"## {' '.join(('skillnb', *path))}\n\n```text\n{text}\n```"


PARTS: dict[str, Callable[[], str]] = {
    "commands": _commands,
    "effects": lambda: _enumerated(("effect", "doing the step twice"), EFFECTS, Effect),
    "errors": _errors,
    "failures": _failures,
    "gates": _gates,
    "layers": _layers,
    "libraries": _libraries,
    "model-limits": lambda: _table(*limits_of_a_step()),
    "moves": _moves,
    "mutations": _mutations,
    "roles": lambda: _enumerated(("role", "holds"), ROLES, Role),
    "prices": lambda: f"{priced_on()}\n\n" + _table(("host", "model", "sent", "received"), price_rows()),
    "statuses": _statuses,
    "trace": _trace,
    "types": lambda: _enumerated(("type", "values"), TYPES, ParameterType),
    "words": _words,
    "weights": lambda: _table(("name", "what", "size", "packages", "for", "licence"), weights_rows()),
}

if __name__ == "__main__":
    for page in write():
        sys.stdout.write(f"{page.name} brought up to date\n")

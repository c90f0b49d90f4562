"""A workflow: ordered steps kept as one notebook."""

from __future__ import annotations

from enum import StrEnum

from skillnb.terms import term
from skillnb.terms.gate import Gate

__all__ = [
    "Cell",
    "Effect",
    "Parameter",
    "ParameterType",
    "Provenance",
    "Role",
    "Step",
    "StepSettings",
    "Workflow",
]


class Role(StrEnum):
    """What a cell is for. ``note`` is any cell without ``metadata.skillnb``; ``repair`` only stands in copies."""

    CARD = "card"
    PARAMETERS = "parameters"
    OPEN = "open"
    PROCEDURE = "procedure"
    PRE = "pre"
    CODE = "code"
    POST = "post"
    FALLBACK = "fallback"
    REPAIR = "repair"
    NOTE = "note"


class Effect(StrEnum):
    """What doing the step twice would mean."""

    READ = "read"
    IDEMPOTENT = "idempotent"
    ONCE = "once"


class ParameterType(StrEnum):
    STRING = "string"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    DATE = "date"
    DATETIME = "datetime"
    ENUM = "enum"
    FILE = "file"
    JSON = "json"
    SECRET = "secret"


@term
class Cell:
    """One cell of the notebook, as authored: no outputs, no counts."""

    id: str
    kind: str
    """``code``, ``markdown`` or ``raw``."""
    role: Role
    step: str | None
    source: str
    extra: str = "{}"
    """Canonical JSON of what else the author keeps on the cell: own tags, other metadata, attachments. Not hashed."""


@term
class Parameter:
    """A typed parameter. ``default`` is the literal in the parameters cell (``required`` when there is none to use).

    A secret's default is never the secret: it is ``env:NAME``, the place it is read from.
    """

    name: str
    type: ParameterType
    default: str
    """Canonical JSON of the default value; ``null`` when required."""
    required: bool
    help: str = ""
    choices: tuple[str, ...] = ()

    @property
    def secret(self) -> bool:
        return self.type is ParameterType.SECRET


@term
class StepSettings:
    effect: Effect = Effect.IDEMPOTENT
    formalized: bool = True
    optional: bool = False
    timeout: float = 30.0
    """Seconds that one cell of the step may take."""
    checkpoint: str = ""
    """Address from which the next step can go on once this one is confirmed; ``{name}`` stands for a parameter."""


@term
class Step:
    """One unit of work. Cells are referred to by id; their text is in ``Workflow.cells``."""

    name: str
    intent: str
    """One sentence: the heading of the procedure cell."""
    procedure: tuple[str, ...]
    """The numbered or bulleted sentences of the procedure cell, markers stripped, in order."""
    settings: StepSettings
    pre: tuple[str, ...]
    code: tuple[str, ...]
    post: tuple[str, ...]
    fallback: str | None
    pre_gates: tuple[Gate, ...]
    post_gates: tuple[Gate, ...]


@term
class Provenance:
    """Where a workflow came from."""

    method: str = "written"
    episodes: tuple[str, ...] = ()


@term
class Workflow:
    """The parsed notebook. Identity is the digest of this value (see ``notebook.identity``), never of the file."""

    name: str
    """``site/name``."""
    title: str
    site: str
    task_type: str
    start_url: str
    locale: str
    timezone: str
    parameters: tuple[Parameter, ...]
    steps: tuple[Step, ...]
    cells: tuple[Cell, ...]
    provenance: Provenance
    extra: str = "{}"
    """Canonical JSON of notebook metadata that is not skillnb's (an own kernelspec, authors ...). Not hashed."""

    def step(self, name: str) -> Step:
        return next(step for step in self.steps if step.name == name)

    def cell(self, identifier: str) -> Cell:
        return next(cell for cell in self.cells if cell.id == identifier)

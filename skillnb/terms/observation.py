"""What a page showed: address, accessible elements, form values, network, files."""

from __future__ import annotations

from skillnb.terms import term

__all__ = ["DialogSeen", "FileSeen", "Node", "Observation", "Recorded", "ResponseSeen", "ValueRead"]


@term
class Node:
    """One accessible element (or run of text, role ``text``) of a snapshot, in document order.

    ``depth`` gives the tree back: a node's parent is the last earlier node of smaller depth. ``name`` is the accessible
    name; where the snapshot left it out because the descendants print it, it is put together from them again.
    """

    index: int
    depth: int
    parent: int
    """Index of the parent node, -1 at the top."""
    role: str
    name: str
    text: str = ""
    """Own inline text or, of a form field, its value as the snapshot prints it (white space folded)."""
    ref: str = ""
    """The snapshot's handle of the element; empty for text runs and for nodes the snapshot gives none."""
    url: str = ""
    placeholder: str = ""
    level: int = 0
    checked: str = ""
    """``true``, ``mixed`` or empty; likewise the other states below are ``true`` or empty unless noted."""
    disabled: bool = False
    expanded: bool = False
    pressed: str = ""
    selected: bool = False
    active: bool = False
    clickable: bool = False
    """The pointer over it is a hand."""
    frame: str = ""
    """Prefix of the frame's refs inside one snapshot; empty in the top frame."""
    value: str | None = None
    """The exact committed value of a form field, read back from the page where a gate needed it; else ``None``."""


@term
class ResponseSeen:
    method: str
    url: str
    status: int
    resource: str
    """``document``, ``fetch``, ``xhr`` ..."""


@term
class FileSeen:
    """A file the step produced (download). ``failure`` is empty when it is complete."""

    name: str
    path: str
    size: int
    failure: str = ""


@term
class DialogSeen:
    """A dialog that a page opened since the step began."""

    kind: str
    """``alert``, ``confirm``, ``prompt`` or ``beforeunload``."""
    message: str
    answer: str
    """``dismissed`` or ``accepted``, as Playwright does where nobody listens, or ``left to the code``."""


@term
class ValueRead:
    """The exact value of one form field, read back from the page; ``ref`` is its node's in the snapshot beside it."""

    ref: str
    value: str


@term
class Recorded:
    """An observation as it is kept: the snapshot as Playwright wrote it, from which the nodes are parsed again."""

    url: str
    snapshot: str
    values: tuple[ValueRead, ...]
    responses: tuple[ResponseSeen, ...]
    files: tuple[FileSeen, ...]
    settled: bool
    dialogs: tuple[DialogSeen, ...] = ()


@term
class Observation:
    """The observable state at one moment, as gates, grounding and replay see it."""

    url: str
    title: str
    nodes: tuple[Node, ...]
    responses: tuple[ResponseSeen, ...] = ()
    """Responses since the step began, in order."""
    files: tuple[FileSeen, ...] = ()
    """Downloads since the step began, in order."""
    settled: bool = True
    """False while the page is still loading or changing."""
    dialogs: tuple[DialogSeen, ...] = ()

"""Every error of skillnb. An error means a broken promise; expected outcomes (a failed gate, a fallback) are values.

SkillnbError
├── UsageError                bad input, found before anything is started (exit 2)
│   ├── InvalidWorkflow       a notebook that breaks the rules of a workflow
│   ├── InvalidParameters     missing, extra or ill-typed parameters
│   ├── BadName               not `site/name`
│   ├── WorkflowNotFound      no such workflow, or no such version of it
│   ├── NotAllowed            a change that the state of a workflow does not allow
│   ├── NotResumable          an interrupted run that can't be gone on with
│   ├── NotARecording         no output of the code generator, or one that can't be taken over
│   ├── NotASkill             no skill folder, or one that breaks the rules of the format
│   ├── NotRecorded           nothing was recorded: no display, or the generator failed
│   ├── NotAWorkspace         no `workflows/` folder here or above
│   ├── ModelNotReady         no language model is configured, or one that is not there yet
│   ├── AppUnknown            no such application or version to start
│   ├── AppNotRunning         nothing of that application to reset
│   ├── AppAmbiguous          several of one version run: say which
│   └── PortTaken             another program listens there
├── Undecodable               data that is not what it says it is
├── StoreError                the disk does not hold what it should
│   ├── VersionExists         two writers made the same version
│   ├── HeadMoved             somebody else has changed the workflow meanwhile
│   ├── NotSaved              the disk is full, or may not be written; nothing was changed
│   ├── CorruptVersion        a stored version is not what its history says
│   ├── CorruptHistory        a line of a history that can't be read or does not follow the one above
│   └── BadTraceLine          a trace line that can't be read
├── OutsideError              the browser, the kernel or the site let us down (exit 4)
│   ├── BrowserNotFound
│   ├── BrowserNotReady
│   ├── KernelDied
│   ├── KernelNotReady
│   ├── ModelNotFetched
│   └── AppNotReady
└── InNotebook                raised in a cell, so that Run All stops there
    ├── GateFailed
    ├── StepFailed
    ├── EffectUncertain
    ├── CallAborted
    ├── CellLeft
    └── NotBound

Every message says what, where, found against expected, and what to do.
"""

from __future__ import annotations

from typing import Any

# one a line they would take a tenth of the module
# fmt: off
__all__ = [
    "AppAmbiguous", "AppNotReady", "AppNotRunning", "AppUnknown", "BadName", "BadTraceLine", "BrowserNotFound",
    "BrowserNotReady", "CallAborted", "CellLeft", "CorruptHistory", "CorruptVersion", "EffectUncertain", "GateFailed",
    "HeadMoved", "InNotebook", "InvalidParameters", "InvalidWorkflow", "KernelDied", "KernelNotReady",
    "ModelNotFetched", "ModelNotReady", "NotAllowed", "NotARecording", "NotASkill", "NotAWorkspace", "NotBound",
    "NotRecorded", "NotResumable", "NotSaved", "OutsideError", "PortTaken", "SkillnbError", "StepFailed",
    "StoreError", "Undecodable", "UsageError", "VersionExists", "WorkflowNotFound",
]
# fmt: on


class SkillnbError(Exception):
    """Root of the tree. ``facts`` holds what the message was built from; ``exit_status`` is the command's."""

    exit_status = 1

    def __init__(self, what: str, *, where: str = "", found: str = "", expected: str = "", remedy: str = "") -> None:
        self.what, self.where, self.found, self.expected, self.remedy = what, where, found, expected, remedy
        parts = [f"{where}: {what}" if where else what]
        if found or expected:
            parts.append(f"found {found or 'nothing'}" + (f", expected {expected}" if expected else ""))
        if remedy:
            parts.append(remedy)
        super().__init__("; ".join(parts))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), str(self), dict(self.__dict__)))


def _rebuild(kind: type[SkillnbError], message: str, facts: dict[str, Any]) -> SkillnbError:
    error = kind.__new__(kind)
    Exception.__init__(error, message)
    error.__dict__.update(facts)
    return error


class UsageError(SkillnbError):
    exit_status = 2


class InvalidWorkflow(UsageError):
    """``findings`` are the lines of the check, worst first."""

    def __init__(self, *, where: str, findings: tuple[str, ...]) -> None:
        self.findings = findings
        listed = "\n  ".join(findings)
        super().__init__(
            f"not a runnable workflow ({len(findings)} finding{'s' if len(findings) != 1 else ''})\n  {listed}\n",
            where=where,
            remedy=f"run `skillnb check {where.split(':')[0]}` after each mend",
        )


class InvalidParameters(UsageError):
    """``problems`` is one sentence per parameter."""

    def __init__(self, *, workflow: str, problems: tuple[str, ...], declared: tuple[str, ...]) -> None:
        self.problems, self.declared = problems, declared
        super().__init__(
            "; ".join(problems),
            where=workflow,
            remedy="nothing was started; declared parameters: " + (", ".join(declared) or "none"),
        )


class BadName(UsageError):
    def __init__(self, *, name: str, nearest: str) -> None:
        super().__init__(
            "a workflow is named site/name in lower-case letters, digits and hyphens",
            found=repr(name),
            expected=f"for example {nearest!r}",
        )


class WorkflowNotFound(UsageError):
    def __init__(self, *, name: str, folder: str, nearest: tuple[str, ...] = (), version: int | None = None) -> None:
        wanted = name if version is None else f"{name}@{version}"
        hint = "did you mean " + " or ".join(nearest) + "?" if nearest else "`skillnb new site/name` writes one"
        super().__init__(f"no workflow {wanted}", where=folder, remedy=hint)


class NotAllowed(UsageError):
    def __init__(self, *, name: str, change: str, reason: str) -> None:
        super().__init__(f"can't {change}: {reason}", where=name, remedy=f"nothing was changed; `skillnb show {name}`")


class NotResumable(UsageError):
    def __init__(self, *, run: str, reason: str, where: str, remedy: str = "nothing was started") -> None:
        super().__init__(f"run {run} can't be resumed: {reason}", where=where, remedy=remedy)


class NotARecording(UsageError):
    """``findings`` is one sentence for each place of the recording, with its line."""

    def __init__(self, *, where: str, findings: tuple[str, ...]) -> None:
        self.findings = findings
        listed = "\n  ".join(findings)
        super().__init__(
            f"not a recording that can be imported ({len(findings)} places)\n  {listed}\n",
            where=where,
            remedy="nothing was written",
        )


class NotASkill(UsageError):
    def __init__(self, *, where: str, problem: str, remedy: str) -> None:
        super().__init__(problem, where=where, remedy=f"{remedy}; nothing was written")


class NotRecorded(UsageError):
    def __init__(self, *, where: str, problem: str, remedy: str) -> None:
        super().__init__(f"nothing was recorded: {problem}", where=where, remedy=remedy)


class NotAWorkspace(UsageError):
    def __init__(self, *, start: str) -> None:
        super().__init__(
            "no workspace here or in any folder above (a workspace has a `workflows` folder)",
            where=start,
            remedy="make one with `mkdir workflows`, or name one with --project DIR or SKILLNB_PROJECT",
        )


class AppUnknown(UsageError):
    def __init__(self, *, app: str, version: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no application {app} {version}".rstrip(), remedy="there are: " + ", ".join(known))


class AppNotRunning(UsageError):
    def __init__(self, *, app: str, version: str) -> None:
        super().__init__(
            f"{app} {version} is not running", remedy=f"start it with `skillnb apps start {app} {version}`"
        )


class AppAmbiguous(UsageError):
    def __init__(self, *, app: str, version: str, ports: tuple[int, ...]) -> None:
        super().__init__(
            f"{len(ports)} instances of {app} {version}",
            found="ports " + ", ".join(str(port) for port in ports),
            remedy="say which with --port",
        )


class PortTaken(UsageError):
    def __init__(self, *, port: int) -> None:
        super().__init__(
            f"port {port} on 127.0.0.1 is taken by another program",
            remedy="name another with --port, or leave it out to get a free one",
        )


class Undecodable(SkillnbError):
    def __init__(self, *, where: str, field: str, problem: str, found: str) -> None:
        super().__init__(f"field {field}: {problem}", where=where, found=found)


class StoreError(SkillnbError):
    """The disk does not hold what it should."""


class VersionExists(StoreError):
    def __init__(self, *, name: str, version: int) -> None:
        super().__init__(
            f"version {version} of {name} was written by someone else meanwhile",
            remedy="nothing was overwritten; read it and save again to get the next number",
        )


class HeadMoved(StoreError):
    def __init__(self, *, name: str, found: str, expected: str) -> None:
        remedy = f"nothing was written; read `skillnb history {name}`, then do it again on top of that"
        what = f"{name} was changed by someone else meanwhile"
        super().__init__(what, found=found, expected=expected, remedy=remedy)


class NotSaved(StoreError):
    def __init__(self, *, where: str, problem: str) -> None:
        remedy = "nothing was changed; make room or give the right to write, then do it again"
        super().__init__(f"could not be written: {problem}", where=where, remedy=remedy)


class CorruptVersion(StoreError):
    def __init__(self, *, where: str, found: str, expected: str) -> None:
        remedy = "save it as a version (`skillnb edit NAME FILE`), or set it aside (`skillnb verify NAME --repair`)"
        what = "a stored version was changed after it was written"
        super().__init__(what, where=where, found=found, expected=expected, remedy=remedy)


class CorruptHistory(StoreError):
    def __init__(
        self, *, where: str, problem: str, remedy: str = "restore it from a backup or version control"
    ) -> None:
        super().__init__(f"unreadable history line: {problem}", where=where, remedy=remedy)


class BadTraceLine(StoreError):
    def __init__(self, *, where: str, problem: str) -> None:
        super().__init__(f"unreadable trace line: {problem}", where=where)


class OutsideError(SkillnbError):
    exit_status = 4


class BrowserNotFound(OutsideError):
    def __init__(self, *, looked: tuple[str, ...]) -> None:
        super().__init__(
            "no Chromium found",
            where=", ".join(looked),
            remedy="install the system's chromium, or run `playwright install chromium`, or set SKILLNB_CHROMIUM",
        )


class BrowserNotReady(OutsideError):
    def __init__(self, *, executable: str, seconds: float, stderr: str) -> None:
        super().__init__(
            f"Chromium did not open its control port within {seconds:g} s",
            where=executable,
            found=stderr.strip()[-400:] or "no message",
            remedy="run `skillnb doctor`",
        )


class KernelDied(OutsideError):
    def __init__(self, *, where: str) -> None:
        super().__init__("the kernel died", where=where, remedy="cells after this one were not run")


class KernelNotReady(OutsideError):
    def __init__(self, *, kernel: str, problem: str) -> None:
        super().__init__(f"kernel {kernel!r} did not start: {problem}", remedy="run `skillnb doctor`")


class ModelNotReady(UsageError):
    def __init__(self, *, model: str, problem: str, remedy: str) -> None:
        super().__init__(problem, where=model or "no model", remedy=remedy)


class ModelNotFetched(OutsideError):
    def __init__(self, *, model: str, problem: str) -> None:
        super().__init__(
            f"model {model} could not be fetched: {problem}",
            remedy=f"try again: `skillnb model fetch {model}` goes on where it stopped",
        )


class AppNotReady(OutsideError):
    def __init__(self, *, app: str, problem: str, log: str) -> None:
        super().__init__(f"{app} did not come up: {problem}", where=log, remedy="read the log named here")


class InNotebook(SkillnbError):
    """Raised in a cell, so that Run All stops there."""


class GateFailed(InNotebook):
    """A gate did not hold. ``verdict`` is ``failed`` or ``unknown``."""

    def __init__(self, *, gate: str, where: str, verdict: str, expected: str, actual: str) -> None:
        self.gate, self.verdict, self.actual = gate, verdict, actual
        super().__init__(f"gate {gate} {verdict}", where=where, found=actual, expected=expected)


class StepFailed(InNotebook):
    """A step can't be done: no way of doing it held its post gates."""

    def __init__(self, *, step: str, reason: str, remedy: str = "") -> None:
        self.step, self.reason = step, reason
        super().__init__(f"step {step}: {reason}", remedy=remedy)


class EffectUncertain(InNotebook):
    """A called step's request may have taken effect and no gate can tell: nothing may repeat it."""

    def __init__(self, *, step: str, reason: str) -> None:
        super().__init__(f"step {step}: {reason}", remedy="look at the site, then go on by hand or run again")


class CallAborted(InNotebook):
    """A called step ended by a fault of its surroundings (browser, network), which no workflow can answer for."""

    def __init__(self, *, step: str, reason: str) -> None:
        super().__init__(f"step {step}: {reason}", remedy="see that the site can be reached, then run again")


class CellLeft(InNotebook):
    """A cell called ``sys.exit``: that is its outcome, not the kernel's end."""

    def __init__(self, *, status: str) -> None:
        super().__init__(f"the cell tried to leave by sys.exit({status})", remedy="let the cell end, or raise")


class NotBound(InNotebook):
    """A cell ran before the open cell."""

    def __init__(self, *, name: str) -> None:
        super().__init__(f"`{name}` is not bound yet", remedy="run the open cell at the top of the notebook first")

"""Name the class of a failure from what a cell raised."""

from __future__ import annotations

import re

from skillnb.terms.outcome import FailureClass

__all__ = ["classify", "locator_failed"]

_LOCATOR = re.compile(
    r"strict mode violation|waiting for (?:locator|get_by|selector|element)|element is not (?:an |a )?"
    r"(?:<|visible|enabled|editable|attached|stable)|not (?:a |an )?(?:checkbox|radio|<select>)"
    r"|intercepts pointer events"
    r"|did not find some options|element was detached|no node found|resolved to \d+ elements",
    re.IGNORECASE,
)
_NETWORK = re.compile(
    r"net::ERR_(?:CONNECTION|INTERNET|NAME_NOT|ADDRESS|NETWORK|PROXY|TUNNEL|EMPTY_RESPONSE|SSL|TIMED_OUT)"
    r"|ECONNREFUSED|ECONNRESET|ENOTFOUND",
)
_GONE = re.compile(
    r"target (?:page, context or browser has been )?closed|browser has been closed|target crashed"
    r"|page crashed|connection closed|pipe closed",
    re.IGNORECASE,
)
_DIALOG = re.compile(r"\bdialog\b", re.IGNORECASE)

_LOST = frozenset({"CallAborted", "DeadKernelError", "KernelDied", "PageLost", "TargetClosedError"})
_BY_NAME = {
    "GateFailed": FailureClass.GATE,
    "AssertionError": FailureClass.GATE,
    "StepFailed": FailureClass.GATE,
    "CancelledError": FailureClass.TIMEOUT,
    "KeyboardInterrupt": FailureClass.TIMEOUT,
    "InvalidParameters": FailureClass.DATA,
    "FileNotFoundError": FailureClass.DATA,
}


def locator_failed(error_name: str, message: str) -> bool:
    """Did an action fail because its locator found no element, several, or one that could not be acted on?"""
    return error_name == "OtherElement" or (error_name in {"TimeoutError", "Error"} and bool(_LOCATOR.search(message)))


def classify(error_name: str, message: str) -> FailureClass:
    """The class of an exception by its name and message.

    Loss of the browser is ``infrastructure``; ``network`` means that the site could not be reached at all.
    """
    if error_name in {"CallAborted", "DeadKernelError", "KernelDied", "PageLost", "TargetClosedError"} or _GONE.search(
        message
    ):
        return FailureClass.INFRASTRUCTURE
    if error_name in _BY_NAME:
        return _BY_NAME[error_name]
    if locator_failed(error_name, message):
        return FailureClass.LOCATOR
    if _NETWORK.search(message):
        return FailureClass.NETWORK
    if _DIALOG.search(message) and error_name in {"TimeoutError", "Error"}:
        return FailureClass.DIALOG
    return FailureClass.TIMEOUT if error_name == "TimeoutError" else FailureClass.CODE

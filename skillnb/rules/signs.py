"""What a page itself tells of a failure: it asks to log in, asked something in vain, or is not the site's at all."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from skillnb.terms.observation import Observation
from skillnb.terms.outcome import FailureClass
from skillnb.terms.workflow import Step, Workflow

__all__ = ["Explained", "explained", "logs_in"]

_OPEN_TO_OTHER_CAUSES = frozenset({FailureClass.LOCATOR, FailureClass.GATE, FailureClass.TIMEOUT})
_LOGIN = re.compile(
    r"(?:^|[/._-])(?:log-?in|log-?on|sign-?in|sso|auth(?:enticate|orize)?|session/new)(?:$|[/._-])", re.I
)
_PASSWORD = re.compile(r"passw|passphrase", re.IGNORECASE)
_QUESTIONS = frozenset({"confirm", "prompt"})


class Explained(NamedTuple):
    failure: FailureClass | None
    sign: str
    """In words, for behind the reason; empty where the page explains nothing."""


def logs_in(workflow: Workflow, step: Step) -> bool:
    """Is logging in the step's own business? Then a password field is what it expects, and no sign."""
    secrets = {parameter.name for parameter in workflow.parameters if parameter.secret}
    sources = [workflow.cell(name).source for name in (*step.pre, *step.code, *step.post)]
    texts = [*sources, step.intent, *step.procedure]
    return any(
        _PASSWORD.search(text) or any(f"params.{name}" in text or f"{{{name}}}" in text for name in secrets)
        for text in texts
    )


def explained(failure: FailureClass | None, seen: Observation, *, password: bool, logging_in: bool) -> Explained:
    """``failure`` of a step, seen in the light of its page. ``password``: a password field is shown."""
    if failure not in _OPEN_TO_OTHER_CAUSES:
        return Explained(failure, "")
    refused = [dialog for dialog in seen.dialogs if dialog.kind in _QUESTIONS and dialog.answer == "dismissed"]
    if refused:
        told = (
            f"the page asked {refused[-1].message!r} ({refused[-1].kind}), which nobody answered, so it was dismissed"
        )
        return Explained(FailureClass.DIALOG, told)
    documents = [response for response in seen.responses if response.resource == "document"]
    if documents and documents[-1].status in {401, 403}:
        return Explained(FailureClass.AUTH, f"the site answered {documents[-1].status} for {documents[-1].url}")
    if seen.url.startswith("chrome-error:") and not (documents and documents[-1].status >= 400):
        return Explained(FailureClass.NETWORK, "the browser shows an error page of its own: the site was not reached")
    if logging_in:
        return Explained(failure, "")
    if password:
        return Explained(FailureClass.AUTH, f"a password is asked for at {seen.url}")
    redirected = any(300 <= response.status < 400 for response in documents)
    if redirected and _LOGIN.search(urlsplit(seen.url).path):
        return Explained(FailureClass.AUTH, f"the site sent the page to {seen.url}")
    return Explained(failure, "")

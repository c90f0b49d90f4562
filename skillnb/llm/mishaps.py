"""Every way in which the client library and the wire can fail, as one of the kinds of ModelFailed."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["KINDS", "Mishap", "mishap_of"]

KINDS = {
    "APIConnectionError": "unreachable",
    "APIError": "unreachable",
    "APIRemovedInV1": "refused",
    "APIResponseValidationError": "malformed",
    "APIStatusError": "refused",
    "APITimeoutError": "timeout",
    "AuthenticationError": "refused",
    "BadRequestError": "refused",
    "ConflictError": "refused",
    "ContentFilterFinishReasonError": "refused",
    "InternalServerError": "unreachable",
    "LengthFinishReasonError": "malformed",
    "MutuallyExclusiveAuthError": "refused",
    "NotFoundError": "refused",
    "OAuthError": "refused",
    "OpenAIError": "refused",
    "PermissionDeniedError": "refused",
    "RateLimitError": "unreachable",
    "StreamAlreadyConsumed": "malformed",
    "SubjectTokenProviderError": "refused",
    "UnprocessableEntityError": "refused",
    "WebSocketConnectionClosedError": "unreachable",
    "WebSocketQueueFullError": "unreachable",
    "_AmbiguousModuleClientUsageError": "refused",
}
"""By class name, since releases of the library differ in which they have."""

_AGAIN = frozenset({"timeout", "unreachable", "malformed"})
_SPENT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


class Mishap(NamedTuple):
    kind: str
    again: bool
    """Worth a second try."""
    wait: float | None
    """Seconds that the server asks to be left alone."""


def mishap_of(error: Exception) -> Mishap:
    """The nearest class that is listed decides. 408, 409 and 5xx are worth a second try, an empty account is not."""
    name = next((each.__name__ for each in type(error).__mro__ if each.__name__ in KINDS), "OpenAIError")
    kind = KINDS[name]
    status = getattr(error, "status_code", None)
    if status == 408:
        kind = "timeout"
    elif isinstance(status, int) and status >= 500:
        kind = "unreachable"
    if getattr(error, "code", None) in _SPENT:
        return Mishap("refused", False, None)
    return Mishap(kind, kind in _AGAIN or status == 409, _asked_wait(error))


def _asked_wait(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", {})
    try:
        wait = float(headers.get("retry-after", ""))
    except ValueError:  # a date, or none at all: the usual wait then
        return None
    return wait if 0 <= wait < 86_400 else None

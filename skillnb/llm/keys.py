"""The key of a model's server, from the environment or the system's keyring. It is never written or shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["key_for"]

_MAKER = "api.openai.com"
"""The one host that OPENAI_API_KEY is for: it is not handed to others."""


def key_for(host: str, environment: Mapping[str, str]) -> str:
    """SKILLNB_API_KEY; for OpenAI itself OPENAI_API_KEY; else the keyring's (`skillnb`, ``host``), or empty."""
    named = environment.get("SKILLNB_API_KEY") or (environment.get("OPENAI_API_KEY") if host == _MAKER else "")
    if named:
        return named
    library = _library()
    if library is None:
        return ""
    try:
        return library.get_password("skillnb", host) or ""
    except library.errors.NoKeyringError:
        return ""


def _library() -> Any:
    try:
        # an optional extra
        import keyring
    except ImportError:
        return None
    return keyring

"""A model in this process behind llama.cpp's own OpenAI-compatible server, on loopback."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from skillnb.errors import ModelNotReady

__all__ = ["LocalServer"]

_CONTEXT = 8192
_BATCH = 64
"""Tokens of a prompt read at once: only in between does the server see that nobody waits for the answer any more."""


class LocalServer:
    """Listens from its making until ``close``; only who knows ``key`` is answered.

    One thread by default: llama.cpp's threads spin while they wait, so that a second one beside a browser makes an
    answer slower, not faster.
    """

    def __init__(self, weights: Path, *, threads: int = 1) -> None:
        """Takes seconds: the weights are read. Raises ModelNotReady."""
        library = _library()
        self.key = secrets.token_urlsafe(24)
        parameters = library.CommonParams()
        parameters.model.path = str(weights)
        parameters.n_ctx, parameters.n_parallel = _CONTEXT, 1
        parameters.n_batch = parameters.n_ubatch = _BATCH
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
        parameters.hostnames, parameters.port = ["127.0.0.1"], 0
        parameters.api_keys = [self.key]
        parameters.offline, parameters.ui, parameters.verbosity = True, False, 0
        try:
            self._server: Any = library.Server(parameters)
        except RuntimeError as error:
            raise ModelNotReady(
                model=str(weights), problem=f"llama.cpp does not start: {error}", remedy="fetch the model anew"
            ) from error
        self.base_url = f"{self._server.listening_address}/v1"

    def close(self) -> None:
        """The server ends with its last reference: port closed, threads joined, memory given back."""
        self._server = None


def _library() -> Any:
    try:
        # an optional extra, and one that loads a megabytes' library
        import xllamacpp
    except ImportError as error:
        raise ModelNotReady(
            model="local models", problem=f"the extra `local` is not installed ({error})", remedy=_INSTALL
        ) from error
    return xllamacpp


_INSTALL = "run `pip install 'skillnb[local]'`"

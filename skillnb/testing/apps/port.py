"""Ports on loopback."""

from __future__ import annotations

import socket

from skillnb.testing.apps.catalogue import HOST

__all__ = ["free_port", "is_free"]


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # one that was just closed counts as free
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def free_port() -> int:
    """One that the system gives now; somebody else may still take it before it is used."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])

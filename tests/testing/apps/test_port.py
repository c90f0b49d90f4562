from __future__ import annotations

import socket

from skillnb.testing.apps.port import free_port, is_free


def test_a_free_port_is_free_until_someone_listens() -> None:
    port = free_port()
    assert is_free(port)
    with socket.create_server(("127.0.0.1", port)):
        assert not is_free(port)
    assert is_free(port)

"""HTTP on loopback: reads requests, writes answers, ends with every thread it has begun."""

from __future__ import annotations

import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import TCPServer, ThreadingMixIn
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from skillnb.testing.site.answering import Request, World, answer
from skillnb.testing.site.control import CONTROL, Site, controlled
from skillnb.testing.site.ledger import Entry
from skillnb.testing.site.multipart import read_parts
from skillnb.testing.site.visit import Answer, Upload

__all__ = ["Server"]

_GONE = (BrokenPipeError, ConnectionResetError, ConnectionAbortedError)


class Server(ThreadingMixIn, HTTPServer):
    """Its threads are joined when it is closed; connections that are still open are ended first."""

    daemon_threads = False
    request_queue_size = 128
    allow_reuse_address = True

    def __init__(self, port: int, site_of: Callable[[int], tuple[Site, World]]) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", port), _Connection)
        self.site, self.world = site_of(self.server_address[1])

    def server_bind(self) -> None:
        """Without asking for the machine's name, which can take seconds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is gone is nothing to report."""
        if not isinstance(sys.exception(), _GONE):
            self.world.ledger.broke(traceback.format_exc())

    def server_close(self) -> None:
        for connection in tuple(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        super().server_close()


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: Server

    def log_message(self, *_arguments: Any) -> None:
        """Nothing is written to the terminal."""

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        address = urlsplit(self.path)
        if address.path.startswith(CONTROL):
            self._control(address.path.removeprefix(CONTROL), dict(parse_qsl(address.query)), body)
            return
        entry: Entry | None = None
        try:
            result, entry = answer(self.server.world, self._request(body))
        except Exception:  # noqa: BLE001 - a fault of a page must be seen by the test, not end the server
            self.server.world.ledger.broke(traceback.format_exc())
            result = Answer(500, (("Content-Type", "text/plain"),), b"fault in the shop")
        if entry is not None:
            entry.status = result.status
        here = self._is_there()
        self._write(result)
        if entry is not None:
            entry.delivered = here

    def _is_there(self) -> bool:
        """A client that is gone has closed its side; the first write to it would not fail."""
        try:
            return bool(self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:
            return True
        except ConnectionResetError:
            return False

    def _control(self, name: str, query: dict[str, str], body: bytes) -> None:
        """A page elsewhere can't send JSON here without asking first, and is never allowed to."""
        if self.command == "POST" and self.headers.get_content_type() != "application/json":
            status, said = 415, b'{"error": "send application/json"}'
        else:
            status, said = controlled(self.server.site, self.command, name, query, body)
        self._write(Answer(status, (("Content-Type", "application/json"),), said))

    def _request(self, body: bytes) -> Request:
        form: dict[str, tuple[str, ...]] = {}
        files: dict[str, Upload] = {}
        kind = self.headers.get_content_type()
        if kind == "application/x-www-form-urlencoded":
            fields = parse_qs(body.decode("ascii", "replace"), keep_blank_values=True, errors="replace")
            form = {name: tuple(values) for name, values in fields.items()}
        elif kind == "multipart/form-data":
            form, files = read_parts(body, str(self.headers.get_param("boundary")))
        return Request(self.command, self.path, form, files, self._cookies())

    def _cookies(self) -> dict[str, str]:
        try:
            return {name: each.value for name, each in SimpleCookie(self.headers.get("Cookie", "")).items()}
        except CookieError:
            return {}

    def _write(self, result: Answer) -> None:
        self.send_response(result.status)
        for name, value in result.headers:
            self.send_header(name, value)
        length = len(result.body) if result.stream is None else result.length
        if length is None:
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(result.body)
        self.wfile.flush()
        for piece in result.stream or ():
            self.wfile.write(piece)
            self.wfile.flush()

"""A server on loopback that speaks OpenAI's endpoints, and misbehaves when told to."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Literal, NamedTuple

from skillnb.testing.chats.filling import filled

__all__ = ["Fault", "Wire", "wired", "WireServer"]

Fault = Literal[
    "bad-key",
    "busy",
    "cut-off",
    "drop",
    "drip",
    "empty",
    "garbage",
    "html",
    "no-money",
    "no-temperature",
    "no-usage",
    "not-json",
    "overloaded",
    "refuse",
    "silent",
    "unfitting",
    "unknown-model",
]
"""What the next answer is instead. ``silent`` never comes, ``drip`` comes a byte at a time and never ends."""

_STATUS: dict[str, tuple[int, dict[str, object]]] = {
    "bad-key": (401, {"message": "Incorrect API key provided: {key}", "code": "invalid_api_key"}),
    "busy": (429, {"message": "Too many requests", "code": "rate_limit_exceeded"}),
    "no-money": (429, {"message": "You have no money left", "code": "insufficient_quota"}),
    "no-temperature": (400, {"message": "Unsupported value: 'temperature'", "param": "temperature"}),
    "overloaded": (500, {"message": "The server had an error"}),
    "unknown-model": (404, {"message": "The model does not exist", "code": "model_not_found"}),
}
_WORDS: dict[str, str] = {"not-json": "Certainly! The answer is", "unfitting": '{"nothing": "asked for"}'}


class Wire(NamedTuple):
    url: str
    asked: list[dict[str, Any]]
    """The bodies of all questions, in order."""
    keys: list[str]
    faults: list[Fault]
    """Taken from the front, one a question; then all is well again."""


class WireServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(
        self, answer: Callable[[str, str, dict[str, object]], str], embed: Callable[[str], Sequence[float]]
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer, self.embed, self.ending = answer, embed, Event()
        self.wire = Wire(f"http://127.0.0.1:{self.server_port}/v1", [], [], [])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""


@contextmanager
def wired(
    answer: Callable[[str, str, dict[str, object]], str] = filled,
    embed: Callable[[str], Sequence[float]] = lambda text: (float(len(text)), 1.0),
) -> Iterator[Wire]:
    """Serve while the block lasts. Prompt tokens are counted as words, and so are an answer's."""
    server = WireServer(answer, embed)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.wire
    finally:
        server.ending.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: WireServer

    def log_message(self, *_arguments: Any) -> None:
        return

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        wire = self.server.wire
        key = self.headers.get("Authorization", "").removeprefix("Bearer ")
        wire.asked.append(body)
        wire.keys.append(key)
        fault = wire.faults.pop(0) if wire.faults else ""
        if fault in _STATUS:
            status, error = _STATUS[fault]
            told = {name: str(value).format(key=key) for name, value in error.items()}
            self._send(status, json.dumps({"error": told}), wait="0.05" if fault == "busy" else "")
        elif fault == "drop":
            self.connection.shutdown(socket.SHUT_RDWR)
        elif fault in {"silent", "drip"}:
            self._stall(fault)
        elif fault in {"garbage", "html", "empty"}:
            text = {"garbage": '{"choices": [', "html": "<h1>Bad gateway</h1>", "empty": "{}"}[fault]
            self._send(200, text, kind="text/html" if fault == "html" else "application/json")
        elif self.path.endswith("/embeddings"):
            self._send(200, json.dumps({"data": _rows(body["input"], self.server.embed)}))
        else:
            self._send(200, json.dumps(_completion(body, fault, self.server.answer)))

    def _stall(self, fault: str) -> None:
        if fault == "drip":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000000")
            self.end_headers()
        while not self.server.ending.wait(0.05):
            if fault == "drip":
                self.wfile.write(b" ")

    def _send(self, status: int, text: str, kind: str = "application/json", wait: str = "") -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if wait:
            self.send_header("Retry-After", wait)
        self.end_headers()
        self.wfile.write(data)


def _rows(texts: Sequence[str], embed: Callable[[str], Sequence[float]]) -> list[dict[str, object]]:
    """In an order of their own, as the index is what counts."""
    rows: list[dict[str, object]] = [{"index": at, "embedding": list(embed(text))} for at, text in enumerate(texts)]
    return rows[::-1]


def _completion(
    body: dict[str, Any], fault: str, answer: Callable[[str, str, dict[str, object]], str]
) -> dict[str, object]:
    system, user = (message["content"] for message in body["messages"])
    text = _WORDS.get(fault) or answer(system, user, body["response_format"]["json_schema"]["schema"])
    message: dict[str, object] = {"role": "assistant", "content": text}
    if fault == "refuse":
        message = {"role": "assistant", "content": None, "refusal": "I would rather not"}
    choice = {"index": 0, "message": message, "finish_reason": "length" if fault == "cut-off" else "stop"}
    usage = {"prompt_tokens": len(f"{system} {user}".split()), "completion_tokens": len(text.split())}
    return {"choices": [choice]} | ({} if fault == "no-usage" else {"usage": usage})

"""What a page is built from (a visit) and what it may answer: a screen, a redirect, a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from skillnb.testing.site.data import Data
from skillnb.testing.site.elements import Node

__all__ = ["Answer", "Control", "control", "Page", "Payload", "Redirect", "Reply", "Route", "Screen", "Upload", "Visit"]


@dataclass(frozen=True, slots=True)
class Upload:
    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Visit:
    """One request, understood. ``parts`` is what each ``*`` of the route stood for."""

    method: str
    path: str
    query: Mapping[str, str]
    form: Mapping[str, tuple[str, ...]]
    files: Mapping[str, Upload]
    cookies: Mapping[str, str]
    parts: tuple[str, ...]
    user: str
    session: str
    loads: int
    """How often this route was asked for since the last reset, this time included."""
    data: Data
    wait: Callable[[float], bool]
    """Sleep; True when the server is being stopped."""

    def value(self, name: str) -> str:
        """What was typed, else what the address says."""
        return (self.form.get(name) or (self.query.get(name, ""),))[0].strip()


@dataclass(frozen=True, slots=True)
class Screen:
    """A page's own part; header and footer are put around it unless it is ``bare``."""

    title: str
    content: tuple[Node, ...]
    script: str = ""
    bare: bool = False
    status: int = 200


@dataclass(frozen=True, slots=True)
class Redirect:
    """``said`` is shown on the next page, once. ``cookie`` is a name and a value to keep."""

    to: str
    said: str = ""
    login: str = ""
    logout: bool = False
    cookie: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Payload:
    """Anything but a page. ``stream`` is sent after ``body``; without ``length`` until the connection closes."""

    body: bytes = b""
    type: str = "text/plain; charset=utf-8"
    status: int = 200
    file: str = ""
    stream: Iterator[bytes] | None = None
    length: int | None = None


Reply = Screen | Redirect | Payload


@dataclass(frozen=True, slots=True)
class Answer:
    """What is written to the connection."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""
    stream: Iterator[bytes] | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Control:
    role: str
    name: str
    times: int = 1


def control(words: str) -> Control:
    """From ``button Save tracking``, or ``button Submit ×2`` for one that is there twice."""
    role, _, name = words.partition(" ")
    name, _, times = name.partition(" ×")
    return Control(role, name, int(times or 1))


@dataclass(frozen=True, slots=True)
class Route:
    """``page`` is the page that the route belongs to, by name, as mutations call it."""

    method: str
    path: str
    page: str
    reply: Callable[[Visit], Reply]
    login: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A page that people visit. ``example`` is an address of it; ``controls`` the ones to rely on."""

    name: str
    path: str
    reply: Callable[[Visit], Reply]
    about: str
    controls: tuple[str, ...] = field(default=())
    example: str = ""
    login: bool = False

    @property
    def route(self) -> Route:
        return Route("GET", self.path, self.name, self.reply, self.login)

    @property
    def address(self) -> str:
        return self.example or self.path

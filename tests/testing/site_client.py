"""A client of the shop that keeps cookies and follows nothing."""

from __future__ import annotations

from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlencode

from skillnb.testing.site import Site

__all__ = ["Client", "TRACKING"]

_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TRACKING = {"carrier": "ups", "tracking_number": "1Z 9"}


class Client:
    """Keeps cookies, follows nothing."""

    def __init__(self, site: Site) -> None:
        self.port = int(site.url.rpartition(":")[2])
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, **form: str) -> tuple[HTTPResponse, str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if method == "POST":
            headers |= _FORM
        connection.request(method, path, urlencode(form) if form else None, headers)
        response = connection.getresponse()
        text = response.read().decode()
        for header in response.headers.get_all("Set-Cookie") or ():
            name, _, value = header.partition(";")[0].partition("=")
            self.cookies[name] = value
        connection.close()
        return response, text

    def log_in(self, user: str = "alice", password: str = "wonder-land-7") -> Client:
        response, _ = self.ask("POST", "/login", username=user, password=password)
        assert (response.status, response.headers["Location"]) == (302, "/orders")
        return self

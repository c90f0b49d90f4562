"""From a request to an answer: who asks, which mutations stand in the way, what is done, what is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote, urlsplit

from skillnb.testing.site.catalogue import find
from skillnb.testing.site.data import Data
from skillnb.testing.site.elements import Element, el, html
from skillnb.testing.site.layout import document
from skillnb.testing.site.ledger import Entry, Ledger
from skillnb.testing.site.mutations import REQUEST_KINDS, Mutation, changed, part
from skillnb.testing.site.switch import Switch
from skillnb.testing.site.visit import Answer, Payload, Redirect, Reply, Route, Screen, Upload, Visit

__all__ = ["answer", "Request", "World"]

_MISSING = Route("GET", "", "", lambda _visit: Screen("Page not found", (el("h1", "Page not found"),), status=404))
_BROKEN = Screen("Server error", (el("h1", "Something went wrong"), el("p", "Please try again later.")), status=500)


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    target: str
    form: Mapping[str, tuple[str, ...]]
    files: Mapping[str, Upload]
    cookies: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class World:
    """One shop. ``cookie`` is its own: cookies do not tell ports apart. ``wait`` is True when it is being closed."""

    data: Data
    ledger: Ledger
    switch: Switch
    cookie: str
    wait: Callable[[float], bool]


def answer(world: World, request: Request) -> tuple[Answer, Entry | None]:
    """The entry of the log is given along for requests that change something."""
    address = urlsplit(request.target)
    if request.method == "GET" and address.path.startswith("/embedded/"):
        world.ledger.arrived("GET", address.path, "/embedded/*")
        return _embedded(world, request, address.path.rpartition("/")[2]), None
    route, parts = find(request.method, address.path) or (_MISSING, ())
    loads = world.ledger.arrived(request.method, address.path, route.path or address.path)
    visit = _visit(world, request, parts, loads)
    entry = None
    if request.method != "GET":
        sent = {name: list(values) for name, values in request.form.items()}
        files = {name: upload.name for name, upload in request.files.items()}
        entry = Entry(0, request.method, visit.path, route.path or visit.path, sent, files, visit.user)
        world.ledger.wrote(entry)
    return _answer(world, route, visit, request.target), entry


def _visit(world: World, request: Request, parts: tuple[str, ...], loads: int) -> Visit:
    address = urlsplit(request.target)
    session = request.cookies.get(world.cookie, "")
    return Visit(
        method=request.method,
        path=address.path,
        query=dict(parse_qsl(address.query, keep_blank_values=True)),
        form=request.form,
        files=request.files,
        cookies=request.cookies,
        parts=parts,
        user=world.data.user_of(session) or "",
        session=session,
        loads=loads,
        data=world.data,
        wait=world.wait,
    )


def _answer(world: World, route: Route, visit: Visit, target: str) -> Answer:
    changes = world.switch.asked(route.page, visit.method, visit.path) if route is not _MISSING else []
    used = [each for each in changes if each.kind in REQUEST_KINDS and _due(world, each, visit)]
    kinds = {each.kind: each for each in used}
    broken = kinds.get("error-500")
    if "expired" in kinds:
        world.data.log_out(visit.session)
        reply: Reply = _to_log_in(target, visit.method)
    elif broken and not broken.effect:
        reply = _BROKEN
    elif route.login and not visit.user:
        reply = _to_log_in(target, visit.method)
    elif "extra-page" in kinds:
        reply = Redirect(f"/notice?next={quote(target, safe='')}")
    else:
        reply = route.reply(visit)
        if broken:
            reply = _BROKEN
    result = _written(world, visit, reply, [each for each in changes if each.kind not in REQUEST_KINDS], target)
    if "slow" in kinds:
        world.wait(kinds["slow"].seconds)
    return result


def _due(world: World, change: Mutation, visit: Visit) -> bool:
    if change.kind == "extra-page":
        if visit.method != "GET" or not visit.user or (change.target and change.target not in visit.parts):
            return False
        if visit.data.row("select 1 from passes where session = ? and path = ?", visit.session, visit.path):
            return False
    if change.kind == "expired" and not visit.user:
        return False
    return world.switch.use(change)


def _to_log_in(target: str, method: str) -> Redirect:
    there = target if method == "GET" else "/orders"
    return Redirect(f"/login?next={quote(there, safe='')}", said="Please log in")


def _written(world: World, visit: Visit, reply: Reply, changes: list[Mutation], target: str) -> Answer:
    if isinstance(reply, Redirect):
        return _sent_on(world, visit, reply)
    if isinstance(reply, Payload):
        headers = [("Content-Type", reply.type)]
        if reply.file:
            headers.append(("Content-Disposition", f'attachment; filename="{reply.file}"'))
        return Answer(reply.status, tuple(headers), reply.body, reply.stream, reply.length)
    said = world.data.said(visit.session) if visit.session and not reply.bare else []
    tree = document(visit, reply, said)
    for change in changes:
        after = changed(tree, change, target)
        if after is not None and world.switch.use(change):
            tree = after
    return _page(tree, reply.status)


def _sent_on(world: World, visit: Visit, reply: Redirect) -> Answer:
    headers = [("Location", reply.to)]
    session = visit.session
    if reply.logout:
        world.data.log_out(session)
        headers.append(("Set-Cookie", f"{world.cookie}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"))
    if reply.login:
        session = world.data.log_in(reply.login)
    elif reply.said and world.data.user_of(session) is None:
        session = world.data.log_in("")  # a visitor without a name, so that there is somebody to say it to
    if session != visit.session:
        headers.append(("Set-Cookie", f"{world.cookie}={session}; Path=/; HttpOnly; SameSite=Lax"))
    if reply.cookie:
        headers.append(("Set-Cookie", f"{reply.cookie[0]}={reply.cookie[1]}; Path=/; SameSite=Lax"))
    if reply.said:
        world.data.say(session, reply.said)
    return Answer(302, tuple(headers))


def _page(tree: Element, status: int) -> Answer:
    text = "<!doctype html>" + html(tree)
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"))
    return Answer(status, headers, text.encode("utf-8", "replace"))


def _embedded(world: World, request: Request, number: str) -> Answer:
    """The part of a page that an iframe-wrap has put into a frame; later mutations are about this part too."""
    of = dict(parse_qsl(urlsplit(request.target).query)).get("page", "")
    address = urlsplit(of)
    wrap = world.switch.numbered(int(number)) if number.isdigit() else None
    found = find("GET", address.path)
    tree: Element | None = None
    if wrap is not None and found is not None:
        route, parts = found
        visit = _visit(world, replace(request, target=of), parts, 1)
        reply = route.reply(visit) if visit.user or not route.login else _MISSING.reply(visit)
        if isinstance(reply, Screen):
            tree = document(visit, reply)
            for change in world.switch.asked(route.page, "GET", address.path, spent=True):
                if change.kind not in {*REQUEST_KINDS, "alert", "banner"}:
                    after = part(tree, change) if change == wrap else changed(tree, change, of)
                    counted = change.number <= wrap.number  # with the page that the frame is in
                    if after is not None and (counted or world.switch.use(change)):
                        tree = after
    return _page(tree, 200) if tree is not None else Answer(404, (), b"no such part")

"""Frames, shadow roots, windows, twin menus, buttons of icons."""

from __future__ import annotations

from skillnb.testing.site.elements import Element, el
from skillnb.testing.site.forms import button, form, link, textarea, textbox
from skillnb.testing.site.scripts import LAZY, RATING
from skillnb.testing.site.visit import Page, Payload, Redirect, Reply, Route, Screen, Visit

__all__ = ["PAGES", "ROUTES"]


def _frames(_visit: Visit) -> Reply:
    """Two frames with one form; a frame in a frame with the same form; one that is filled when it is scrolled to."""
    return Screen(
        "Delivery",
        (
            el("h1", "Delivery and billing"),
            el("iframe", title="Delivery address", src="/frames/address?kind=delivery", key="delivery"),
            el("iframe", title="Billing address", src="/frames/address?kind=billing", key="billing"),
            el("iframe", title="Gift address", src="/frames/outer", key="gift"),
            el("div", class_="spacer"),
            el("iframe", title="Pick-up address", data_src="/frames/address?kind=pick-up", key="pick-up"),
        ),
        script=LAZY,
    )


def _outer(_visit: Visit) -> Reply:
    inner = el("iframe", title="Address of the person", src="/frames/address?kind=gift", key="inner")
    return Screen("Gift", (el("h2", "Is it a gift?"), inner), bare=True)


def _address(visit: Visit) -> Reply:
    kind = visit.value("kind") or "delivery"
    save = form(
        f"/frames/address?kind={kind}",
        textbox("Street"),
        textbox("City"),
        button("Save address"),
        key="frame",
    )
    kept = visit.data.row("select * from frames where kind = ? order by id desc", kind)
    now = el("p", f"Kept: {kept['street']}, {kept['city']}", role="status") if kept else ""
    return Screen(f"{kind} address".capitalize(), (save, now), bare=True)


def _save_address(visit: Visit) -> Reply:
    kind = visit.query.get("kind", "delivery")
    visit.data.do(
        "insert into frames (kind, street, city) values (?, ?, ?)", kind, visit.value("street"), visit.value("city")
    )
    return Redirect(f"/frames/address?kind={kind}")


def _rating(_visit: Visit) -> Reply:
    return Screen("Rate us", (el("h1", "Rate us"), el("star-rating", key="rating")), script=RATING)


def _rate(visit: Visit) -> Reply:
    stars = visit.value("stars")
    if stars not in {"1", "2", "3", "4", "5"}:
        return Payload(b"stars?", status=422)
    visit.data.do("insert into ratings (stars, text) values (?, ?)", int(stars), visit.value("text"))
    return Payload(b"ok")


def _windows(_visit: Visit) -> Reply:
    opened = "window.open('/windows/chat', 'chat', 'width=420,height=500')"
    return Screen(
        "Help",
        (
            el("h1", "Help"),
            el("p", link("Size guide", "/windows/sizes", target="_blank")),
            button("Open live chat", type="button", onclick=opened),
        ),
    )


def _sizes(_visit: Visit) -> Reply:
    return Screen("Size guide", (el("h1", "Size guide"), el("p", "One size fits all.")))


def _chat(visit: Visit) -> Reply:
    said = visit.data.rows("select text from chats order by id")
    talk = [el("p", each["text"]) for each in said]
    close = button("Close window", type="button", onclick="window.close()")
    say = form("/windows/chat", textbox("Say something", name="text"), button("Send"), key="chat")
    return Screen("Live chat", (el("h1", "Live chat"), *talk, say, close), bare=True)


def _say(visit: Visit) -> Reply:
    visit.data.do("insert into chats (text) values (?)", visit.value("text"))
    return Redirect("/windows/chat")


def _menus(_visit: Visit) -> Reply:
    """The same menu twice; the first is shown on small screens only."""
    return Screen("Departments", (el("h1", "Departments"), _departments("mobile"), _departments("desktop")))


def _departments(screen: str) -> Element:
    items = [
        el("li", link(name, f"/products?category={name.lower()}", key=f"{screen}-{name.lower()}"))
        for name in ("Garden", "Kitchen", "Office")
    ]
    return el("nav", el("ul", items), aria_label="Departments", class_=screen, key=screen)


def _notes(visit: Visit) -> Reply:
    """Buttons without words in one box."""
    kept = visit.data.rows("select * from notes order by id")
    tools = [
        el(
            "button",
            el("span", sign, aria_hidden="true"),
            type="submit",
            name="do",
            value=does,
            aria_label=label,
            key=does,
        )
        for sign, does, label in (
            ("✚", "keep", "Keep note"),
            ("⧉", "copy", "Copy last note"),
            ("✖", "clear", "Delete notes"),
        )
    ]
    write = form("/notes", textarea("Note"), el("div", tools, class_="tools", key="tools"), key="notes")
    return Screen("Notes", (el("h1", "Notes"), write, el("ol", [el("li", each["text"]) for each in kept], key="kept")))


def _change_notes(visit: Visit) -> Reply:
    does = visit.value("do")
    if does == "keep":
        visit.data.do("insert into notes (text) values (?)", visit.value("note"))
    elif does == "copy":
        visit.data.do("insert into notes (text) select text from notes order by id desc limit 1")
    elif does == "clear":
        visit.data.do("delete from notes")
    return Redirect("/notes", said={"keep": "Note kept", "copy": "Note copied", "clear": "Notes deleted"}.get(does, ""))


PAGES = (
    Page(
        "frames",
        "/frames",
        _frames,
        "one form in two frames, in a frame of a frame, and in one that is filled when scrolled to; in each: textbox"
        " Street, textbox City, button Save address",
        ("iframe Delivery address", "iframe Billing address", "iframe Gift address", "iframe Pick-up address"),
    ),
    Page(
        "frames.address",
        "/frames/address",
        _address,
        "the form in the frames",
        ("textbox Street", "textbox City", "button Save address"),
        "/frames/address?kind=delivery",
    ),
    Page(
        "rating",
        "/rating",
        _rating,
        "a component with an open shadow root",
        ("button 1 star", "button 5 stars", "textbox Your words", "button Send rating"),
    ),
    Page(
        "windows",
        "/windows",
        _windows,
        "a link and a button that open windows",
        ("link Size guide", "button Open live chat"),
    ),
    Page("windows.sizes", "/windows/sizes", _sizes, "opened by the link", ("heading Size guide",)),
    Page(
        "windows.chat",
        "/windows/chat",
        _chat,
        "opened by the button; can close itself",
        ("textbox Say something", "button Send", "button Close window"),
    ),
    Page(
        "menus",
        "/menus",
        _menus,
        "the same menu twice, one of them hidden",
        ("link Garden", "link Kitchen", "link Office"),
    ),
    Page(
        "notes",
        "/notes",
        _notes,
        "three buttons of icons in one box",
        ("textbox Note", "button Keep note", "button Copy last note", "button Delete notes"),
    ),
)
ROUTES = (
    Route("GET", "/frames/outer", "frames", _outer),
    Route("POST", "/frames/address", "frames.address", _save_address),
    Route("POST", "/rating", "rating", _rate),
    Route("POST", "/windows/chat", "windows.chat", _say),
    Route("POST", "/notes", "notes", _change_notes),
)

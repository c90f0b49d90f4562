"""Files to fetch, and files to hand in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from skillnb.testing.site.elements import el
from skillnb.testing.site.forms import button, field, form, link, table
from skillnb.testing.site.layout import alert
from skillnb.testing.site.scripts import BLOB
from skillnb.testing.site.visit import Page, Payload, Redirect, Reply, Route, Screen, Visit

__all__ = ["INVOICE", "MOST_BYTES", "PAGES", "ROUTES"]

INVOICE = b"%PDF-1.4\n% Invoice 1001, CHF 25.60\n%%EOF\n"
MOST_BYTES = 20_000
_ARCHIVE = b"PK\x05\x06" + bytes(18) + b"archive of the year" * 20


def _downloads(_visit: Visit) -> Reply:
    links = (
        ("Invoice (PDF)", "/downloads/invoice-1001.pdf"),
        ("Yearly archive", "/downloads/archive-2025.zip?seconds=2"),
        ("Empty report", "/downloads/report.csv"),
        ("Old catalogue", "/downloads/catalogue-2019.pdf"),
        ("Live recording", "/downloads/recording.bin"),
    )
    items = [el("li", link(text, href)) for text, href in links]
    export = button("Export orders", type="button", onclick="exportTable()")
    return Screen("Downloads", (el("h1", "Downloads"), el("ul", items), export), script=BLOB)


def _invoice(_visit: Visit) -> Reply:
    return Payload(INVOICE, "application/pdf", file="invoice-1001.pdf")


def _archive(visit: Visit) -> Reply:
    """In four pieces, over as many seconds as the address says."""
    asked = visit.value("seconds")
    pause = (float(asked) if asked.replace(".", "", 1).isdigit() else 2.0) / 4
    quarter = -(-len(_ARCHIVE) // 4)

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(_ARCHIVE), quarter):
            if visit.wait(pause):
                return
            yield _ARCHIVE[start : start + quarter]

    return Payload(type="application/zip", file="archive-2025.zip", stream=pieces(), length=len(_ARCHIVE))


def _report(_visit: Visit) -> Reply:
    return Payload(b"", "text/csv", file="report.csv")


def _missing(_visit: Visit) -> Reply:
    return Payload(b"This file is gone.", status=404)


def _recording(visit: Visit) -> Reply:
    """Never ends."""

    def pieces() -> Iterator[bytes]:
        while not visit.wait(0.05):
            yield b"." * 1024

    return Payload(type="application/octet-stream", file="recording.bin", stream=pieces())


def _uploads(visit: Visit, wrong: str = "") -> Screen:
    rows = visit.data.rows("select * from uploads order by id")
    send = form(
        "/uploads",
        field(
            "Stock list (CSV)", el("input", key="document", id="document", type="file", name="document", accept=".csv")
        ),
        button("Upload"),
        key="upload",
        enctype="multipart/form-data",
    )
    kept = table("Kept files", ("Name", "Bytes"), [(row["name"], str(row["size"])) for row in rows], key="uploads")
    return Screen("Uploads", (el("h1", "Uploads"), alert(wrong) or "", send, kept), status=422 if wrong else 200)


def _upload(visit: Visit) -> Reply:
    given = visit.files.get("document")
    if given is None or not given.name:
        return _uploads(visit, "Choose a file")
    if not given.content:
        return _uploads(visit, "The file is empty")
    if len(given.content) > MOST_BYTES:
        return _uploads(visit, f"The file has more than {MOST_BYTES} bytes")
    if not given.content.startswith(b"sku,quantity"):
        return _uploads(visit, "The first line must be sku,quantity")
    visit.data.do(
        "insert into uploads (name, size, sha256) values (?, ?, ?)",
        given.name,
        len(given.content),
        hashlib.sha256(given.content).hexdigest(),
    )
    return Redirect("/uploads", said=f"{given.name} uploaded")


PAGES = (
    Page(
        "downloads",
        "/downloads",
        _downloads,
        "an attachment, one made by the page (blob), a slow, an empty, an endless one, and one that is gone (404)",
        (
            "link Invoice (PDF)",
            "button Export orders",
            "link Yearly archive",
            "link Empty report",
            "link Old catalogue",
            "link Live recording",
        ),
    ),
    Page(
        "uploads",
        "/uploads",
        _uploads,
        f"takes a CSV file that begins with `sku,quantity`, of at most {MOST_BYTES} bytes",
        ("button Stock list (CSV)", "button Upload"),
        login=True,
    ),
)
ROUTES = (
    Route("GET", "/downloads/invoice-1001.pdf", "downloads", _invoice),
    Route("GET", "/downloads/archive-2025.zip", "downloads", _archive),
    Route("GET", "/downloads/report.csv", "downloads", _report),
    Route("GET", "/downloads/catalogue-2019.pdf", "downloads", _missing),
    Route("GET", "/downloads/recording.bin", "downloads", _recording),
    Route("POST", "/uploads", "uploads", _upload, login=True),
)

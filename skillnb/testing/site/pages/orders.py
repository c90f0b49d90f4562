"""Orders, their tracking numbers, and the addresses they go to."""

from __future__ import annotations

from typing import Any

from skillnb.testing.site.elements import Element, el
from skillnb.testing.site.forms import button, form, link, listed, select, table, textbox
from skillnb.testing.site.layout import alert
from skillnb.testing.site.pages.shop import price
from skillnb.testing.site.seed import CARRIERS
from skillnb.testing.site.visit import Page, Redirect, Reply, Route, Screen, Visit

__all__ = ["PAGES", "ROUTES"]

_STATUSES = (("", "Any"), ("new", "New"), ("packed", "Packed"), ("shipped", "Shipped"), ("cancelled", "Cancelled"))
_MISSING = Screen("Page not found", (el("h1", "Page not found"), el("p", "There is no such entry.")), status=404)


def _orders(visit: Visit) -> Reply:
    status = visit.value("status")
    rows = visit.data.rows("select * from orders where ? = '' or status = ? order by id", status, status)
    lines = [
        (
            link(f"Order {row['id']}", f"/orders/{row['id']}", key=f"order-{row['id']}"),
            row["customer"],
            row["placed"],
            row["status"],
            price(row["total"]),
        )
        for row in rows
    ]
    narrow = form("/orders", select("Status", _STATUSES, status), button("Filter"), key="filter", method="get")
    heads = ("Number", "Customer", "Placed", "Status", "Total")
    return Screen("Orders", (el("h1", "Orders"), narrow, table("All orders", heads, lines, key="orders")))


def _found(visit: Visit) -> dict[str, Any] | None:
    return visit.data.row("select * from orders where id = ?", visit.parts[0])


def _order(visit: Visit) -> Reply:
    order = _found(visit)
    if not order:
        return _MISSING
    number = order["id"]
    bought = visit.data.rows(
        "select name, quantity from order_lines join products on products.id = product where order_id = ?", number
    )
    facts = listed(
        (
            ("Customer", order["customer"]),
            ("Status", order["status"]),
            ("Carrier", dict(CARRIERS)[order["carrier"]] if order["carrier"] else "none"),
            ("Tracking number", order["tracking"] or "none"),
            ("Total", price(order["total"])),
        )
    )
    cancel = form(
        f"/orders/{number}/cancel",
        button(
            "Cancel order", onclick=f"return confirm('Cancel order {number}?')", disabled=order["status"] == "cancelled"
        ),
        key="cancel",
    )
    lines = table(
        "Items", ("Product", "Quantity"), [(row["name"], str(row["quantity"])) for row in bought], key="items"
    )
    add = el("p", link("Add tracking", f"/orders/{number}/tracking"))
    return Screen(f"Order {number}", (el("h1", f"Order {number}"), facts, lines, add, cancel))


def _cancel(visit: Visit) -> Reply:
    visit.data.do("update orders set status = 'cancelled' where id = ?", visit.parts[0])
    return Redirect(f"/orders/{visit.parts[0]}", said="Order cancelled")


def _tracking(visit: Visit, wrong: str = "") -> Screen:
    order = _found(visit)
    if not order:
        return _MISSING
    posted = visit.method == "POST"
    carrier = visit.value("carrier") if posted else order["carrier"]
    number = visit.value("tracking_number") if posted else order["tracking"]
    save = form(
        f"/orders/{order['id']}/tracking",
        select("Carrier", CARRIERS, carrier),
        textbox("Tracking number", number, name="tracking_number"),
        button("Save tracking"),
        key="tracking",
    )
    back = el("p", link("Back to the order", f"/orders/{order['id']}"))
    title = f"Tracking of order {order['id']}"
    return Screen(title, (el("h1", title), alert(wrong) or "", save, back), status=422 if wrong else 200)


def _save_tracking(visit: Visit) -> Reply:
    carrier, number = visit.value("carrier"), visit.value("tracking_number")
    if not _found(visit):
        return _MISSING
    if carrier not in dict(CARRIERS) or not carrier:
        return _tracking(visit, "Choose a carrier")
    if not number:
        return _tracking(visit, "Enter a tracking number")
    with visit.data.together():
        visit.data.do(
            "insert into trackings (order_id, carrier, number) values (?, ?, ?)", int(visit.parts[0]), carrier, number
        )
        visit.data.do(
            "update orders set carrier = ?, tracking = ?, status = 'shipped' where id = ?",
            carrier,
            number,
            visit.parts[0],
        )
    return Redirect(f"/orders/{visit.parts[0]}/tracking", said="Tracking saved")


def _notice(visit: Visit) -> Reply:
    """Stands before a page until it has been read; see the mutation extra-page."""
    go = form(
        "/notice", el("input", type="hidden", name="next", value=visit.value("next")), button("Continue"), key="notice"
    )
    return Screen(
        "One more thing",
        (el("h1", "One more thing"), el("p", "The warehouse left a note: handle with care. Please read it first."), go),
    )


def _read_notice(visit: Visit) -> Reply:
    there = visit.value("next")
    visit.data.do("insert into passes (session, path) values (?, ?)", visit.session, there)
    return Redirect(there if there.startswith("/") and not there.startswith("//") else "/")


def _addresses(visit: Visit) -> Reply:
    rows = visit.data.rows("select * from addresses order by id")
    lines = [
        (f"{row['first_name']} {row['last_name']}", row["street"], row["city"], _actions(row["id"])) for row in rows
    ]
    book = table("Address book", ("Name", "Street", "City", "Actions"), lines, key="addresses")
    return Screen("Addresses", (el("h1", "Addresses"), book, _address_form("/addresses", {}, "Add address")))


def _actions(number: int) -> list[Element]:
    return [
        form(f"/addresses/{number}/edit", button("Edit", key=f"edit-{number}"), key=f"row-edit-{number}", method="get"),
        form(f"/addresses/{number}/delete", button("Delete", key=f"delete-{number}"), key=f"row-delete-{number}"),
    ]


def _address_form(action: str, row: dict[str, Any], does: str) -> Element:
    return form(
        action,
        el(
            "div",
            textbox("First name", row.get("first_name", ""), name="first_name"),
            textbox("Last name", row.get("last_name", ""), name="last_name"),
            class_="pair",
        ),
        textbox("Street", row.get("street", "")),
        textbox("City", row.get("city", "")),
        button(does),
        key="address",
    )


def _edit_address(visit: Visit) -> Reply:
    row = visit.data.row("select * from addresses where id = ?", visit.parts[0])
    if not row:
        return _MISSING
    title = f"Address of {row['first_name']} {row['last_name']}"
    return Screen(title, (el("h1", title), _address_form(visit.path, row, "Save address")))


_FIELDS = ("first_name", "last_name", "street", "city")


def _add_address(visit: Visit) -> Reply:
    visit.data.do(
        "insert into addresses (first_name, last_name, street, city) values (?, ?, ?, ?)", *map(visit.value, _FIELDS)
    )
    return Redirect("/addresses", said="Address added")


def _save_address(visit: Visit) -> Reply:
    visit.data.do(
        "update addresses set first_name = ?, last_name = ?, street = ?, city = ? where id = ?",
        *map(visit.value, _FIELDS),
        visit.parts[0],
    )
    return Redirect("/addresses", said="Address saved")


def _delete_address(visit: Visit) -> Reply:
    visit.data.do("delete from addresses where id = ?", visit.parts[0])
    return Redirect("/addresses", said="Address deleted")


PAGES = (
    Page(
        "orders", "/orders", _orders, "all orders", ("combobox Status", "button Filter", "link Order 1001"), login=True
    ),
    Page(
        "orders.order",
        "/orders/*",
        _order,
        "one order; cancelling asks by a dialog",
        ("heading Order 1001", "link Add tracking", "button Cancel order"),
        "/orders/1001",
        login=True,
    ),
    Page(
        "orders.tracking",
        "/orders/*/tracking",
        _tracking,
        "says `Tracking saved` in a status; every save is a row of `trackings`",
        ("combobox Carrier", "textbox Tracking number", "button Save tracking", "link Back to the order"),
        "/orders/1001/tracking",
        login=True,
    ),
    Page(
        "notice", "/notice", _notice, "the page between, of the mutation extra-page", ("button Continue",), login=True
    ),
    Page(
        "addresses",
        "/addresses",
        _addresses,
        "Edit and Delete in each row; two text boxes side by side",
        ("button Edit ×4", "button Delete ×4", "textbox First name", "textbox Last name", "button Add address"),
        login=True,
    ),
    Page(
        "addresses.edit",
        "/addresses/*/edit",
        _edit_address,
        "one address",
        ("textbox First name", "textbox Last name", "textbox Street", "textbox City", "button Save address"),
        "/addresses/1/edit",
        login=True,
    ),
)
ROUTES = (
    Route("POST", "/orders/*/cancel", "orders.order", _cancel, login=True),
    Route("POST", "/orders/*/tracking", "orders.tracking", _save_tracking, login=True),
    Route("POST", "/notice", "notice", _read_notice, login=True),
    Route("POST", "/addresses", "addresses", _add_address, login=True),
    Route("POST", "/addresses/*/edit", "addresses.edit", _save_address, login=True),
    Route("POST", "/addresses/*/delete", "addresses", _delete_address, login=True),
)

"""Home, log-in, products, cart, checkout."""

from __future__ import annotations

from skillnb.testing.site.elements import Element, el
from skillnb.testing.site.forms import button, checkbox, form, link, select, table, textarea, textbox
from skillnb.testing.site.layout import alert
from skillnb.testing.site.seed import PASSWORDS, TODAY
from skillnb.testing.site.visit import Page, Redirect, Reply, Route, Screen, Visit

__all__ = ["PAGES", "price", "ROUTES"]

_CATEGORIES = (("", "All categories"), ("garden", "Garden"), ("kitchen", "Kitchen"), ("office", "Office"))


def price(cents: int) -> str:
    return f"CHF {cents // 100}.{cents % 100:02}"


def _home(_visit: Visit) -> Reply:
    return Screen(
        "Welcome",
        (
            el("h1", "Welcome to the Corner Store"),
            el("p", "Tools for garden, kitchen and office, and a place to say what is wrong with them."),
            el("p", link("See all products", "/products"), " or ", link("today's offers", "/offers"), "."),
        ),
    )


def _login(visit: Visit, wrong: str = "") -> Screen:
    return Screen(
        "Log in",
        (
            el("h1", "Log in"),
            alert(wrong) or "",
            form(
                "/login",
                el("input", type="hidden", name="next", value=visit.value("next")),
                textbox("Username", visit.value("username"), autocomplete="username"),
                textbox("Password", type="password", autocomplete="current-password"),
                checkbox("remember", "Remember me"),
                button("Log in", key="log-in-button"),
                key="login",
            ),
        ),
        status=422 if wrong else 200,
    )


def _log_in(visit: Visit) -> Reply:
    name, password = visit.value("username"), visit.form.get("password", ("",))[0]
    if not name or PASSWORDS.get(name) != password:
        return _login(visit, f"No account of that name and password: {name}")
    there = visit.value("next")
    return Redirect(there if there.startswith("/") and not there.startswith("//") else "/orders", login=name)


def _log_out(_visit: Visit) -> Reply:
    return Redirect("/login", logout=True)


def _products(visit: Visit) -> Reply:
    """The list begins with another product at each visit."""
    words, category = visit.value("q"), visit.value("category")
    found = visit.data.rows(
        "select * from products where name like ? and (? = '' or category = ?) order by id",
        f"%{words}%",
        category,
        category,
    )
    turn = (visit.loads - 1) * 5 % max(len(found), 1)
    items = [
        el(
            "li",
            link(each["name"], f"/products/{each['id']}", key=f"product-{each['id']}"),
            el("p", price(each["price"])),
        )
        for each in found[turn:] + found[:turn]
    ]
    search = form(
        "/products",
        textbox("Search products", words, name="q", type="search"),
        select("Category", _CATEGORIES, category),
        button("Search"),
        key="search",
        method="get",
    )
    count = el("p", f"{len(found)} products")
    return Screen("Products", (el("h1", "Products"), search, count, el("ul", items, class_="cards", key="products")))


def _product(visit: Visit) -> Reply:
    found = visit.data.row("select * from products where id = ?", visit.parts[0])
    if not found:
        return Screen("Page not found", (el("h1", "Page not found"),), status=404)
    add = form(
        "/cart",
        el("input", type="hidden", name="product", value=str(found["id"])),
        textbox("Quantity", "1", type="number", min="1", max="20"),
        button("Add to cart"),
        key="add",
    )
    return Screen(
        found["name"],
        (el("h1", found["name"]), el("p", found["about"]), el("p", price(found["price"]), key="price"), add),
    )


def _put_in_cart(visit: Visit) -> Reply:
    quantity = visit.value("quantity")
    if not (quantity.isascii() and quantity.isdigit() and 1 <= int(quantity) <= 20):
        return Redirect(f"/products/{visit.value('product')}", said="Choose between 1 and 20")
    visit.data.do(
        "insert into cart (user, product, quantity) values (?, ?, ?)", visit.user, visit.value("product"), int(quantity)
    )
    return Redirect("/cart", said="Added to cart")


def _in_cart(visit: Visit) -> list[dict[str, object]]:
    return visit.data.rows(
        "select cart.id, name, quantity, price, products.id as product from cart join products on products.id = product"
        " where user = ? order by cart.id",
        visit.user,
    )


def _cart(visit: Visit) -> Reply:
    rows = _in_cart(visit)
    if not rows:
        return Screen("Cart", (el("h1", "Cart"), el("p", "Your cart is empty.")))
    lines = [
        (
            str(row["name"]),
            str(row["quantity"]),
            price(int(str(row["price"]))),
            form(f"/cart/{row['id']}/remove", button("Remove", key=f"remove-{row['id']}"), key=f"line-{row['id']}"),
        )
        for row in rows
    ]
    items = table("Items", ("Product", "Quantity", "Price", "Action"), lines, key="cart")
    return Screen(
        "Cart", (el("h1", "Cart"), items, el("p", f"Total: {price(_total(rows))}"), link("Checkout", "/checkout"))
    )


def _total(rows: list[dict[str, object]]) -> int:
    return sum(int(str(row["price"])) * int(str(row["quantity"])) for row in rows)


def _remove(visit: Visit) -> Reply:
    visit.data.do("delete from cart where id = ? and user = ?", visit.parts[0], visit.user)
    return Redirect("/cart", said="Removed from cart")


def _checkout(visit: Visit, wrong: str = "") -> Screen:
    rows = _in_cart(visit)
    inside: list[Element] = [
        textbox("Full name", visit.value("full_name"), name="full_name", autocomplete="name"),
        textbox("Address", visit.value("address"), autocomplete="street-address"),
        textbox("Phone", visit.value("phone"), type="tel", autocomplete="tel"),
        textbox("Card number", name="card_number", autocomplete="cc-number", inputmode="numeric"),
        button("Place order"),
    ]
    total = el("p", f"{len(rows)} items, {price(_total(rows))}")
    content = (el("h1", "Checkout"), alert(wrong) or "", total, form("/checkout", inside, key="checkout"))
    return Screen("Checkout", content, status=422 if wrong else 200)


def _place_order(visit: Visit) -> Reply:
    """Not to be done twice: every request that is whole makes an order."""
    with visit.data.together():
        rows = _in_cart(visit)
        if not rows:
            return _checkout(visit, "Your cart is empty")
        if not all(visit.value(name) for name in ("full_name", "address", "card_number")):
            return _checkout(visit, "Fill in name, address and card number")
        number = visit.data.do(
            "insert into orders (customer, placed, status, carrier, tracking, total) values (?, ?, 'new', '', '', ?)",
            visit.value("full_name"),
            TODAY.isoformat(),
            _total(rows),
        )
        for row in rows:
            visit.data.do(
                "insert into order_lines (order_id, product, quantity) values (?, ?, ?)",
                number,
                str(row["product"]),
                str(row["quantity"]),
            )
        visit.data.do("delete from cart where user = ?", visit.user)
    return Redirect(f"/orders/{number}", said="Order placed")


def _gift(visit: Visit) -> Screen:
    """Shows what was typed, the password too: what no record may hold."""
    typed = [(label, visit.value(name)) for label, name in _GIFT if visit.method == "POST"]
    shown = el("section", el("h2", "Preview"), [el("p", f"{label}: {value}") for label, value in typed], key="preview")
    inside = (
        textarea("Message", visit.value("message")),
        textbox("Card number", visit.value("card_number"), name="card_number", autocomplete="cc-number"),
        textbox("Phone", visit.value("phone"), type="tel"),
        textbox("PIN", type="password", name="pin"),
        button("Preview", key="preview-button"),
    )
    return Screen(
        "Gift card", (el("h1", "Gift card"), form("/gift-card", *inside, key="gift"), *([shown] if typed else []))
    )


_GIFT = (("Message", "message"), ("Card number", "card_number"), ("Phone", "phone"), ("PIN", "pin"))

PAGES = (
    Page("home", "/", _home, "start page", ("heading Welcome to the Corner Store", "link See all products")),
    Page(
        "login",
        "/login",
        _login,
        "log in and out; a wrong name is shown again",
        ("textbox Username", "textbox Password", "checkbox Remember me", "button Log in"),
    ),
    Page(
        "products",
        "/products",
        _products,
        "search; the list begins elsewhere at each visit",
        ("searchbox Search products", "combobox Category", "button Search", "link Garden trowel"),
    ),
    Page(
        "products.product",
        "/products/*",
        _product,
        "one product",
        ("heading Desk lamp", "spinbutton Quantity", "button Add to cart"),
        "/products/4",
    ),
    Page("cart", "/cart", _cart, "what is in the cart", ("heading Cart",), login=True),
    Page(
        "checkout",
        "/checkout",
        _checkout,
        "placing the order happens once for each request",
        ("textbox Full name", "textbox Address", "textbox Phone", "textbox Card number", "button Place order"),
        login=True,
    ),
    Page(
        "gift-card",
        "/gift-card",
        _gift,
        "repeats what was typed: text, card number, telephone, PIN",
        ("textbox Message", "textbox Card number", "textbox Phone", "textbox PIN", "button Preview"),
    ),
)
ROUTES = (
    Route("POST", "/login", "login", _log_in),
    Route("POST", "/logout", "login", _log_out),
    Route("POST", "/cart", "products.product", _put_in_cart, login=True),
    Route("POST", "/cart/*/remove", "cart", _remove, login=True),
    Route("POST", "/checkout", "checkout", _place_order, login=True),
    Route("POST", "/gift-card", "gift-card", _gift),
)

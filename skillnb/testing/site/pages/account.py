"""Profile, payment, contact: forms with boxes, masks and a twin."""

from __future__ import annotations

from skillnb.testing.site.elements import el
from skillnb.testing.site.forms import button, checkbox, form, link, select, textarea, textbox
from skillnb.testing.site.layout import alert
from skillnb.testing.site.scripts import MASK, RERENDER
from skillnb.testing.site.visit import Page, Redirect, Reply, Route, Screen, Visit

__all__ = ["PAGES", "ROUTES"]

_TOPICS = (("order", "An order"), ("return", "A return"), ("other", "Something else"))


def _profile(visit: Visit, wrong: str = "") -> Screen:
    kept = visit.data.row("select * from profiles where user = ?", visit.user) or {}
    shown = {name: visit.value(name) for name in kept} if visit.method == "POST" else kept
    save = form(
        "/profile",
        textbox("Display name", shown.get("display_name", ""), name="display_name"),
        textbox("Email", shown.get("email", ""), type="email"),
        textbox("Phone", shown.get("phone", ""), type="tel"),
        checkbox(
            "terms",
            "I agree to the ",
            el("a", "Terms of service", href="/terms", key="terms-link"),
            checked=shown.get("terms") == "yes",
        ),
        checkbox("newsletter", "Send me the newsletter", checked=shown.get("newsletter") == "yes"),
        button("Save profile"),
        key="profile",
    )
    more = el("p", link("Payment", "/payment"), " ", link("Addresses", "/addresses"))
    return Screen("Profile", (el("h1", "Profile"), alert(wrong) or "", save, more), status=422 if wrong else 200)


def _save_profile(visit: Visit) -> Reply:
    if visit.value("terms") != "yes":
        return _profile(visit, "You must agree to the terms")
    visit.data.do(
        "update profiles set display_name = ?, email = ?, phone = ?, terms = ?, newsletter = ? where user = ?",
        *(visit.value(name) for name in ("display_name", "email", "phone", "terms", "newsletter")),
        visit.user,
    )
    return Redirect("/profile", said="Profile saved")


def _terms(_visit: Visit) -> Reply:
    return Screen("Terms of service", (el("h1", "Terms of service"), el("p", "Be kind. Pay in time.")))


def _payment(visit: Visit, wrong: str = "") -> Screen:
    save = form(
        "/payment",
        textbox(
            "Card number",
            name="card_number",
            autocomplete="cc-number",
            inputmode="numeric",
            oninput="mask(this, '#### #### #### ####')",
        ),
        textbox("Expiry", placeholder="MM/YY", autocomplete="cc-exp", oninput="mask(this, '##/##')"),
        textbox("Postal code", name="postal_code", oninput="rerender(this)"),
        textbox("Security code", type="password", name="security_code", autocomplete="cc-csc"),
        button("Save card"),
        key="payment",
    )
    content = (el("h1", "Payment"), alert(wrong) or "", save)
    return Screen("Payment", content, script=MASK + RERENDER, status=422 if wrong else 200)


def _save_card(visit: Visit) -> Reply:
    number = visit.value("card_number")
    if len(number.replace(" ", "")) != 16:
        return _payment(visit, "A card number has 16 digits")
    visit.data.do(
        "insert into cards (user, number, expiry, postal_code) values (?, ?, ?, ?)",
        visit.user,
        number,
        visit.value("expiry"),
        visit.value("postal_code"),
    )
    return Redirect("/payment", said="Card saved")


def _contact(_visit: Visit) -> Reply:
    """Its button has the name of the one in the page's header."""
    ask = form("/contact", select("Topic", _TOPICS), textarea("Message"), button("Submit"), key="contact")
    return Screen("Contact", (el("h1", "Contact us"), ask))


def _ask(visit: Visit) -> Reply:
    visit.data.do("insert into contacts (topic, message) values (?, ?)", visit.value("topic"), visit.value("message"))
    return Redirect("/contact", said="Message sent")


PAGES = (
    Page(
        "profile",
        "/profile",
        _profile,
        "a checkbox whose label holds a link; a telephone number",
        (
            "textbox Display name",
            "textbox Email",
            "textbox Phone",
            "checkbox I agree to the Terms of service",
            "link Terms of service",
            "checkbox Send me the newsletter",
            "button Save profile",
        ),
        login=True,
    ),
    Page("terms", "/terms", _terms, "where the link in the label leads", ("heading Terms of service",)),
    Page(
        "payment",
        "/payment",
        _payment,
        "masked boxes; `Postal code` is replaced by a new node at each key; a password",
        ("textbox Card number", "textbox Expiry", "textbox Postal code", "textbox Security code", "button Save card"),
        login=True,
    ),
    Page(
        "contact",
        "/contact",
        _contact,
        "twin forms: `Submit` is in the header and in the page",
        ("combobox Topic", "textbox Message", "button Submit ×2"),
    ),
)
ROUTES = (
    Route("POST", "/profile", "profile", _save_profile, login=True),
    Route("POST", "/payment", "payment", _save_card, login=True),
    Route("POST", "/contact", "contact", _ask),
)

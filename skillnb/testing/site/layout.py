"""Header, navigation, messages and footer around a page's own part; its few rules of style."""

from __future__ import annotations

from collections.abc import Sequence

from skillnb.testing.site.elements import Element, Node, el
from skillnb.testing.site.forms import button, field, form, link
from skillnb.testing.site.visit import Screen, Visit

__all__ = ["alert", "banner", "document", "SHOP"]

SHOP = "Corner Store"
_MAIN = (("Home", "/"), ("Products", "/products"), ("Orders", "/orders"), ("Issues", "/issues"), ("Cart", "/cart"))
_FOOT = (("Contact", "/contact"), ("Downloads", "/downloads"), ("Reviews", "/reviews"), ("Site map", "/site-map"))
_STYLE = """
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#222;background:#fafaf8}
body>header{background:#fff;border-bottom:1px solid #ddd}.bar{display:flex;flex-wrap:wrap;gap:.5rem 1rem;
align-items:center;padding:.6rem 1.5rem}.brand{font-weight:700;font-size:1.2rem}nav ul{display:flex;gap:1rem;
list-style:none;margin:0;padding:0;flex-wrap:wrap}main{max-width:60rem;margin:0 auto;padding:1rem 1.5rem 3rem;
display:block;min-height:60vh}body>footer{border-top:1px solid #ddd;padding:1rem 1.5rem;color:#555}a{color:#0b5a8f}
.push{margin-left:auto;display:flex;gap:.8rem;align-items:center}.field{margin:.6rem 0}.field label,.field>span{
display:block;font-weight:600}.check{display:block;margin:.3rem 0}input,select,textarea,button{font:inherit;
padding:.35rem .6rem;border:1px solid #999;border-radius:4px}textarea{width:100%}button,.button{background:#0b5a8f;
color:#fff;border-color:#0b5a8f;cursor:pointer}button:disabled{background:#aaa;border-color:#aaa;cursor:default}
table{border-collapse:collapse;width:100%;margin:1rem 0;background:#fff}caption{text-align:left;font-weight:600}
th,td{border-bottom:1px solid #ddd;padding:.4rem .6rem;text-align:left}td form{display:inline}fieldset{border:1px
solid #ccc;margin:.8rem 0}.pair,.tools{display:flex;gap:.6rem;align-items:end}[role=status]{background:#e5f4e7;
padding:.5rem 1rem}[role=alert]{background:#fbe6e4;padding:.5rem 1rem}[role=status]:empty{padding:0}.search label{
position:absolute;left:-99rem}.search .field{display:inline-block}.search input{width:11rem}
.cookies{position:fixed;inset:auto 0 0 0;z-index:9;
background:#333;color:#fff;padding:1rem 1.5rem;min-height:40vh}.dropdown{position:relative;width:12rem}
.dropdown-value,.dropdown-list div{border:1px solid #999;padding:.35rem .6rem;cursor:pointer;background:#fff}
.dropdown-list{position:absolute;z-index:3;width:100%}[role=listbox]{list-style:none;margin:0;padding:0;border:1px
solid #999;background:#fff;max-width:20rem}[role=option]{padding:.3rem .6rem;cursor:pointer}[aria-selected=true]{
background:#dcecf7}.mobile{display:none}@media(max-width:600px){.mobile{display:block}.desktop{display:none}}
.ad{background:#fff7d6;padding:.6rem 1.5rem}iframe{width:100%;height:16rem;border:1px solid #ccc}dt{font-weight:600}
.spacer{height:260vh}.cards{display:grid;grid-template-columns:repeat(3,1fr);gap:1rem;list-style:none;padding:0}
.cards li{background:#fff;border:1px solid #ddd;padding:.8rem}
"""


def document(visit: Visit, screen: Screen, said: Sequence[str] = ()) -> Element:
    """The whole page. ``said`` is what the last request had to say."""
    title = screen.title if screen.bare else f"{screen.title} - {SHOP}"
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", title),
        el("link", rel="icon", href="data:,"),
        el("style", _STYLE),
        el("script", screen.script, defer=None) if screen.script and screen.bare else None,
    )
    messages = [el("div", text, role="status", key="status") for text in said]
    main = el("main", messages, screen.content, key="main")
    script = el("script", screen.script) if screen.script and not screen.bare else None
    body = el("body", main) if screen.bare else el("body", _header(visit), main, _footer(), script)
    return el("html", head, body, lang="en")


def alert(text: str) -> Element | None:
    """Something is wrong, said where everybody sees it; nothing if there is nothing to say."""
    return el("div", text, role="alert", key="alert") if text else None


def banner() -> Element:
    """The cookie banner. It lies over the lower part of the page."""
    return el(
        "section",
        el("p", "We use cookies to remember your cart."),
        form("/cookies", button("Accept cookies"), " ", button("Decline", name="decline", value="yes"), key="cookies"),
        aria_label="Cookies",
        class_="cookies",
        key="banner",
    )


def _header(visit: Visit) -> Element:
    words = el("input", key="site-search", id="site-search", type="search", name="q", placeholder="Search")
    search = form(
        "/products",
        field("Search the shop", words),
        " ",
        button("Submit", key="site-submit"),
        key="site",
        method="get",
        role="search",
        aria_label="Site",
        class_="search",
    )
    account: list[Node] = [link("Log in", "/login")]
    if visit.user:
        leave = form("/logout", button("Log out"), key="log-out")
        account = [link(f"Account of {visit.user}", "/profile", key="account"), leave]
    return el(
        "header",
        el(
            "div",
            el("span", SHOP, class_="brand"),
            el("nav", _menu(_MAIN, "main"), aria_label="Main"),
            search,
            el("div", account, class_="push"),
            class_="bar",
        ),
    )


def _footer() -> Element:
    return el("footer", el("nav", _menu(_FOOT, "foot"), aria_label="More"), el("p", f"{SHOP}, 2 March 2026"))


def _menu(entries: Sequence[tuple[str, str]], prefix: str) -> Element:
    return el("ul", [el("li", link(text, href, key=f"{prefix}-{text.lower()}")) for text, href in entries])

"""The page ``docs/demo-site.md``, from the code: ``python -m skillnb.testing.site.manual > docs/demo-site.md``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from skillnb.testing.site.catalogue import PAGES
from skillnb.testing.site.mutations import KINDS
from skillnb.testing.site.seed import PASSWORDS
from skillnb.testing.site.visit import Page, control

__all__ = ["manual"]

_HEAD = """# The demonstration shop

A small web shop with an issue tracker, in one process, on loopback, with its data in a temporary SQLite file. It has
the forms, frames, windows and files of real sites, and it can be told to change under a workflow's feet. This page is
written from the code (`python -m skillnb.testing.site.manual`); a test keeps it true.

    skillnb demo-site                # prints the address and the accounts, runs until Ctrl-C
    skillnb demo-site --port 8200

In tests it lasts as long as a block:

```python
from skillnb.testing.site import serving

with serving() as site:
    site.url, site.credentials
    site.mutate("rename", page="orders", target="Save tracking", to="Store tracking")
    site.count("POST", "/orders/*/tracking"), site.counts()
    site.log()                       # requests that may change something, with what they sent
    site.rows("orders")              # what the database holds
    site.clear()                     # all mutations off
    site.reset()                     # seeded data, no sessions, counters at 0, no mutation
```

From another process, as JSON: `POST /__control__/mutate` (the arguments above, with `kind`), `/__control__/clear`,
`/__control__/reset`, each with content type `application/json`;
`GET /__control__/count?method=POST&path=/orders/*/tracking`, `/__control__/counts`, `/__control__/log`,
`/__control__/rows?table=orders`, `/__control__/mutations`. No page leads there.

The same requests after a reset give the same pages: no chance, no clock; today is always 2 March 2026."""

_MUTATIONS = """## Mutations

`site.mutate(kind, page, target=..., ...)`. `page` is a name from the table of pages and stands for those under it
(`orders` also for `orders.tracking`); without it all pages are meant. `target` is the name of a control, else of
another element, or its key in the code; of several the first, those in the page's main part before header and footer.
`path` narrows it to addresses (`/orders/1002/*`), `method` to `GET` or `POST`, `times` bounds how often it happens.
Several add up, in the order they were made. `mutate` gives an object with `happened`, the number of answers changed:
0 means that the target was never there."""


def manual() -> str:
    accounts = "Accounts: " + ", ".join(f"`{user}` with `{password}`" for user, password in PASSWORDS.items()) + "."
    note = "\\* asks for log-in. Every page but frames and the chat window also has the header: links Home,"
    note += " Products, Orders, Issues, Cart; searchbox “Search the shop” with button “Submit”;"
    note += " link “Log in” or button “Log out”."
    pages = _table(("page", "path", "what", "controls"), map(_page, PAGES))
    kinds = _table(("kind", "what happens"), ((f"`{kind}`", said) for kind, said in KINDS.items()))
    return "\n\n".join((_HEAD, accounts, "## Pages", pages, note, _MUTATIONS, kinds)) + "\n"


def _page(page: Page) -> tuple[str, ...]:
    mark = " \\*" if page.login else ""
    return f"`{page.name}`{mark}", f"`{page.path}`", page.about, ", ".join(map(_told, page.controls))


def _told(words: str) -> str:
    known = control(words)
    return f"{known.role} “{known.name}”" + (f" ({known.times} times)" if known.times > 1 else "")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, tuple("---" for _ in head), *rows))


if __name__ == "__main__":
    sys.stdout.write(manual())

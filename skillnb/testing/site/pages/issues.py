"""The issue tracker."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from skillnb.testing.site.elements import Element, el
from skillnb.testing.site.forms import button, checkbox, form, link, listed, select, table, textarea, textbox
from skillnb.testing.site.layout import alert
from skillnb.testing.site.scripts import COMBOBOX, DROPDOWN, SEGMENTS
from skillnb.testing.site.seed import LABELS, PEOPLE, PRIORITIES
from skillnb.testing.site.visit import Page, Payload, Redirect, Reply, Route, Screen, Visit

__all__ = ["PAGES", "ROUTES"]

_PER_PAGE = 10
_STATES = (("", "Any"), ("open", "Open"), ("closed", "Closed"))
_MISSING = Screen("Page not found", (el("h1", "Page not found"), el("p", "There is no such issue.")), status=404)


def _issues(visit: Visit) -> Reply:
    state, label, words = visit.value("state"), visit.value("label"), visit.value("q")
    found = visit.data.rows(
        "select * from issues where (? = '' or status = ?) and (? = '' or ',' || labels || ',' like ?) and title like ?"
        " order by id desc",
        state,
        state,
        label,
        f"%,{label},%",
        f"%{words}%",
    )
    last = max((len(found) + _PER_PAGE - 1) // _PER_PAGE, 1)
    asked = visit.value("page")
    page = min(max(int(asked), 1), last) if asked.isascii() and asked.isdigit() else 1
    lines = [
        (
            f"#{row['id']}",
            link(row["title"], f"/issues/{row['id']}", key=f"issue-{row['id']}"),
            row["status"],
            row["labels"].replace(",", ", "),
            row["assignee"],
        )
        for row in found[(page - 1) * _PER_PAGE : page * _PER_PAGE]
    ]
    narrow = form(
        "/issues",
        textbox("Find issues", words, name="q", type="search"),
        select("State", _STATES, state),
        select("Label", (("", "Any"), *((each, each.capitalize()) for each in LABELS)), label),
        button("Apply filters"),
        key="filters",
        method="get",
    )
    ask = f"state={state}&label={label}&q={words}"
    heads = ("Number", "Title", "State", "Labels", "Assignee")
    listing = table(f"{len(found)} issues", heads, lines, key="issues")
    new = el("p", link("New issue", "/issues/new"))
    return Screen("Issues", (el("h1", "Issues"), new, narrow, listing, _pagination(ask, page, last)))


def _pagination(ask: str, page: int, last: int) -> Element:
    numbers = [
        link(str(n), f"/issues?{ask}&page={n}", key=f"page-{n}", aria_current="page" if n == page else None)
        for n in range(1, last + 1)
    ]
    before = [link("Previous", f"/issues?{ask}&page={page - 1}")] if page > 1 else []
    after = [link("Next", f"/issues?{ask}&page={page + 1}")] if page < last else []
    return el(
        "nav", el("ul", [el("li", each) for each in (*before, *numbers, *after)]), aria_label="Pages", key="pages"
    )


def _found(visit: Visit) -> dict[str, Any] | None:
    return visit.data.row("select * from issues where id = ?", visit.parts[0])


def _issue(visit: Visit) -> Reply:
    row = _found(visit)
    if not row:
        return _MISSING
    there = f"/issues/{row['id']}"
    facts = listed(
        (
            ("State", row["status"].capitalize()),
            ("Labels", row["labels"].replace(",", ", ") or "none"),
            ("Assignee", row["assignee"] or "nobody"),
            ("Priority", dict(PRIORITIES).get(row["priority"], "none")),
            ("Due", row["due"] or "never"),
            ("Reminder", row["remind"] or "none"),
        )
    )
    said = visit.data.rows("select * from comments where issue = ? order by id", row["id"])
    comments = el(
        "section",
        el("h2", "Comments"),
        [el("article", el("strong", each["author"]), el("p", each["text"])) for each in said],
        form(f"{there}/comments", textarea("Comment"), button("Add comment"), key="comment-form"),
        key="comments",
    )
    closed = row["status"] == "closed"
    turn = (
        form(f"{there}/reopen", button("Reopen issue"), key="state")
        if closed
        else form(f"{there}/close", button("Close issue"), key="state")
    )
    text = el("p", row["description"], key="description")
    title = f"#{row['id']} {row['title']}"
    return Screen(title, (el("h1", title), text, facts, el("p", link("Edit issue", f"{there}/edit")), turn, comments))


def _assignee(chosen: str) -> Element:
    """A combobox whose list comes from the server; only what is chosen from it counts."""
    box = el(
        "input",
        key="assignee",
        id="assignee",
        type="text",
        role="combobox",
        autocomplete="off",
        value=chosen or None,
        data_committed=chosen or None,
        aria_autocomplete="list",
        aria_expanded="false",
        aria_controls="assignee-list",
        oninput="comboSuggest(this)",
        onkeydown="comboKey(this, event)",
        onblur="comboLeave(this)",
    )
    options = el("ul", id="assignee-list", role="listbox", aria_label="People", hidden=True)
    kept = el("input", type="hidden", name="assignee", value=chosen)
    return el("div", el("label", "Assignee", for_="assignee"), box, kept, options, class_="field")


def _priority(chosen: str) -> Element:
    """A list made of plain boxes, without any role."""
    shown = el(
        "div",
        dict(PRIORITIES).get(chosen, "Choose a priority"),
        class_="dropdown-value",
        tabindex="0",
        onclick="dropOpen(this)",
        key="priority",
    )
    items = [el("div", text, data_value=value, onclick="dropPick(this)") for value, text in PRIORITIES]
    kept = el("input", type="hidden", name="priority", value=chosen)
    drop = el("div", shown, el("div", items, class_="dropdown-list", hidden=True), kept, class_="dropdown")
    return el("div", el("span", "Priority"), drop, class_="field")


def _reminder() -> Element:
    """A date in three boxes; a full one hands on to the next."""
    boxes = [
        el(
            "input",
            key=f"remind-{name}",
            name=f"remind_{name}",
            aria_label=name.capitalize(),
            inputmode="numeric",
            size=str(length),
            maxlength=str(length),
            oninput="segment(this)",
        )
        for name, length in (("day", 2), ("month", 2), ("year", 4))
    ]
    return el("fieldset", el("legend", "Remind me on"), boxes, key="reminder")


def _new(visit: Visit, wrong: str = "") -> Screen:
    chosen = visit.form.get("labels", ())
    inside = (
        textbox("Title", visit.value("title")),
        textarea("Description", visit.value("description")),
        el(
            "fieldset",
            el("legend", "Labels"),
            [checkbox(f"labels:{each}", each.capitalize(), checked=each in chosen, value=each) for each in LABELS],
            key="labels",
        ),
        _assignee(visit.value("assignee")),
        _priority(visit.value("priority")),
        textbox("Due date", visit.value("due"), name="due", type="date"),
        _reminder(),
        button("Create issue"),
    )
    content = (el("h1", "New issue"), alert(wrong) or "", form("/issues", *inside, key="new-issue"))
    return Screen("New issue", content, script=COMBOBOX + DROPDOWN + SEGMENTS, status=422 if wrong else 200)


def _create(visit: Visit) -> Reply:
    remind = "-".join(visit.value(f"remind_{part}") for part in ("year", "month", "day")).strip("-")
    if not visit.value("title"):
        return _new(visit, "Enter a title")
    if visit.value("assignee") not in ("", *PEOPLE):
        return _new(visit, "Choose an assignee from the list")
    if visit.value("priority") not in dict(PRIORITIES):
        return _new(visit, "Choose a priority")
    if not _is_date(visit.value("due")) or not _is_date(remind):
        return _new(visit, "Enter dates that exist")
    number = visit.data.do(
        "insert into issues (title, description, status, labels, assignee, priority, due, remind, author)"
        " values (?, ?, 'open', ?, ?, ?, ?, ?, ?)",
        visit.value("title"),
        visit.value("description"),
        ",".join(visit.form.get("labels", ())),
        visit.value("assignee"),
        visit.value("priority"),
        visit.value("due"),
        remind,
        visit.user,
    )
    return Redirect(f"/issues/{number}", said="Issue created")


def _is_date(text: str) -> bool:
    try:
        return not text or date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _edit(visit: Visit) -> Reply:
    row = _found(visit)
    if not row:
        return _MISSING
    change = form(
        f"/issues/{row['id']}/edit",
        textbox("Title", row["title"]),
        textarea("Description", row["description"]),
        select("State", _STATES[1:], row["status"]),
        select("Priority", PRIORITIES, row["priority"]),
        button("Save changes"),
        key="edit-issue",
    )
    return Screen(f"Edit #{row['id']}", (el("h1", f"Edit issue #{row['id']}"), change))


def _save(visit: Visit) -> Reply:
    visit.data.do(
        "update issues set title = ?, description = ?, status = ?, priority = ? where id = ?",
        *(visit.value(name) for name in ("title", "description", "state", "priority")),
        visit.parts[0],
    )
    return Redirect(f"/issues/{visit.parts[0]}", said="Issue saved")


def _close(visit: Visit) -> Reply:
    visit.data.do("update issues set status = 'closed' where id = ?", visit.parts[0])
    return Redirect(f"/issues/{visit.parts[0]}", said="Issue closed")


def _reopen(visit: Visit) -> Reply:
    visit.data.do("update issues set status = 'open' where id = ?", visit.parts[0])
    return Redirect(f"/issues/{visit.parts[0]}", said="Issue reopened")


def _comment(visit: Visit) -> Reply:
    said = visit.value("comment")
    if said:
        visit.data.do(
            "insert into comments (issue, author, text) values (?, ?, ?)", int(visit.parts[0]), visit.user, said
        )
    return Redirect(f"/issues/{visit.parts[0]}", said="Comment added" if said else "Nothing to add")


def _people(visit: Visit) -> Reply:
    words = visit.value("q").casefold()
    names = [name for name in PEOPLE if words and words in name.casefold()]
    return Payload(json.dumps(names).encode(), "application/json")


PAGES = (
    Page(
        "issues",
        "/issues",
        _issues,
        "filters, pages of ten",
        (
            "searchbox Find issues",
            "combobox State",
            "combobox Label",
            "button Apply filters",
            "link New issue",
            "link Next",
        ),
        login=True,
    ),
    Page(
        "issues.issue",
        "/issues/*",
        _issue,
        "one issue with its comments",
        (
            "heading #1 Search finds nothing for umlauts",
            "link Edit issue",
            "button Close issue",
            "textbox Comment",
            "button Add comment",
        ),
        "/issues/1",
        login=True,
    ),
    Page(
        "issues.new",
        "/issues/new",
        _new,
        "ARIA combobox with suggestions, list of plain boxes (`Priority`, no role), date, date in three boxes",
        (
            "textbox Title",
            "textbox Description",
            "checkbox Bug",
            "checkbox Billing",
            "checkbox Design",
            "checkbox Docs",
            "checkbox Urgent",
            "combobox Assignee",
            "textbox Due date",
            "textbox Day",
            "textbox Month",
            "textbox Year",
            "button Create issue",
        ),
        login=True,
    ),
    Page(
        "issues.edit",
        "/issues/*/edit",
        _edit,
        "title, text, state, priority",
        ("textbox Title", "textbox Description", "combobox State", "combobox Priority", "button Save changes"),
        "/issues/1/edit",
        login=True,
    ),
)
ROUTES = (
    Route("POST", "/issues", "issues.new", _create, login=True),
    Route("POST", "/issues/*/edit", "issues.edit", _save, login=True),
    Route("POST", "/issues/*/close", "issues.issue", _close, login=True),
    Route("POST", "/issues/*/reopen", "issues.issue", _reopen, login=True),
    Route("POST", "/issues/*/comments", "issues.issue", _comment, login=True),
    Route("GET", "/people", "issues.new", _people),
)

"""Promise 2, from the second run on: a locator that leads to another control than before is not followed."""

from __future__ import annotations

import pytest

from skillnb.codec import canonical
from skillnb.terms.workflow import Workflow
from tests.promises.conftest import Played, Stage
from tests.promises.workflows import parameter, step, workflow

FIRST_TOOL = 'page.locator(".tools button:nth-child(1)")'


def notes(locator: str = FIRST_TOOL, *procedure: str, text: str = "milk") -> Workflow:
    keep = step(
        "keep",
        *procedure,
        code=f'await page.get_by_role("textbox", name="Note").fill("{text}")\nawait {locator}.click()',
        post=f'await gate.text(role="status", contains="Note kept")\n'
        f'await gate.visible(role="listitem", text="{text}")',
    )
    return workflow("/notes", keep)


def learnt(stage: Stage, path: str, made: Workflow, **values: object) -> Played:
    """The first, good run."""
    played = stage.play(path, made, **values)
    assert {str(item.outcome) for item in played.steps} == {"passed"}, played.last.reason
    stage.learn(played)
    return played


def rows(stage: Stage) -> list[object]:
    return [row["text"] for row in stage.shop.rows("notes")]


@pytest.mark.parametrize("other", ["copy", "clear"])
def test_icon_buttons_that_have_changed_places(stage: Stage, other: str) -> None:
    learnt(stage, "/notes", notes())
    stage.shop.mutate("swap", "notes", target="keep", to=other)
    played = stage.play("/notes", notes(text="bread"))
    assert (played.ways, rows(stage)) == (["passed by repaired"], ["milk", "bread"]), played.last.reason
    [mended] = stage.gathered.mended
    assert (mended.old, mended.new) == (FIRST_TOOL, 'page.get_by_role("button", name="Keep note")')


def test_the_icon_button_is_gone_and_its_neighbour_stands_in_its_place(stage: Stage) -> None:
    learnt(stage, "/notes", notes())
    stage.shop.mutate("remove", "notes", target="keep")
    played = stage.play("/notes", notes(text="bread"))
    assert (str(played.last.outcome), rows(stage)) == ("failed", ["milk"])
    assert "which stood beside that" in played.last.reason


@pytest.mark.parametrize(
    ("kind", "change"),
    [("rename", {"to": "Store note"}), ("rename", {"to": "Keep note (3)"}), ("wrap", {"to": "ad"})],
)
def test_what_merely_looks_or_is_called_otherwise_is_followed(stage: Stage, kind: str, change: dict[str, str]) -> None:
    button = 'page.locator("form:has(textarea) button").first'
    learnt(stage, "/notes", notes(button))
    stage.shop.mutate(kind, "notes", target="keep", **change)
    played = stage.play("/notes", notes(button, text="bread"))
    assert (played.ways, rows(stage)) == (["passed by code"], ["milk", "bread"]), played.last.reason


@pytest.mark.parametrize("locator", ["tr:nth-child(2) form:nth-child(1) button", "tr:nth-child(2) button >> nth=0"])
def test_edit_and_delete_have_changed_places_under_a_css_locator(stage: Stage, locator: str) -> None:
    edit = step(
        "edit",
        code=f'await page.locator("tbody {locator}").click()',
        post='await gate.value(label="First name", equals="Jonas")',
    )
    made = workflow("/addresses", edit)
    learnt(stage, "/addresses", made)
    stage.shop.mutate("swap", "addresses", target="row-edit-2", to="row-delete-2")
    played = stage.play("/addresses", made)
    assert (stage.changes(), len(stage.shop.rows("addresses"))) == ([], 4), played.last.reason
    assert played.ways == ["passed by repaired"], played.last.reason


def product(number: str) -> Workflow:
    link = f'page.get_by_role("main").get_by_role("listitem").{number}.get_by_role("link")'
    return workflow("/products", step("open", code=f"await {link}.click()", post='await gate.url("**/products/*")'))


def test_a_list_in_another_order_is_not_gone_through_by_number(stage: Stage) -> None:
    """The fourth product of the first run, wherever it stands; the list begins with another one at each visit."""
    first = learnt(stage, "/products", product("nth(3)"))
    played = stage.play("/products", product("nth(3)"))
    assert (played.ways, played.path) == (["passed by repaired"], first.path), played.last.reason


def test_the_first_of_a_list_is_whichever_is_first_today(stage: Stage) -> None:
    first = learnt(stage, "/products", product("first"))
    played = stage.play("/products", product("first"))
    assert played.ways == ["passed by code"], played.last.reason
    assert played.path != first.path


def test_an_element_of_another_value_of_a_parameter_is_another_question(stage: Stage) -> None:
    by_name = step(
        "open",
        code='await page.get_by_role("link", name=params.product).click()',
        post='await gate.visible(role="heading", name=params.product)',
    )
    by_css = step(
        "open",
        code='await page.get_by_label("Search products").fill(params.product)\n'
        'await page.get_by_role("button", name="Search", exact=True).click()\n'
        'await page.locator("main li:nth-child(1) a").click()',
        post='await gate.visible(role="heading", name=params.product)',
    )
    for each in (by_name, by_css):
        made = workflow("/products", each, parameters=(parameter("product"),))
        learnt(stage, "/products", made, product="Desk lamp")
        assert "Desk lamp" not in canonical(stage.memories), "a value of one run was kept"
        played = stage.play("/products", made, product="Garden trowel")
        assert (played.ways, stage.gathered.mended) == (["passed by code"], ()), played.last.reason
        stage.memories = ()


def test_nothing_that_was_typed_is_in_a_fingerprint(stage: Stage) -> None:
    typed = step(
        "type",
        code='await page.get_by_label("Username").fill("carol-typed")\n'
        'await page.get_by_label("Password").fill("hush-hush-9")\n'
        'await page.get_by_label("Username").press("Tab")\nawait page.get_by_label("Password").press("Tab")\n'
        'await page.get_by_label("Remember me").check()',
        post='await gate.value(label="Username", equals="carol-typed")',
    )
    stage.play("/login", workflow("/login", typed))
    kept = canonical(stage.gathered)
    assert len(stage.gathered.seen) == 5
    assert "carol-typed" not in kept
    assert "hush-hush-9" not in kept


def test_frames_and_shadow_roots(stage: Stage) -> None:
    inside = "page.locator('iframe[title=\"Delivery address\"]').content_frame"
    save = step(
        "keep",
        code=f'await {inside}.get_by_label("Street").fill("Elm 1")\nawait {inside}.get_by_label("City").fill("Bern")\n'
        f'await {inside}.locator("button").click()',
        post='await gate.text(role="status", contains="Kept: Elm 1, Bern")',
    )
    learnt(stage, "/frames", workflow("/frames", save))
    [memory] = stage.memories
    assert [item.fingerprint.name for item in memory.known] == ["Street", "City", "Save address"]
    assert all(len(item.fingerprint.frame) == 1 for item in memory.known)
    stage.memories = ()
    stage.shop.mutate("shadow-wrap", "notes", target="keep")
    learnt(stage, "/notes", notes('page.locator("main form button").first'))
    button = stage.memories[0].known[1].fingerprint
    assert (button.name, button.frame) == ("Keep note", ())


def deleting(row: str) -> Workflow:
    delete = step(
        "delete",
        code=f'await {row}.get_by_role("button", name="Delete").click()',
        post='await gate.visible(role="status", text="Address deleted")',
    )
    return workflow("/addresses", delete, parameters=(parameter("who"),))


@pytest.mark.parametrize(
    "row",
    [
        'page.get_by_role("row").filter(has_text=params.who)',
        'page.locator("tr", has_text=params.who)',
        "page.locator(f\"tr:has-text('{params.who}')\")",
        'page.get_by_role("row").filter(has=page.get_by_text(params.who))',
    ],
)
@pytest.mark.parametrize("who", ["Jonas", "jonas"])
def test_a_row_chosen_by_a_parameter_is_never_that_of_another_value(stage: Stage, row: str, who: str) -> None:
    """Done for one; then for somebody else, and for somebody who is not there."""
    made = deleting(row)
    learnt(stage, "/addresses", made, who=who)
    stage.shop.reset()
    played = stage.play("/addresses", made, who="Nobody")
    assert (str(played.last.outcome), len(stage.shop.rows("addresses"))) == ("failed", 4), played.last.reason
    played = stage.play("/addresses", made, who="Ines")
    names = {each["first_name"] for each in stage.shop.rows("addresses")}
    assert (played.ways, names) == (["passed by code"], {"Jonas", "Priya", "Tomás"}), played.last.reason

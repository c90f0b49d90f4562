"""Whole pages changed: wrong for a step, or as right as before."""

from __future__ import annotations

from skillnb.rules.mutationkinds import Kind
from skillnb.rules.passages import Passage, at_rest
from skillnb.rules.variants import right_variants, wrong_for_step
from tests.pages import page, recorded

BEFORE = page('- heading "Order 12" [ref=e1]\n- button "Save" [ref=e2]', url="http://h/orders/12/")
AFTER = page(
    '- heading "Order 12" [ref=e1]\n- button "Save" [ref=e2]\n- status [ref=e3]: Saved', url="http://h/orders/12/"
)
LIST = page('- heading "Orders" [ref=e1]', url="http://h/orders/")
PASSAGE = Passage("run", "save", {"order": 12, "note": "", "user": "zoe"}, frozenset(), BEFORE, AFTER, (LIST, BEFORE))


def test_wrong_for_a_step() -> None:
    found = wrong_for_step(PASSAGE, ["order", "note", "user", "unknown"])
    assert [(mutant.kind, mutant.change) for mutant in found] == [
        (Kind.BEFORE, "nothing was done"),
        (Kind.OTHER_PAGE, "ended at http://h/orders/"),
        (Kind.OTHER_RECORD, "order '12' is now '13'"),
        (Kind.OTHER_RECORD, "order '12' is now '122'"),
        (Kind.ERROR_BANNER, "alert 'Something went wrong. Nothing was stored.' is there"),
    ]
    assert (found[2].seen.url, found[2].seen.nodes[0].name) == ("http://h/orders/13/", "Order 13")
    assert [node.role for node in found[4].seen.nodes] == ["alert", "heading", "button", "status"]


def test_a_step_that_changed_nothing_to_see_has_no_wrong_page_before_it() -> None:
    kinds = [mutant.kind for mutant in wrong_for_step(PASSAGE._replace(before=AFTER), [])]
    assert kinds == [Kind.OTHER_PAGE, Kind.ERROR_BANNER]
    kinds = [mutant.kind for mutant in wrong_for_step(PASSAGE._replace(before=None, elsewhere=()), [])]
    assert kinds == [Kind.ERROR_BANNER]


def test_right_variants() -> None:
    found = right_variants(AFTER, [0, 2])
    assert [(mutant.kind, mutant.change) for mutant in found] == [
        (Kind.TEXT_ADDED, "first"),
        (Kind.TEXT_ADDED, "last"),
        (Kind.BANNER_ADDED, "status 'This place will be closed on Sunday.'"),
        (Kind.RENUMBERED, "handles"),
        (Kind.WRAPPED, "around heading 'Order 12'"),
        (Kind.WRAPPED, "around status ''"),
        (Kind.SPACES, "blanks doubled"),
        (Kind.CASE, "capitals"),
    ]
    assert found[-2].seen.nodes[0].name == "Order  12"
    assert [node.name or node.text for node in found[-1].seen.nodes] == ["ORDER 12", "Save", "SAVED"]


def test_nothing_can_be_varied_on_an_empty_page() -> None:
    assert right_variants(page(""), []) == ()


def test_a_recorded_list_has_rows_to_put_in_another_order() -> None:
    seen = at_rest(recorded("django-admin-5.2-group-list", "http://h/admin/auth/group/"))
    kinds = [mutant.kind for mutant in right_variants(seen, [])]
    assert kinds == [Kind.TEXT_ADDED, Kind.TEXT_ADDED, Kind.BANNER_ADDED, Kind.REORDERED, Kind.RENUMBERED]

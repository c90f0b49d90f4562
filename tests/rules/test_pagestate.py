from __future__ import annotations

from skillnb.rules.pagestate import page_state
from tests.pages import page


def test_handles_tell_no_two_moments_apart_and_all_else_does() -> None:
    here = page('- textbox "Note" [ref=e1]: a\n- checkbox "Gift" [ref=e2]')
    same = page('- textbox "Note" [ref=e7]: a\n- checkbox "Gift" [ref=e9]')
    assert page_state(here) == page_state(same)
    others = (
        page('- textbox "Note" [ref=e1]: b\n- checkbox "Gift" [ref=e2]'),
        page('- textbox "Note" [ref=e1]: a\n- checkbox "Gift" [checked] [ref=e2]'),
        page('- textbox "Note" [ref=e1]: a\n- checkbox "Gift" [disabled] [ref=e2]'),
        page('- textbox "Note" [ref=e1]: a'),
        page('- textbox "Note" [ref=e1]: a\n- checkbox "Gift" [ref=e2]', url="http://site/2"),
    )
    assert len({page_state(item) for item in (here, *others)}) == 6

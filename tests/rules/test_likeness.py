from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.rules.likeness import FEATURES, evidence, prepare, ranking
from skillnb.rules.relocationweights import SHIPPED
from skillnb.terms.fingerprint import Fingerprint
from tests.rules.madepages import link, orders, shop


def test_the_command_line_starts_without_numpy() -> None:
    code = "import sys, skillnb.cli.main; print('numpy' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"


def test_there_is_one_weight_for_each_piece_of_evidence_and_none_speaks_against() -> None:
    assert len(SHIPPED.features) == len(FEATURES)
    assert min(SHIPPED.features) > 0
    assert 0.5 < SHIPPED.accept < 1


def test_an_element_agrees_with_itself_in_all_that_is_known_of_it() -> None:
    page = [*shop(), *orders("Ann Ash", "Bob Bell")]
    columns = prepare(page)
    for at, one in enumerate(page):
        found = evidence(one, columns)
        assert found.values[at] * found.known == pytest.approx(found.known)


def test_a_rare_word_of_an_address_speaks_louder_than_one_that_all_have() -> None:
    page = [link("", at, f"/shop/go?to={word}") for at, word in enumerate(("twitch", "mastodon", "radio"), 1)]
    found = evidence(link("", 9, "/leave/shop?to=mastodon&token=BCYia6V"), prepare(page))
    words = found.values[:, FEATURES.index("address words")]
    assert words.argmax() == 1
    assert words[1] > 1.5 * words[0] > 0


def test_only_what_can_be_used_alike_is_ranked() -> None:
    page = shop()
    found = ranking(page[8], prepare(page), SHIPPED.features)
    assert {page[at].role for at in found.order} == {"textbox"}
    assert found.order[0] == 8
    assert found.scores[0] == pytest.approx(found.attainable)


texts = st.text("abc /?=_-12", max_size=9)


@settings(deadline=None)
@given(
    st.lists(st.builds(Fingerprint, tag=st.sampled_from(("a", "div")), text=texts, href=texts, path=texts), max_size=5)
)
def test_evidence_lies_between_nothing_and_one(page: list[Fingerprint]) -> None:
    for was in (*page, replace(shop()[0], href="")):
        values = evidence(was, prepare(page)).values
        assert values.shape == (len(page), len(FEATURES))
        assert np.all((values >= 0) & (values <= 1 + 1e-9))

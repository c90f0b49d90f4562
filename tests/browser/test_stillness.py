from __future__ import annotations

import pytest

from skillnb.browser.stillness import Stillness


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def looked(page: Stillness, clock: Clock, seconds: float, text: str = "the same", every: float = 0.1) -> bool:
    """Look every so often until ``seconds`` have gone by."""
    end = clock.now + seconds
    while clock.now < end - 0.001:
        clock.now += every
        page.looked(text)
    return page.settled


def test_a_page_is_at_rest_half_a_second_after_the_last_that_moved_it(clock: Clock) -> None:
    page = Stillness(clock)
    page.acted()
    assert not looked(page, clock, 0.4)
    assert looked(page, clock, 0.2)
    page.arrived()
    assert not looked(page, clock, 0.4)
    assert looked(page, clock, 0.2)


def test_what_it_shows_must_be_the_same_for_a_moment(clock: Clock) -> None:
    page = Stillness(clock)
    looked(page, clock, 1.0)
    assert not looked(page, clock, 0.05, "another", every=0.05)
    assert looked(page, clock, 0.2, "another")


@pytest.mark.parametrize(("decisive", "seconds"), [(True, 15.0), (False, 2.0)])
def test_an_answer_is_waited_for_and_not_for_ever(clock: Clock, decisive: bool, seconds: float) -> None:
    page = Stillness(clock)
    page.acted()
    page.began(1, "http://s/x", decisive=decisive)
    assert not looked(page, clock, seconds - 0.3)
    assert looked(page, clock, 0.5)


def test_an_answer_moves_the_page_again(clock: Clock) -> None:
    page = Stillness(clock)
    page.began(1, "http://s/x", decisive=True)
    looked(page, clock, 3.0)
    page.ended(1)
    assert not looked(page, clock, 0.3)
    assert looked(page, clock, 0.3)


def test_asking_the_same_at_intervals_moves_nothing(clock: Clock) -> None:
    page = Stillness(clock)
    page.arrived()
    for number in range(40):
        page.began(number, f"http://s/price?at={number}", decisive=False)
        looked(page, clock, 0.1, f"price {number}", every=0.05)
        page.ended(number)
    assert page.settled
    page.acted()
    page.began("save", "http://s/price", decisive=False)
    assert not looked(page, clock, 1.0)

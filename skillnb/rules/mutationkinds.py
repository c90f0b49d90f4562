"""The kinds of changes that gates are tested with, and what each one says about a gate."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Aim", "AIMS", "Kind", "SAYS"]


class Aim(StrEnum):
    CLAIM = "claim"
    """Contradicts what a gate claims: wrong for that gate and for every set of gates with it."""
    STEP = "step"
    """Wrong for the step: its post gates together must refuse it, one of them alone need not."""
    APART = "apart"
    """May be wrong for the step though none of its gates says anything about it. In no rate."""
    RIGHT = "right"
    """Still right: a gate that refuses it is brittle."""


class Kind(StrEnum):
    REMOVED = "removed"
    WORD = "word"
    DIGIT = "digit"
    TWIN = "twin"
    VALUE = "value"
    TICK = "tick"
    FORBIDDEN = "forbidden"
    ADDRESS = "address"
    STATUS = "status"
    UNANSWERED = "unanswered"
    FILE = "file"
    BEFORE = "before"
    OTHER_PAGE = "other-page"
    OTHER_RECORD = "other-record"
    ERROR_BANNER = "error-banner"
    TWIN_BESIDE = "twin-beside"
    WORD_BESIDE = "word-beside"
    ADDRESS_BESIDE = "address-beside"
    TEXT_ADDED = "text-added"
    BANNER_ADDED = "banner-added"
    REORDERED = "reordered"
    WRAPPED = "wrapped"
    RENUMBERED = "renumbered"
    SPACES = "spaces"
    CASE = "case"


AIMS: dict[Kind, Aim] = {
    **dict.fromkeys(Kind, Aim.CLAIM),
    **dict.fromkeys((Kind.BEFORE, Kind.OTHER_PAGE, Kind.OTHER_RECORD), Aim.STEP),
    **dict.fromkeys((Kind.ERROR_BANNER, Kind.TWIN_BESIDE, Kind.WORD_BESIDE, Kind.ADDRESS_BESIDE), Aim.APART),
    **dict.fromkeys((Kind.TEXT_ADDED, Kind.BANNER_ADDED, Kind.REORDERED, Kind.WRAPPED), Aim.RIGHT),
    **dict.fromkeys((Kind.RENUMBERED, Kind.SPACES, Kind.CASE), Aim.RIGHT),
}

SAYS: dict[Kind, str] = {
    Kind.REMOVED: "what the gate rests on is gone",
    Kind.WORD: "a word that the gate names is another one",
    Kind.DIGIT: "a digit in what the gate names is another one",
    Kind.TWIN: "there is one more of what the gate counts, or of the field whose value it reads",
    Kind.VALUE: "the value differs by one character, is empty, or is another choice",
    Kind.TICK: "the box is ticked instead of not, or the other way round",
    Kind.FORBIDDEN: "what must be absent is there",
    Kind.ADDRESS: "a part of the address that the gate names is another one, or goes on (`1` and `12`)",
    Kind.STATUS: "the site answered with status 500",
    Kind.UNANSWERED: "the site never answered",
    Kind.FILE: "the file is missing, empty or broken off",
    Kind.BEFORE: "the page as it was before the step",
    Kind.OTHER_PAGE: "the page at another address that the run has seen",
    Kind.OTHER_RECORD: "everywhere on the page another value in place of a parameter that the step uses",
    Kind.ERROR_BANNER: "an error message beside everything that was right",
    Kind.TWIN_BESIDE: "a second element like the one that must be visible",
    Kind.WORD_BESIDE: "another word in the same text, of which the gate says nothing",
    Kind.ADDRESS_BESIDE: "another part of the address, which the pattern leaves open",
    Kind.TEXT_ADDED: "a text that has nothing to do with it, first or last on the page",
    Kind.BANNER_ADDED: "a message (role `status`) that has nothing to do with it",
    Kind.REORDERED: "rows, list items and options in reverse order",
    Kind.WRAPPED: "an element without a meaning around what the gate rests on",
    Kind.RENUMBERED: "other handles of the elements",
    Kind.SPACES: "more blanks in names and texts",
    Kind.CASE: "names and texts in capitals",
}

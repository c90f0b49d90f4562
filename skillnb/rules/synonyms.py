"""Everyday words of user interfaces that say the same thing, and what a sentence and a name have in common.

A small table, on purpose: words that are interchangeable on practically every site. Nothing in it turns one action into
another, and nothing that can't be undone is reached through it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from skillnb.rules.similarity import careful, folded

__all__ = ["final", "opposed", "turned", "uncounted", "words_of"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PHRASES = (
    (r"log(?:ging)?[ -]?(?:in|on)\b|sign(?:ing)?[ -]?in\b", "signin"),
    (r"(?:log|sign)(?:ging|ing)?[ -]?(?:out|off)\b", "signout"),
    (r"sign(?:ing)?[ -]?up\b", "signup"),
    (r"e[ -]?mail(?: address(?:es)?)?\b", "email"),
    (r"(?:shopping )?(?:cart|basket|trolley)\b|shopping bag\b", "cart"),
    (r"wish[ -]?list\b", "wishlist"),
    (r"user[ -]?name\b|login name\b", "username"),
    (r"(?:zip / postal|zip/postal|zip|postal|post) ?code\b", "postcode"),
    (r"zip\b", "postcode"),
    (r"(?:tele|mobile )?phone(?: number)?\b", "phone"),
    (r"(?:given|fore|first)[ -]?names?\b", "firstname"),
    (r"(?:family name|surname|last[ -]?name)\b", "lastname"),
    (r"(?:dark|night) (?:mode|theme)\b", "darkmode"),
    (r"check[ -]?box\b", "checkbox"),
    (r"pop[ -]?up\b", "popup"),
    (r"proceed\b|go on\b", "continue"),
    (r"(?:delivery|ship(?:ping)?)\b", "shipping"),
    (r"colou?rs?\b", "color"),
    (r"qty\b|quantit(?:y|ies)\b", "quantity"),
    (r"repo(?:sitor(?:y|ies))?\b", "repository"),
    (r"(?:create|new|add)\b", "new"),
    (r"(?:edit|change|modify)\b", "edit"),
    (r"(?:preferences|settings)\b", "settings"),
    (r"(?:photos?|pictures?|images?)\b", "image"),
)
_SAME = tuple((re.compile(rf"\b(?:{pattern})"), word) for pattern, word in _PHRASES)
_DEICTIC = re.compile(r"\b(?:this|that|these|those) (?:product|item|page|article|record|one|order|issue|user)\b")
_IDLE = _words(
    "a an the my your our his her its their to of in on at for into onto from with and or is are be it"
    " please now then this that as by so"
)
_COUNT = re.compile(r"\s*(?:\(\d[\d.,+]*\)|\b\d[\d.,+]*)$")
_WORD = re.compile(r"[^\W_]+")
_TURNING = re.compile(
    r"\b(?:not|no|never|without|except|but|instead|un(?:do|select|subscribe|pin|lock|block|mute|follow|archive)|undoing|"
    r"stop|cease|prevent|avoid|don't|do not|rid|off|other than)\b"
)
_OPPOSITES = tuple(
    (_words(one), _words(other))
    for one, other in (
        ("open reopen expand show", "close closed hide collapse"),
        ("next following forward", "previous back earlier"),
        ("first earliest oldest", "last latest newest"),
        ("add new create", "remove delete clear"),
        ("accept allow agree approve", "reject decline deny refuse"),
        ("enable on activate", "disable off deactivate"),
        ("lock", "unlock"),
        ("subscribe follow watch", "unsubscribe unfollow unwatch"),
        ("increase more up ascending", "decrease less down descending"),
        ("import upload", "export download"),
        ("from origin departure leaving", "to destination arrival going"),
        ("start begin", "stop end finish"),
        ("billing", "shipping"),
        ("firstname", "lastname"),
        ("current old", "new"),
        ("minimum min lowest", "maximum max highest"),
        ("read", "unread"),
        ("signin", "signout signup"),
        ("reply", "forward"),
        ("public", "private"),
    )
)
_HARMLESS = re.compile(
    r"\bsign(?:ing)?[ -]?(?:in|up|on)\b|\borders\b"
    r"|\b(?:the|my|your|this|that|an|each) order\b|\border(?= (?:history|details|\d))"
)
"""Words like those for what can't be taken back which are none here: an order that is spoken of, not placed."""
_FINAL = re.compile(r"\bplace\b.*\border|\bfor good\b|\bpermanently\b|\bempty\b|\bclose (?:my |the |your )?account\b")


@lru_cache(maxsize=8192)
def words_of(text: str) -> frozenset[str]:
    """What the text speaks of: content words, each in one spelling; ``shopping basket`` is ``cart``."""
    plain = _unified(_DEICTIC.sub(" ", folded(text)))
    return frozenset(word for word in _WORD.findall(plain) if word not in _IDLE and word != "s")


def uncounted(name: str, about: str) -> str:
    """``Cart (2)`` without its count, where the sentence gives no number."""
    bare = name if any(sign.isdigit() for sign in about) else _COUNT.sub("", folded(name))
    return bare or name


def _unified(text: str) -> str:
    for pattern, word in _SAME:
        text = pattern.sub(word, text)
    return text


def final(text: str) -> bool:
    """What the text names can't be taken back (delete, pay, cancel ...): nothing but its exact name will do."""
    plain = folded(text)
    return _FINAL.search(plain) is not None or careful(_HARMLESS.sub(" ", plain))


def turned(text: str) -> bool:
    """The text says *not*, *without*, *stop*: what it speaks of is not what it asks for, and likeness can't tell."""
    return _TURNING.search(folded(text)) is not None


def opposed(one: str, other: str) -> bool:
    """One says *next* and the other *previous*: opposites are alike in everything but what matters."""
    first, second = _said(one), _said(other)
    for left, right in _OPPOSITES:
        for here, there in ((left, right), (right, left)):
            if first & here and second & there and not first & there and not second & here:
                return True
    return False


def _said(text: str) -> frozenset[str]:
    plain = folded(text)
    return frozenset(_WORD.findall(plain)) | frozenset(_WORD.findall(_unified(plain)))

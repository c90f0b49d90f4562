"""What can't be undone (delete, pay, send ...): a model may do it only where the author's own words say so.

The page has no say in that: whatever it asks for, what allows an action are words of the intent and the procedure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import unquote, urlsplit

from skillnb.rules.similarity import folded
from skillnb.rules.tree import ancestors, end, text_of
from skillnb.terms.observation import Node

__all__ = ["for_good", "forbidden", "granted"]

_WORD = re.compile(r"[^\W_]+")
_STEMS = tuple(
    re.findall(
        r"\w+",
        "accept approv archiv ban block buy cancel checkout clear clos deactivat delet destroy disabl discard "
        "drop eras expel kick leav logout merg overwrit pay post publish purchas purg refund reject remov "
        "reset restor revok send shar subscrib suspend terminat transfer trash unblock uninstall unpublish "
        "unsubscrib wip withdraw ",
    )
)
"""Each with its endings: delet(e, es, ed, ing, ion, ions)."""
_HARMLESS = frozenset({"accept", "clos", "leav", "post", "shar", "subscrib", "clear"})
"""Of daily use; they need no word of the author's, except beside ``all``."""
_ENDING = r"(?:e|es|ed|er|ers|ing|ion|ions|al|als|s|y|ies|ment|ments|ped|ping|led|ling|ned|ning|nt|t)?"
_FOR_GOOD = re.compile(rf"(?P<stem>{'|'.join(sorted(_STEMS, key=len, reverse=True))}){_ENDING}")
_IN_ADDRESS = frozenset({"cancel", "delet", "destroy", "eras", "logout", "pay", "purchas", "purg", "remov", "wip"})
_OUT = re.compile(
    r"\b(?P<logout>(?:log|sign) ?(?:out|off))\b|\b(?P<checkout>check out)\b"
    r"|\b(?P<order>place (?:an? |the |your |my )?order|order (?:now|and pay)|^order$)"
)
_NOT = re.compile(
    r"\b(?:no|not|never|none|nothing|without|avoid|except|instead|cannot|nor|unless|untouched|alone|refrain|\w+n['’]t)\b",
    re.IGNORECASE,
)
_ALL = frozenset({"all", "everything", "every", "entire", "whole"})
_SMALL = frozenset({"a", "an", "the", "this", "that", "my", "your", "and", "or", "of", "to", "in", "it", "now", "for"})
_YES = frozenset({"ok", "okay", "yes", "confirm", "continue", "proceed", "submit", "apply", "sure", "agree", "go"})
_ASKING = frozenset({"dialog", "alertdialog"})


def for_good(name: str) -> frozenset[str]:
    """Stems of the words in a name that say something is done for good; empty for an everyday name."""
    found = _stems(name)
    return found if _words(name) & _ALL else found - _HARMLESS


def granted(sentences: Iterable[str]) -> frozenset[str]:
    """Every word of the author's sentences, for ``forbidden``; a sentence that says what not to do grants nothing."""
    words: set[str] = set()
    for sentence in sentences:
        if not _NOT.search(sentence):
            words |= _words(sentence) | {f"*{stem}" for stem in _stems(sentence)}
    return frozenset(words)


def forbidden(nodes: Sequence[Node], at: int, name: str, words: frozenset[str], given: Iterable[str]) -> str:
    """Why a model may not act on the element; empty when it may.

    ``words`` are what ``granted`` made of the author's sentences, ``given`` the values of the parameters: those may
    complete a name (``Delete Bob``), never allow the deed itself.
    """
    known = words.union(*(_words(value) for value in given))
    deeds = for_good(name)
    missing = {stem for stem in deeds if f"*{stem}" not in words}
    if missing or (deeds and _words(name) - known - _SMALL - _deed_words(name)):
        return f'"{name}" can\'t be undone, and neither intent nor procedure says to do it'
    path = _address_stems(nodes[at].url)
    if any(f"*{stem}" not in words for stem in path):
        return f'"{name}" leads to an address that says {" and ".join(sorted(path))}, which nothing here asks for'
    if _words(name) and _words(name) <= _YES | _SMALL:
        asked = next((above for above in ancestors(nodes, at) if nodes[above].role in _ASKING), -1)
        if asked >= 0:
            said = f"{nodes[asked].name} {text_of(nodes, asked)}"
            if any(f"*{stem}" not in words for stem in _deeds_named_by_others(nodes, asked, at, said)):
                return f'"{name}" answers a dialog about what neither intent nor procedure says to do'
    return ""


def _deeds_named_by_others(nodes: Sequence[Node], asked: int, at: int, said: str) -> frozenset[str]:
    """The dialog's own words, its other buttons' left out: ``Cancel`` beside ``OK`` says nothing of what OK does."""
    for place in range(asked + 1, end(nodes, asked)):
        if place != at and nodes[place].role == "button" and nodes[place].name:
            said = said.replace(nodes[place].name, " ", 1)
    return for_good(said)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(folded(text)))


def _stems(text: str) -> frozenset[str]:
    plain = folded(text)
    found = {match["stem"] for word in _WORD.findall(plain) if (match := _FOR_GOOD.fullmatch(word)) is not None}
    for match in _OUT.finditer(plain):
        found.add(str(match.lastgroup))
    return frozenset(found)


def _deed_words(name: str) -> frozenset[str]:
    plain = folded(name)
    said = {word for word in _WORD.findall(plain) if _FOR_GOOD.fullmatch(word)}
    return frozenset(said.union(*(match[0].split() for match in _OUT.finditer(plain))))


def _address_stems(url: str) -> frozenset[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return frozenset()
    return _stems(" ".join(_WORD.findall(unquote(f"{parts.path} {parts.query}")))) & _IN_ADDRESS

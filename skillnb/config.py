"""Settings of a run and of its model: defaults, and the environment variables that change them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from skillnb.errors import UsageError
from skillnb.rules.hosts import host_of
from skillnb.terms.brief import ModelLimits

__all__ = [
    "BRIEF",
    "home",
    "LIMITED",
    "model_keys",
    "model_limits",
    "model_settings",
    "ModelSettings",
    "NEEDED",
    "SECRETS",
    "Settings",
    "settings",
]

BRIEF = "SKILLNB_BRIEF"
"""Names the file that tells a kernel which run it is part of; without it a notebook is run by hand."""
SECRETS = "SKILLNB_SECRETS"
"""Carries the run's secrets to its kernel, which takes it out of its environment at once."""
LIMITED = ("actions", "calls", "tokens", "dollars", "seconds")
"""What a limit on a model can be in; actions only in a step."""
_UNLIMITED = 1e9
_SHORTEST_KEY = 8
"""What is shorter is a word like `none`, for a server that asks for no key."""


NEEDED = frozenset({"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "PWD", "SHELL", "TMPDIR", "USER"})
"""Variables that a browser can't do without, so that a word of theirs is never taken for a secret that they hold."""


class Settings(NamedTuple):
    """Seconds are limits, not waits: whatever is ready earlier goes on earlier."""

    gate_seconds: float = 5.0
    action_seconds: float = 5.0
    navigation_seconds: float = 15.0
    kernel_start_seconds: float = 60.0
    screenshots: str = "changes"
    """``steps`` (each), ``changes`` (what may change a thing, heals or fails, and the last), ``failures``, ``off``."""
    passes: int = 3
    """So many runs must pass with a repair of an earlier one before it stops being on trial."""
    repairs_per_run: int = 10
    repairs_per_day: int = 50


def settings(environment: Mapping[str, str]) -> Settings:
    """Read SKILLNB_GATE_SECONDS, _ACTION_SECONDS, _NAVIGATION_SECONDS, _KERNEL_SECONDS, SKILLNB_SCREENSHOTS,
    SKILLNB_PATCH_PASSES, SKILLNB_REPAIRS_PER_RUN and _PER_DAY.


    Raises UsageError naming the variable and its value.
    """
    plain = Settings()
    shots = environment.get("SKILLNB_SCREENSHOTS", plain.screenshots)
    if shots not in {"steps", "changes", "failures", "off"}:
        raise UsageError(
            "no such choice", where="SKILLNB_SCREENSHOTS", found=repr(shots), expected="steps, changes, failures or off"
        )
    return Settings(
        gate_seconds=_seconds(environment, "SKILLNB_GATE_SECONDS", plain.gate_seconds),
        action_seconds=_seconds(environment, "SKILLNB_ACTION_SECONDS", plain.action_seconds),
        navigation_seconds=_seconds(environment, "SKILLNB_NAVIGATION_SECONDS", plain.navigation_seconds),
        passes=_count(environment, "SKILLNB_PATCH_PASSES", plain.passes, 1),
        repairs_per_run=_count(environment, "SKILLNB_REPAIRS_PER_RUN", plain.repairs_per_run, 0),
        repairs_per_day=_count(environment, "SKILLNB_REPAIRS_PER_DAY", plain.repairs_per_day, 0),
        kernel_start_seconds=_seconds(environment, "SKILLNB_KERNEL_SECONDS", plain.kernel_start_seconds),
        screenshots=shots,
    )


class ModelSettings(NamedTuple):
    """Which language model is asked, where, and how much. The key is in none of it: see ``models.py``."""

    model: str = ""
    """Empty: none, and nothing is asked. ``local:NAME`` runs in this process."""
    url: str = "https://api.openai.com/v1"
    try_seconds: float = 120.0
    cache: bool = False
    """Keep answers on the disk, and do not ask the same question twice."""
    price: tuple[float, float] | None = None
    """US dollars for a million tokens, sent and received, in place of the table."""
    threads: int = 1
    """Of a local model."""
    step: Mapping[str, float] = {"calls": ModelLimits().calls}
    run: Mapping[str, float] = {"calls": 100}
    day: Mapping[str, float] = {}
    embedding: str = "hashed"
    """``hashed``, ``minilm``, or ``NAME/NUMBERS``: a model of the server's and how many numbers its vectors have."""


def model_settings(environment: Mapping[str, str], model: str = "") -> ModelSettings:
    """Read SKILLNB_MODEL (``model`` goes before it), _BASE_URL, _MODEL_SECONDS, _MODEL_CACHE, _MODEL_PRICE,
    _MODEL_THREADS, SKILLNB_LIMIT_STEP, _LIMIT_RUN, _LIMIT_DAY and SKILLNB_EMBEDDING.

    Raises UsageError naming the variable and its value.
    """
    plain = ModelSettings()
    cache = environment.get("SKILLNB_MODEL_CACHE", "off")
    if cache not in {"on", "off"}:
        raise UsageError("no such choice", where="SKILLNB_MODEL_CACHE", found=repr(cache), expected="on or off")
    named = model or environment.get("SKILLNB_MODEL", "")
    usual = 300.0 if named.startswith("local:") else plain.try_seconds
    return ModelSettings(
        model=named,
        url=_address(environment.get("SKILLNB_BASE_URL") or plain.url),
        try_seconds=_seconds(environment, "SKILLNB_MODEL_SECONDS", usual),
        cache=cache == "on",
        price=_price(environment.get("SKILLNB_MODEL_PRICE", "")),
        threads=int(_seconds(environment, "SKILLNB_MODEL_THREADS", plain.threads)) or 1,
        step=_limits(environment, "SKILLNB_LIMIT_STEP", plain.step),
        run=_limits(environment, "SKILLNB_LIMIT_RUN", plain.run),
        day=_limits(environment, "SKILLNB_LIMIT_DAY", plain.day),
        embedding=environment.get("SKILLNB_EMBEDDING") or plain.embedding,
    )


def model_keys(environment: Mapping[str, str]) -> dict[str, str]:
    """The keys of models in the environment, by variable: to be masked, and to be kept from browsers."""
    named = {name: environment.get(name, "") for name in ("OPENAI_API_KEY", "SKILLNB_API_KEY")}
    return {name: key for name, key in named.items() if len(key) >= _SHORTEST_KEY}


def model_limits(environment: Mapping[str, str], start_url: str) -> ModelLimits:
    """Of each step: SKILLNB_LIMIT_STEP, and SKILLNB_HOSTS besides the workflow's own, which ``start_url`` tells.

    Raises UsageError naming the variable and its value.
    """
    declared = environment.get("SKILLNB_HOSTS", "").replace(",", " ").lower().split()
    for host in declared:
        if host_of(f"http://{host.removeprefix('*.')}/") != host.removeprefix("*."):
            raise UsageError("not a host", where="SKILLNB_HOSTS", found=repr(host), expected="host:port or *.host")
    plain, own = ModelLimits(), host_of(start_url)
    usual = {unit: float(getattr(plain, unit)) for unit in LIMITED}
    chosen = {**dict.fromkeys(LIMITED, _UNLIMITED), **_limits(environment, "SKILLNB_LIMIT_STEP", usual)}
    return ModelLimits(
        actions=int(chosen["actions"]),
        calls=int(chosen["calls"]),
        tokens=int(chosen["tokens"]),
        dollars=chosen["dollars"],
        seconds=chosen["seconds"],
        hosts=(*([own] if own else []), *declared),
    )


def home(environment: Mapping[str, str]) -> Path:
    """Where models, kept answers and the book of spending lie: SKILLNB_CACHE, SKILLNB_HOME or ``~/.cache/skillnb``."""
    named = environment.get("SKILLNB_CACHE") or environment.get("SKILLNB_HOME")
    return Path(named) if named else Path.home() / ".cache" / "skillnb"


def _address(url: str) -> str:
    parts = urlsplit(url)
    own = parts.hostname in {"127.0.0.1", "localhost", "::1"}
    if parts.username or parts.password:
        raise UsageError(
            "a key does not belong into an address", where="SKILLNB_BASE_URL", remedy="set SKILLNB_API_KEY"
        )
    if parts.scheme != "https" and not (parts.scheme == "http" and own):
        raise UsageError(
            "not a safe address of a model",
            where="SKILLNB_BASE_URL",
            found=repr(url),
            expected="https, or http on loopback",
        )
    return url.rstrip("/")


def _price(text: str) -> tuple[float, float] | None:
    if not text:
        return None
    try:
        sent, received = (float(part) for part in text.split(","))
    except ValueError:
        sent = received = -1.0
    if not (0 <= sent < 10_000 and 0 <= received < 10_000):
        raise UsageError(
            "not a price",
            where="SKILLNB_MODEL_PRICE",
            found=repr(text),
            expected="dollars for a million tokens: 0.25,2.00",
        )
    return sent, received


def _limits(environment: Mapping[str, str], name: str, plain: Mapping[str, float]) -> Mapping[str, float]:
    """``calls=6,tokens=50000,dollars=0.1,seconds=120``: in place of the usual ones; ``calls=off`` lifts one."""
    made = dict(plain)
    for part in filter(None, environment.get(name, "").split(",")):
        unit, equals, text = (word.strip() for word in part.partition("="))
        value = _amount(text)
        if unit not in LIMITED or (unit == "actions" and name != "SKILLNB_LIMIT_STEP") or not equals or value is None:
            raise UsageError("not a limit", where=name, found=repr(part), expected="for example calls=6,dollars=0.10")
        made[unit] = value
    return {unit: value for unit, value in made.items() if value != float("inf")}


def _amount(text: str) -> float | None:
    if text == "off":
        return float("inf")
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < 1e12 else None


def _count(environment: Mapping[str, str], name: str, plain: int, least: int) -> int:
    text = environment.get(name, "")
    if not text:
        return plain
    if not text.isdecimal() or int(text) < least:
        raise UsageError(
            "not a usable number", where=name, found=repr(text), expected=f"a whole number from {least} on"
        )
    return int(text)


def _seconds(environment: Mapping[str, str], name: str, plain: float) -> float:
    text = environment.get(name, "")
    if not text:
        return plain
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 86_400:
        raise UsageError("not a usable number of seconds", where=name, found=repr(text), expected="for example 5")
    return value

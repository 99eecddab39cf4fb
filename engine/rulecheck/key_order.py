"""The order in which the keys of each part of a rule are written, and which part a mapping is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from types import MappingProxyType

_SENT = "params meta headers query id omit defect era credentials session"
_WAITED = "answers until within listen then_alive close"
_VERBS = "call notify raw bytes http repeat refetch open watch stream together run"
_PREDICATES = (
    "is is_not in not_in type exists empty count at_least at_most below matches matches_none contains unique "
    "conforms_to"
)
_HEAD = "format id title level capability transports phase touches spec requirements why fix since history"

ORDER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rule": tuple(f"{_HEAD} uses judges skip_unless steps check at_end pass cases".split()),
        "spec": ("at", "url", "force"),
        "change": ("in", "what"),
        "condition": ("that", "say", "untested"),
        "step": tuple(
            f"name only if for_each let on {_VERBS} times with opening {_SENT} {_WAITED} always credit check".split()
        ),
        "member": tuple(f"{_VERBS} {_SENT} {_WAITED}".split()),
        "http": ("method", "url", "path", "headers", "body"),
        "for_each": ("in", "as", "most", "until"),
        "credit": ("mode", "own_codes", "twin", "unattributed", "no_answer", "drop"),
        "check": tuple(
            f"get {_PREDICATES} that all any each as label or_absent stop if unless say only verdict force else "
            "untested check".split()
        ),
        "case": ("name", "filtered", "on", "runs", "root", "replies", "sends", "sent", "verdict", "says", "warns"),
    }
)
"""Keys by part, as the shipped rules have them: what it is first, then when, how, and what is said of it."""

_INSIDE: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("rule", "spec"): "spec",
        ("rule", "history"): "change",
        ("rule", "skip_unless"): "condition",
        ("rule", "steps"): "step",
        ("rule", "check"): "check",
        ("rule", "at_end"): "check",
        ("rule", "cases"): "case",
        ("step", "check"): "check",
        ("step", "http"): "http",
        ("step", "stream"): "http",
        ("step", "together"): "member",
        ("step", "for_each"): "for_each",
        ("step", "credit"): "credit",
        ("member", "http"): "http",
        ("check", "check"): "check",
        ("check", "all"): "check",
        ("check", "any"): "check",
    }
)


def part_inside(part: str, key: str) -> str:
    """The part that stands under a key, also as an item of a list there; "" where any names may stand."""
    return _INSIDE.get((part, key), "")


def ordered(part: str, keys: Sequence[str]) -> list[int]:
    """Places of the keys in the order in which they are to stand. Keys that no part has stay where they are."""
    wanted = ORDER.get(part, ())
    known = sorted((place for place, key in enumerate(keys) if key in wanted), key=lambda at: wanted.index(keys[at]))
    following, places = iter(known), count()
    return [next(following) if key in wanted else place for key, place in zip(keys, places, strict=False)]

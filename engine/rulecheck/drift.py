"""What differs between the rules that two revisions share by id, so that a difference is a decision."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp_compliance.catalog.positions import load_document
from mcp_compliance.jsontypes import JSON, JSONObject

ALWAYS_OTHERS = ("requirements", "history")
"""Keys whose values name a revision or a version, so that they differ without anybody's decision."""
LONGEST = 48


@dataclass(frozen=True)
class Drift:
    """One shared id: the keys that differ, with both values; null for a key that one side does not have."""

    rule_id: str
    keys: tuple[tuple[str, JSON, JSON], ...]


def drifts(older: Path, newer: Path) -> Iterator[Drift]:
    """The ids that both folders have, in alphabetical order. Raises ``DocumentError`` for an unreadable file."""
    before, after = _rules(older), _rules(newer)
    for rule_id in sorted(before.keys() & after.keys()):
        left, right = _document(before[rule_id]), _document(after[rule_id])
        names = sorted((left.keys() | right.keys()) - set(ALWAYS_OTHERS))
        yield Drift(
            rule_id,
            tuple((name, left.get(name), right.get(name)) for name in names if left.get(name) != right.get(name)),
        )


def as_text(found: Sequence[Drift], older: str, newer: str) -> str:
    """A line for each id; values that are short are shown, of others only the key is named."""
    same = sum(not drift.keys for drift in found)
    lines = [f"{len(found)} ids in both {older} and {newer}; without a difference: {same}"]
    width = max((len(drift.rule_id) for drift in found), default=0)
    lines += [f"  {drift.rule_id:<{width}}  {_difference(drift)}" for drift in found if drift.keys]
    return "\n".join(lines) + "\n"


def as_json(found: Sequence[Drift], older: str, newer: str) -> str:
    document = {
        "older": older,
        "newer": newer,
        "shared": [
            {"id": drift.rule_id, "differs": {name: [left, right] for name, left, right in drift.keys}}
            for drift in found
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _difference(drift: Drift) -> str:
    shown, named = [], []
    for name, left, right in drift.keys:
        words = f"{name}: {_short(left)} -> {_short(right)}"
        if isinstance(left, (dict, list)) or isinstance(right, (dict, list)) or len(words) > LONGEST:
            named.append(name)
        else:
            shown.append(words)
    return "; ".join([*shown, *([", ".join(named)] if named else [])])


def _short(value: JSON) -> str:
    return "not given" if value is None else value if isinstance(value, str) else json.dumps(value)


def _rules(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in folder.glob("*/*.yaml")}


def _document(path: Path) -> JSONObject:
    value = load_document(path).value
    return value if isinstance(value, dict) else {}

"""Values as keys: two values have the same key when they are equal as JSON."""

from __future__ import annotations

import json

from mcp_compliance.jsontypes import JSON


def key_of(value: JSON) -> str:
    """A text that is the same for values that are equal as JSON (1 and 1.0 are; 1 and true are not). A
    value that is nested too deeply equals only itself."""
    try:
        return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))
    except (RecursionError, ValueError):
        return f"too deep {id(value)}"


def _plain(value: JSON) -> JSON:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def number(value: JSON) -> int | float | None:
    """The value when it is a finite number (a boolean is none), else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value


def finite(value: int | float) -> JSON:
    """The number, as an integer where it has no fraction; null when it is infinite, no number, or of
    absurd length."""
    if isinstance(value, int) and value.bit_length() > 4096:
        return None
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return None
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return value

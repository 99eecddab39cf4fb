"""Unquoted YAML scalars as JSON values: what every YAML reader agrees on, and nothing else."""

from __future__ import annotations

import re

from mcp_compliance.jsontypes import JSON

_WORDS: dict[str, JSON] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?")
_OTHER_NUMBER = re.compile(
    r"[-+]?(?:0[xob][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
    r"|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF)|[0-9]+(?::[0-5]?[0-9])+(?:\.[0-9]*)?)|\.(?:nan|NaN|NAN)"
)
_MAX_DIGITS = 300


class NotJsonError(Exception):
    """An unquoted scalar that JSON does not have, or that YAML readers understand differently."""

    def __init__(self, message: str, suggestion: str) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


def scalar_value(text: str) -> JSON:
    """Value of an unquoted scalar. Raises ``NotJsonError`` for dates and numbers in ways unknown to JSON."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if len(text) > _MAX_DIGITS:
        return text if not _OTHER_NUMBER.fullmatch(text) else _refuse(text[:20] + "...", "too long a number")
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return _finite(text)
    if _DATE.fullmatch(text):
        return _refuse(text, "a date to YAML, which JSON does not have")
    if _OTHER_NUMBER.fullmatch(text):
        return _refuse(text, "not written as JSON writes numbers, and YAML readers disagree about it")
    return text


def _finite(text: str) -> JSON:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        return _refuse(text, "too large a number")
    return number


def _refuse(text: str, reason: str) -> JSON:
    raise NotJsonError(f"{text} is {reason}", f'quote it: "{text}"')

"""Errors that end a command with one line for the user, and the words shared by all of them."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_compliance.catalog.closest_word import suggestion

EXIT_DONE = 0
EXIT_FINDINGS = 1
EXIT_CANNOT = 2
EXIT_INTERRUPTED = 130


class UserError(Exception):
    """Something that the user can put right. The text is one line: what is wrong, where, what to do.

    It never holds the value of a header, a token or an environment variable.
    """


def one_of(option: str, value: str, known: Sequence[str]) -> str:
    """``value`` if it is one of ``known``, whatever its case. Raises `UserError` with the choices."""
    for name in known:
        if value.lower() == name.lower():
            return name
    raise UserError(f"{option} {value}: choose one of {', '.join(known)}{suggestion(value, known)}")

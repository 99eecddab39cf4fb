"""Warnings as every format shows them: each once, and not without end."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 50


def capped(warnings: Sequence[str]) -> tuple[str, ...]:
    """Exact duplicates dropped; the first fifty, then one line that says how many more there were.

    Fifty-one are left alone: the line would take the place of the one it replaces.
    """
    distinct = tuple(dict.fromkeys(warnings))
    if len(distinct) <= MOST + 1:
        return distinct
    return (*distinct[:MOST], f"{len(distinct) - MOST} more warnings were left out")

"""Suggests what a misspelt word was meant to be."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_compliance.catalog.closest_word import closest_word

_LISTED = 14


def nearest(word: str, known: Iterable[str]) -> str | None:
    """``did you mean x?``, or None when nothing is close."""
    close = closest_word(word, list(known))
    return f"did you mean {close}?" if close is not None else None


def known_or_nearest(word: str, known: Iterable[str], where: str = "known here") -> str:
    """What is known, when it is not too much to say, and the nearest of it."""
    names = list(dict.fromkeys(known))
    listed = ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")
    near = nearest(word, names)
    return f"{where}: {listed or 'nothing'}" + (f"; {near}" if near else "")

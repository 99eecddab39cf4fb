"""Suggests what a misspelt word was meant to be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LISTED = 14


def nearest(word: str, known: Iterable[str]) -> str | None:
    """``did you mean x?``, or None when nothing is close."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {close[0]}?" if close else None


def known_or_nearest(word: str, known: Iterable[str], where: str = "known here") -> str:
    """What is known, when it is not too much to say, and the nearest of it."""
    names = list(dict.fromkeys(known))
    listed = ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")
    near = nearest(word, names)
    return f"{where}: {listed or 'nothing'}" + (f"; {near}" if near else "")

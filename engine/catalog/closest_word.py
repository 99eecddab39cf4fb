"""Finds the word that a misspelt one was meant to be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

_CUTOFF = 0.6


def closest_word(word: str, known: Sequence[str]) -> str | None:
    """The known word nearest to ``word``, None when nothing is near. Letter case and then a single slip of the keys
    go first: plain similarity takes ``msot`` for ``must``, since it knows nothing of letters that changed places."""
    same = [other for other in known if other.casefold() == word.casefold()]
    slips = same or [other for other in known if one_slip(word, other)]
    close = slips or difflib.get_close_matches(word, known, n=1, cutoff=_CUTOFF)
    return close[0] if close else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """``; did you mean X?`` for the end of a sentence about a word that is not known, or nothing."""
    close = closest_word(word, list(known))
    return f"; did you mean {close}?" if close is not None else ""


def one_slip(word: str, other: str) -> bool:
    """Whether one letter too many, too few or another one, or two that changed places, make one word the other."""
    shorter, longer = sorted((word, other), key=len)
    if len(longer) - len(shorter) > 1 or word == other or len(longer) < 2:
        return False
    start = next((at for at, pair in enumerate(zip(shorter, longer, strict=False)) if pair[0] != pair[1]), len(shorter))
    if len(longer) > len(shorter):
        return longer[start + 1 :] == shorter[start:]
    swapped = longer[start + 1 : start + 2] + longer[start : start + 1] + longer[start + 2 :]
    return shorter[start + 1 :] == longer[start + 1 :] or shorter[start:] == swapped

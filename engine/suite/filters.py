"""``--only`` and ``--skip``: which rules stay, and which values deserve a warning. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from mcp_compliance.catalog.closest_word import suggestion


class Selectable(Protocol):
    """What a filter looks at; rules and index entries both have it."""

    @property
    def id(self) -> str: ...
    @property
    def category(self) -> str: ...
    @property
    def transports(self) -> tuple[str, ...]: ...


Entry = TypeVar("Entry", bound=Selectable)


@dataclass(frozen=True)
class Selection(Generic[Entry]):
    """``kept`` in the given order; ``warnings`` are lines for people."""

    kept: tuple[Entry, ...]
    warnings: tuple[str, ...]


def split_values(values: Iterable[str]) -> tuple[str, ...]:
    """The words of repeatable, comma-separated option values, without blanks and repetitions."""
    words = (word.strip() for value in values for word in value.split(","))
    return tuple(dict.fromkeys(word for word in words if word))


def select(
    entries: Sequence[Entry],
    only: Iterable[str] = (),
    skip: Iterable[str] = (),
    transport: str | None = None,
    elsewhere: Callable[[str], Sequence[str]] = lambda rule: (),
) -> Selection[Entry]:
    """Rules that run: those of ``transport`` (None: of any), that ``only`` names, and that ``skip`` does not.

    A value is a category or a rule id. One that names nothing warns, with the revisions that ``elsewhere`` says have
    it, or else with the nearest word that is known; so does a value of ``only`` that names nothing but rules of another
    transport.
    """
    wanted, unwanted = split_values(only), split_values(skip)
    here = [entry for entry in entries if transport is None or transport in entry.transports]
    kept = tuple(
        entry for entry in here if (not wanted or _named(entry, wanted)) and not (unwanted and _named(entry, unwanted))
    )
    warnings = [_unknown("--only", word, entries, elsewhere) for word in wanted if not _any(entries, word)]
    warnings += [_unknown("--skip", word, entries, elsewhere) for word in unwanted if not _any(entries, word)]
    warnings += [
        f"--only {word}: applies over {_other(entries, word)} only, and this run is over {transport}"
        for word in wanted
        if _any(entries, word) and not _any(here, word)
    ]
    return Selection(kept, tuple(warnings))


def _named(entry: Selectable, words: Sequence[str]) -> bool:
    return entry.id in words or entry.category in words


def _any(entries: Sequence[Selectable], word: str) -> bool:
    return any(_named(entry, (word,)) for entry in entries)


def _other(entries: Sequence[Selectable], word: str) -> str:
    names = {name for entry in entries if _named(entry, (word,)) for name in entry.transports}
    return " and ".join(sorted(names))


def _unknown(option: str, word: str, entries: Sequence[Selectable], elsewhere: Callable[[str], Sequence[str]]) -> str:
    known = sorted({entry.category for entry in entries} | {entry.id for entry in entries})
    revisions = elsewhere(word)
    hint = f"; it is a rule of {' and '.join(revisions)}" if revisions else suggestion(word, known)
    return f"{option} {word}: matches no category and no rule of this revision{hint}"

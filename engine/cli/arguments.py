"""Which words of a command line are ours and which belong to the server's command.

The option parser cannot tell: told to ignore unknown options it takes clusters like ``-yv`` apart, told to
stop at the first word it no longer sees ours behind the command. So the words are divided beforehand.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from mcp_compliance.catalog.closest_word import suggestion
from mcp_compliance.cli.errors import UserError

_URL = re.compile(r"https?://", re.IGNORECASE)
_NEARLY = 0.85


def is_url(word: str) -> bool:
    return _URL.match(word) is not None


@dataclass(frozen=True)
class Division:
    """The words of a command line. ``notes`` are lines for people: words perhaps meant otherwise."""

    ours: tuple[str, ...]
    target: tuple[str, ...]
    notes: tuple[str, ...] = ()


def divide(
    words: Sequence[str],
    options: Mapping[str, bool],
    not_with_a_command: AbstractSet[str] = frozenset(),
) -> Division:
    """Divide ``words``. ``options`` maps each name of ours to whether it takes a value.

    Ours are recognised before and after the target. Unknown options behind a command are the command's;
    before it, and around a URL, they are mistakes. Options in ``not_with_a_command`` could only be a mistake
    of ours behind a command, so there they are the command's. The first ``--`` is dropped, and all words
    behind it are the target's.
    Raises `UserError` for an unknown option and for a missing value.
    """
    ours: list[str] = []
    target: list[str] = []
    notes: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name = word.partition("=")[0] if word.startswith("--") else word
        command = bool(target) and not is_url(target[0])
        if word == "--":
            notes += _hidden(rest, ours, options, not_with_a_command)
            target += rest
            break
        if not word.startswith("-") or word == "-":
            target.append(word)
        elif name in options and not (command and name in not_with_a_command):
            ours.append(word)
            if options[name] and name == word:
                ours.append(_value(name, rest, options))
        elif command:
            notes += _passed_on(name, options)
            target.append(word)
        elif options.get(word[:2], False) and not word.startswith("--"):
            ours.append(word)
        else:
            raise UserError(_unknown(name, options, before=not target))
    return Division(tuple(ours), tuple(target), tuple(notes))


def _value(name: str, rest: list[str], options: Mapping[str, bool]) -> str:
    if not rest or rest[0] == "--" or rest[0] in options:
        raise UserError(f"{name} needs a value")
    return rest.pop(0)


def _unknown(name: str, options: Mapping[str, bool], *, before: bool) -> str:
    hint = suggestion(name, [option for option in options if option.startswith("--")])
    if not hint and before:
        hint = "; options of the server's own go after its command (--help lists ours)"
    return f"unknown option {name}{hint or '; --help lists all'}"


def _passed_on(name: str, options: Mapping[str, bool]) -> list[str]:
    if name in options:
        return [f"{name} does not apply to a command, so it goes to the server"]
    near = difflib.get_close_matches(name, options, n=1, cutoff=_NEARLY) if name.startswith("--") else []
    return [f"{name} goes to the server; did you mean {near[0]}?"] if near else []


def _hidden(
    rest: Sequence[str], ours: Sequence[str], options: Mapping[str, bool], not_ours: AbstractSet[str]
) -> list[str]:
    said = {word.partition("=")[0] for word in ours}
    names = dict.fromkeys(word.partition("=")[0] for word in rest if word.startswith("-"))
    looks_ours = [name for name in names if name in options and name not in not_ours and name not in said]
    if not looks_ours:
        return []
    return [f"{', '.join(looks_ours)} after -- goes to the server; put it before -- if mcp-compliance is meant"]

"""Regular expressions that cannot run away: what may backtrack without end is refused before it is used."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

MOST_WAYS = 1000
"""Ways in which a bounded quantifier inside a bounded quantifier may divide a text."""
_PIECES = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN", "CATEGORY", "AT"})


@lru_cache(maxsize=1024)
def pattern_problems(regex: str) -> tuple[str, ...]:
    """What is wrong with a regular expression, in words; empty when it compiles and needs little time.

    Refused are a quantifier inside a quantifier (unless both are bounded and small), a back-reference, an
    unbounded quantifier before the end of a pattern that may begin anywhere, and more than one unbounded `.`.
    """
    try:
        re.compile(regex)
        # The parser of `re` has no public name; its tree is the only exact account of what a pattern does.
        tree = importlib.import_module("re._parser").parse(regex)
    except (re.error, RecursionError, OverflowError) as error:
        return (f"does not compile: {error}",)
    walk = _Walk([])
    walk.sequence(tree, inside=())
    problems = list(dict.fromkeys(walk.problems))
    if not problems:
        anchored = _begins_fixed(tree)
        if not anchored and _unbounded_before_end(tree):
            problems.append(
                "an unbounded quantifier before the end of a pattern that may begin anywhere: "
                "write {0,200} for * and {1,200} for +, or begin with ^"
            )
        if sum(1 for item in _repeats(tree) if item.unbounded and item.any) > 1:
            problems.append("more than one unbounded `.`: give all but one a bound such as {0,200}")
    return tuple(problems)


@lru_cache(maxsize=1024)
def safe_regex(regex: str) -> re.Pattern[str] | None:
    """The compiled pattern, or None when it has problems."""
    return None if pattern_problems(regex) else re.compile(regex)


@dataclass(frozen=True)
class _Repeat:
    low: int
    high: int
    any: bool

    @property
    def unbounded(self) -> bool:
        return self.high >= 0xFFFF_FFFF or self.high > 100_000

    @property
    def variable(self) -> bool:
        return self.low != self.high


def _children(name: str, argument: Any) -> list[Any]:
    """The sequences inside one item of the parsed pattern."""
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [argument[2]]
    if name == "SUBPATTERN":
        return [argument[3]]
    if name == "ATOMIC_GROUP":
        return [argument]
    if name == "BRANCH":
        return list(argument[1])
    if name in ("ASSERT", "ASSERT_NOT"):
        return [argument[1]]
    if name == "GROUPREF_EXISTS":
        return [branch for branch in argument[1:] if branch is not None]
    return []


def _repeat(name: str, argument: Any) -> _Repeat | None:
    if name not in ("MAX_REPEAT", "MIN_REPEAT"):
        return None
    low, high, body = argument
    any_character = len(body) == 1 and str(body[0][0]) == "ANY"
    return _Repeat(int(low), int(high), any_character)


@dataclass
class _Walk:
    problems: list[str]

    def sequence(self, items: Iterable[Any], inside: tuple[_Repeat, ...]) -> None:
        for code, argument in items:
            name = str(code)
            here = inside
            if name in ("GROUPREF", "GROUPREF_EXISTS", "GROUPREF_IGNORE"):
                self.problems.append("a back-reference")
            repeat = _repeat(name, argument)
            if repeat is not None:
                self._nested(repeat, inside)
                if repeat.high > 1:
                    here = (*inside, repeat)
            for child in _children(name, argument):
                self.sequence(child, here)

    def _nested(self, inner: _Repeat, outers: tuple[_Repeat, ...]) -> None:
        for outer in outers:
            if not inner.variable:
                continue
            ways = (inner.high - inner.low + 1) ** min(outer.high, 64) if not inner.unbounded else MOST_WAYS + 1
            if ways > MOST_WAYS or outer.unbounded:
                self.problems.append("a quantifier inside a quantifier")


def _repeats(items: Iterable[Any]) -> Iterator[_Repeat]:
    for code, argument in items:
        repeat = _repeat(str(code), argument)
        if repeat is not None:
            yield repeat
        for child in _children(str(code), argument):
            yield from _repeats(child)


def _begins_fixed(items: Any) -> bool:
    """Whether the pattern can match at the beginning of the text only."""
    for code, argument in items:
        name = str(code)
        if name == "AT":
            return str(argument) in ("AT_BEGINNING", "AT_BEGINNING_STRING")
        if name == "SUBPATTERN":
            return _begins_fixed(argument[3])
        if name == "BRANCH":
            return all(_begins_fixed(branch) for branch in argument[1])
        return False
    return False


def _unbounded_before_end(items: Any) -> bool:
    """Whether an unbounded quantifier is followed by something that may still fail."""
    listed = list(items)
    for index, (code, argument) in enumerate(listed):
        name = str(code)
        last = index == len(listed) - 1
        repeat = _repeat(name, argument)
        if repeat is not None and repeat.unbounded and not last:
            return True
        for child in _children(name, argument):
            if any(item.unbounded for item in _repeats(child)) and (not last or _unbounded_before_end(child)):
                return True
    return False

"""Named sets of patterns that rules look for in texts, each with cases that prove it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mcp_compliance.catalog.functions.declare import TEXT_LIMIT
from mcp_compliance.catalog.functions.regex import pattern_problems
from mcp_compliance.jsontypes import JSON

FOUND_LENGTH = 120
"""Characters of a found passage that are kept."""


class PatternError(Exception):
    """The pattern data are not as they must be. The message says where and what."""


@dataclass(frozen=True)
class Hit:
    label: str
    found: str


@dataclass(frozen=True)
class PatternSet:
    """``patterns`` maps labels to compiled patterns, ``hits_expected`` labels to texts that they must
    find, ``misses`` are texts in which none may find anything."""

    name: str
    about: str
    patterns: Mapping[str, re.Pattern[str]]
    hits_expected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    misses: tuple[str, ...] = ()

    def hits(self, text: str) -> Iterator[Hit]:
        """The first passage that each pattern finds in the first 64 KiB of the text."""
        for label, pattern in self.patterns.items():
            match = pattern.search(text, 0, TEXT_LIMIT)
            if match is not None:
                yield Hit(label, match.group()[:FOUND_LENGTH])

    def found_in(self, text: str) -> bool:
        return next(self.hits(text), None) is not None


def read_pattern_sets(data: JSON, where: str) -> dict[str, PatternSet]:
    """The sets of a parsed pattern file: ``{format: 1, sets: {<name>: {about, ignore_case?, patterns:
    {<label>: <regex>}, cases: {hits: {<label>: [text]}, misses: [text]}}}}``. Raises ``PatternError``;
    ``where`` names the file.
    """
    top = _mapping(data, where, {"format", "sets"})
    if top.get("format") != 1:
        raise PatternError(f"{where}: format is {top.get('format')!r}; this version reads 1")
    sets = _mapping(top.get("sets"), f"{where}: sets", None)
    return {name: _read_set(name, item, f"{where}: {name}") for name, item in sets.items()}


def load_pattern_sets(*files: Path) -> dict[str, PatternSet]:
    """The sets of several YAML files; of a set that stands in two the later counts. Raises
    ``PatternError``."""
    # Deferred: reading YAML is needed once per run, compiling expressions everywhere.
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    sets: dict[str, PatternSet] = {}
    for path in files:
        try:
            data: JSON = YAML(typ="safe").load(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, YAMLError) as error:
            raise PatternError(f"{path}: {' '.join(str(error).split())}") from error
        sets.update(read_pattern_sets(data, path.name))
    return sets


def case_problems(pattern_set: PatternSet) -> list[str]:
    """What is wrong with a set by its own cases and by the rules for patterns; empty when it is sound."""
    problems = [
        f"{label}: {problem}"
        for label, pattern in pattern_set.patterns.items()
        for problem in pattern_problems(pattern.pattern)
    ]
    for label, pattern in pattern_set.patterns.items():
        texts = pattern_set.hits_expected.get(label, ())
        if not texts:
            problems.append(f"{label}: no text in cases.hits shows what it finds")
        problems.extend(f"{label}: does not find {text!r}" for text in texts if not pattern.search(text))
    for text in pattern_set.misses:
        problems.extend(f"{hit.label}: finds {hit.found!r} in the miss {text!r}" for hit in pattern_set.hits(text))
    return problems


def _read_set(name: str, data: JSON, where: str) -> PatternSet:
    item = _mapping(data, where, {"about", "ignore_case", "patterns", "cases"})
    about = item.get("about")
    if not isinstance(about, str) or not about:
        raise PatternError(f"{where}: about must be a sentence that says what the set finds")
    flags = re.IGNORECASE if item.get("ignore_case") is True else re.NOFLAG
    compiled: dict[str, re.Pattern[str]] = {}
    for label, regex in _mapping(item.get("patterns"), f"{where}: patterns", None).items():
        try:
            compiled[label] = re.compile(regex if isinstance(regex, str) else "(", flags)
        except re.error as error:
            raise PatternError(f"{where}: {label} is no regular expression: {error}") from error
    cases = _mapping(item.get("cases") or {}, f"{where}: cases", {"hits", "misses"})
    hits = _mapping(cases.get("hits") or {}, f"{where}: cases.hits", set(compiled))
    expected = {label: _list(texts, f"{where}: cases.hits.{label}") for label, texts in hits.items()}
    return PatternSet(name, about, compiled, expected, _list(cases.get("misses") or [], f"{where}: cases.misses"))


def _mapping(data: JSON, where: str, keys: set[str] | None) -> dict[str, JSON]:
    if not isinstance(data, dict):
        raise PatternError(f"{where} must be a mapping")
    unknown = [str(key) for key in data if keys is not None and key not in keys]
    if unknown:
        raise PatternError(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(sorted(keys or ()))}")
    return data


def _list(data: JSON, where: str) -> tuple[str, ...]:
    if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
        raise PatternError(f"{where} must be a list of texts")
    return tuple(str(item) for item in data)

"""YAML's own syntax errors, in words that say what to write instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruamel.yaml.error import MarkedYAMLError

_FLOW = "text with a bracket, brace, comma, quote or ': ' in it needs quotes inside {...} or [...]"
_UNQUOTED_START = "a text cannot start with {0!r} without quotes"
_BY_PROBLEM: tuple[tuple[str, str, str | None], ...] = (
    # (part of libyaml's problem, our message, what to write)
    ("could not find expected ':'", "this line is neither 'key: value' nor a list item", None),
    ("found undefined alias", "an alias without an anchor before it", None),
    (
        "found unexpected end of stream",
        "a quoted text is not closed",
        "close it with the quote it starts with",
    ),
    ("found a tab character", "a tab cannot indent", "use spaces"),
    (
        "mapping values are not allowed",
        "a second ': ' on one line, which starts a mapping there",
        "quote the text that holds the colon, or indent the line as its neighbours are",
    ),
    (
        "block sequence entries are not allowed",
        "a list item cannot start here",
        "put it on a line of its own",
    ),
    ("mapping keys are not allowed", "a text cannot start with '? '", "quote it"),
    (
        "found unknown escape character",
        "an escape that YAML does not know",
        "use single quotes, or double the backslash",
    ),
    (
        "did not find expected '-' indicator",
        "this line does not belong to the list above it",
        "mind the indentation",
    ),
    ("did not find expected comment or line break", "text after '|' or '>'", "start it on the next line"),
    ("found unexpected document indicator", "a document marker inside a quoted text", "close the quotes"),
)


def reworded(error: MarkedYAMLError, lines: Sequence[str]) -> tuple[int, int, str, str | None]:
    """Line and column (from 1), message and suggestion for a syntax error of the YAML reader."""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    problem, context = error.problem or "", error.context or ""
    source = lines[line - 1] if line <= len(lines) else ""
    here = source[column - 1 : column]
    if "could not find expected ':'" in problem and error.context_mark is not None:
        # noticed at the next line only: what was begun there is a key without its colon
        opened = error.context_mark
        message = "this line is neither 'key: value' nor a list item"
        return opened.line + 1, opened.column + 1, message, "is a colon missing, or its blank?"
    if "flow" in context and "did not find expected ',' or" in problem:
        opened = error.context_mark
        if opened is not None and (opened.line < mark.line if mark else False) and _starts_afresh(source, column):
            closing = "}" if "mapping" in context else "]"
            message = f"this bracket is not closed before line {line}"
            return opened.line + 1, opened.column + 1, message, f"add {closing!r}"
        return line, column, f"YAML cannot read on at {here!r}: {_FLOW}", "quote the whole text"
    if "found unexpected ':'" in problem:
        return line, column, f"a colon inside a text: {_FLOW}", "quote the whole text"
    if "cannot start any token" in problem and here == "\t":
        return line, column, "a tab cannot indent", "use spaces"
    if "cannot start any token" in problem:
        return line, column, _UNQUOTED_START.format(here), "quote the whole text"
    if "did not find expected key" in problem:
        if source[: column - 1].strip():
            return (
                line,
                column,
                f"YAML cannot read on at {here!r}, after a text has ended",
                "quote the whole text",
            )
        return line, column, "this line does not belong to the mapping above it", "mind the indentation"
    if "did not find expected node content" in problem:
        return line, column, _UNQUOTED_START.format(here), "quote the whole text"
    for part, message, suggestion in _BY_PROBLEM:
        if part in problem:
            return line, column, message, suggestion
    return line, column, f"not YAML: {problem or context}", None


def _starts_afresh(source: str, column: int) -> bool:
    """Whether the line looks like the next line of a block, so that a bracket above it was left open."""
    before = source[: column - 1]
    return not before.strip() or re.fullmatch(r"\s*(?:- )?[\w.-]+", before) is not None

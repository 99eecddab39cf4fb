"""Writes a layout again: two blanks a level, one blank after a colon or comma, keys in the order of the language."""

from __future__ import annotations

import re
import textwrap

from mcp_compliance.rulecheck.key_order import ordered, part_inside
from mcp_compliance.rulecheck.layout_tree import Entry, Layout, Written

WIDTH = 128
"""Columns up to which brackets that stand on several lines are put on one. What stands on one line stays there,
whatever its length: one case, one line."""


def written(layout: Layout) -> str:
    """The text of a rule, ending in a line feed."""
    lines = [*layout.head, *_value(layout.root, "rule"), *layout.foot]
    return "\n".join(_without_gaps(lines)) + "\n"


def _without_gaps(lines: list[str]) -> list[str]:
    """No empty line at the ends, and never two in a row, but for those within texts, which are marked."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return ["" if line == _EMPTY else line for line in kept]


_EMPTY = "\0"
"""An empty line of a text, which has a meaning."""


def _value(value: Written, part: str) -> list[str]:
    """Lines of a value as they stand at the left margin."""
    if value.kind == "scalar":
        return _scalar(value)
    if value.flow:
        return _flow(value, part)
    lines: list[str] = []
    last = value.entries[-1]  # what stands below the last entry stays below whichever is last then
    for entry in _in_order(value, part):
        lines += [*entry.before, *_entry(entry, part), *(() if entry is last else entry.after)]
    return [*lines, *last.after]


def _scalar(value: Written) -> list[str]:
    first, *rest = value.text.split("\n")
    if first[:1] in ("|", ">"):
        body = textwrap.dedent("\n".join(rest)).split("\n") if rest else []
    else:
        body = [line.strip(" \t") for line in rest]
    return [f"{value.anchor}{first}".rstrip(), *(line if line.strip() else _EMPTY for line in body)]


def _entry(entry: Entry, part: str) -> list[str]:
    inner = part if entry.key is None else part_inside(part, _name(entry.key))
    value = entry.value
    lines = _value(value, inner)
    lead = "-" if entry.key is None else f"{_inline(entry.key, '')}:"
    if not value.is_block:
        first, *rest = lines
        head = f"{lead} {first}".rstrip()
        if rest and value.flow and entry.key is not None:
            *above, last = _indented(lines)
            return [lead, *above, f"{last}{entry.trailing}"]
        if rest:
            return [head, *_indented(rest[:-1]), *(f"{line}{entry.trailing}" for line in _indented(rest[-1:]))]
        return [f"{head}{entry.trailing}"]
    if entry.key is None and not value.anchor and not value.entries[0].before:
        first, *rest = lines
        return [f"- {first}{entry.trailing}", *_indented(rest)]
    return [f"{lead} {value.anchor}".rstrip() + entry.trailing, *_indented(lines)]


def _indented(lines: list[str]) -> list[str]:
    return [line if line in ("", _EMPTY) else f"  {line}" for line in lines]


def _flow(value: Written, part: str) -> list[str]:
    line = _inline(value, part)
    several = value.line != value.end_line
    if several and ("\n" in line or len(line) > WIDTH):
        return _kept(value)
    return [line]


def _kept(value: Written) -> list[str]:
    """Brackets on several lines, which would be too long on one: broken where they were, aligned within the bracket."""
    first, *rest = value.text.split("\n")
    body = textwrap.dedent("\n".join(line for line in rest if not _closes(line))).split("\n")
    inner = iter(body)
    lines = [line.strip() if _closes(line) else f" {next(inner)}".rstrip() for line in rest]
    return [f"{value.anchor}{first.rstrip()}", *lines]


def _closes(line: str) -> bool:
    return line.strip()[:1] in ("]", "}")


def _inline(value: Written, part: str) -> str:
    if value.kind == "scalar":
        return f"{value.anchor}{value.text}".rstrip()
    inner = [_inline_entry(entry, part) for entry in _in_order(value, part)]
    opened, closed = ("{", "}") if value.kind == "mapping" else ("[", "]")
    return f"{value.anchor}{opened}{', '.join(inner)}{closed}"


def _inline_entry(entry: Entry, part: str) -> str:
    if entry.key is None:
        return _inline(entry.value, part)
    key = _inline(entry.key, "")
    colon = " :" if key.startswith("*") else ":"
    return f"{key}{colon} {_inline(entry.value, part_inside(part, _name(entry.key))) or 'null'}"


def _name(key: Written) -> str:
    return key.text.strip("\"'")


def _in_order(value: Written, part: str) -> list[Entry]:
    """The entries in the order of the language, unless an alias would come before its anchor."""
    if value.kind != "mapping":
        return value.entries
    keys = [_name(entry.key) for entry in value.entries if entry.key is not None]
    entries = [value.entries[place] for place in ordered(part, keys)]
    marks = [mark for entry in entries for mark in _marks(entry.value)]
    here = {mark[1:] for mark in marks if mark[0] == "&"}
    seen: set[str] = set()
    for mark in marks:
        if mark[0] == "*" and mark[1:] in here and mark[1:] not in seen:
            return value.entries
        seen.add(mark[1:])
    return entries


def _marks(value: Written) -> list[str]:
    """Anchors and aliases inside, in the order of the text."""
    found = [value.anchor.strip()] if value.anchor else []
    if value.kind == "scalar" and re.fullmatch(r"\*\S+", value.text):
        found.append(value.text)
    for entry in value.entries:
        found += _marks(entry.value)
    return found

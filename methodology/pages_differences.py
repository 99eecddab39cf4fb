"""What differs between the rules of one revision and the next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pages_source import Source, link, rule_page
from pages_text import over, prose, render, table
from reference_markdown import code

from mcp_compliance.catalog.revision import Catalogue
from mcp_compliance.catalog.rule import Rule
from mcp_compliance.rulecheck.drift import drifts

PAGE = "differences.md"
MEANS = {
    "sends": ("steps", "uses", "judges", "touches", "phase"),
    "judges": ("check", "at_end", "skip_unless", "pass"),
    "stands on": ("spec",),
}
"""What differs, for readers, by keys of the rule language."""


def difference_pages(source: Source) -> dict[str, str]:
    """By path."""
    pairs = [_pair(older, newer) for older, newer in pairwise(source.catalogues)]
    return {PAGE: render("differences.md", pairs=pairs)}


def _pair(older: Catalogue, newer: Catalogue) -> dict[str, object]:
    shared = list(_shared(older, newer))
    names = (older.revision.revision, newer.revision.revision)
    return {
        "older": names[0],
        "newer": names[1],
        "shared": table(["rule", *names, "level", "over", *(f"what it {word}" for word in MEANS)], shared),
        "count": len(shared),
        "gone": _only(older, newer),
        "new": _only(newer, older),
    }


def _shared(older: Catalogue, newer: Catalogue) -> Iterator[list[str]]:
    for drift in drifts(older.revision.folder, newer.revision.folder):
        before, after = older.rule(drift.rule_id), newer.rule(drift.rule_id)
        if before is None or after is None:
            continue
        keys = {name for name, _, _ in drift.keys}
        yield [
            code(drift.rule_id),
            *(f"[page]({link(rule_page(each), PAGE)})" for each in (before, after)),
            _both(before.level, after.level),
            _both(over(before.transports, short=True), over(after.transports, short=True)),
            *("differs" if keys & set(names) else "" for names in MEANS.values()),
        ]


def _both(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _only(one: Catalogue, other: Catalogue) -> str:
    rows = [_row(rule) for rule in one.rules if other.rule(rule.id) is None]
    return table(["rule", "what a conforming server does", "level"], rows)


def _row(rule: Rule) -> list[str]:
    return [f"[{code(rule.id)}]({link(rule_page(rule), PAGE)})", prose(rule.title), rule.level]

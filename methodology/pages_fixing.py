"""The guide to failures: the recipes of all rules, those first that real servers fail most often.

How often is counted in the adjudicated verdicts that the tests hold real servers to, one table for each server,
transport and revision.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pages_source import Source, link, rule_page
from pages_text import prose, render, table
from reference_markdown import code
from ruamel.yaml import YAML

from mcp_compliance.catalog.rule import Rule

HERE = Path(__file__).resolve().parent
MEASURED = HERE.parent / "tests" / "real" / "expected"
EXAMPLES = HERE / "examples"
PAGE = "fixing.md"
PART = re.compile(r"^(?:#|//) --8<-- (\w+)\n(.*?)^(?:#|//) --8<-- end$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Measured:
    """Runs by revision, and how many of them failed a rule or were warned by it, by revision and id."""

    runs: Mapping[str, int]
    failed: Counter[tuple[str, str]] = field(default_factory=Counter)
    warned: Counter[tuple[str, str]] = field(default_factory=Counter)


def fixing_pages(source: Source, folder: Path = MEASURED) -> dict[str, str]:
    """By path."""
    measured = load_measured(folder)
    groups = _groups(source, measured)
    return {
        PAGE: render(
            "fixing.md",
            measured=_table(source, measured),
            runs=measured.runs,
            contents=[(category, sum(_often(rules, measured)[0] for rules in recipes)) for category, recipes in groups],
            groups=[(category, [_recipe(rules, measured) for rules in recipes]) for category, recipes in groups],
            part=example_part,
        )
    }


def load_measured(folder: Path) -> Measured:
    """Counts of the tables below the folder, ``<revision>/<server>.yaml``."""
    yaml = YAML(typ="safe", pure=True)
    tables = {each.name: sorted(each.glob("*.yaml")) for each in sorted(folder.iterdir())}
    measured = Measured({revision: len(paths) for revision, paths in tables.items()})
    for revision, paths in tables.items():
        for path in paths:
            document = yaml.load(path.read_text(encoding="utf-8"))
            failures = [row for row in document["verdicts"] if row["verdict"] == "fail"]
            measured.failed.update((revision, rule) for row in failures for rule in row["rules"])
            measured.warned.update((revision, rule) for row in document["warnings"] for rule in row["rules"])
    return measured


def example_part(name: str, part: str) -> str:
    """A marked part of an example. Raises ``KeyError`` where it has none of this name."""
    parts: dict[str, str] = dict(PART.findall((EXAMPLES / name).read_text(encoding="utf-8")))
    return parts[part].strip("\n")


def _often(rules: Sequence[Rule], measured: Measured) -> tuple[int, int]:
    keys = [(rule.revision, rule.id) for rule in rules]
    return sum(measured.failed[key] for key in keys), sum(measured.warned[key] for key in keys)


def _groups(source: Source, measured: Measured) -> list[tuple[str, list[list[Rule]]]]:
    """Recipes by category; both in the order of how often they are needed, then in that of the suite. The rules of one
    id that share a recipe stand together, the newest first."""
    groups: dict[str, dict[tuple[str, str], list[Rule]]] = {}
    for catalogue in reversed(source.catalogues):
        for rule in catalogue.rules:
            groups.setdefault(rule.category, {}).setdefault((rule.id, " ".join(rule.fix.split())), []).append(rule)
    recipes = {
        category: sorted(found.values(), key=lambda rules: _often(rules, measured), reverse=True)
        for category, found in groups.items()
    }
    return sorted(
        recipes.items(), key=lambda group: sum(_often(rules, measured)[0] for rules in group[1]), reverse=True
    )


def _recipe(rules: Sequence[Rule], measured: Measured) -> dict[str, str]:
    failed, warned = _often(rules, measured)
    pages = " and ".join(f"[MCP {rule.revision}]({link(rule_page(rule), PAGE)})" for rule in rules)
    counts = [f"{count} {word}" for count, word in ((failed, "failed"), (warned, "warned")) if count]
    return {
        "title": prose(rules[0].title),
        "about": " · ".join([code(rules[0].id), pages, *counts]),
        "fix": prose(rules[0].fix),
    }


def _table(source: Source, measured: Measured) -> str:
    return table(
        ["rule", "what a conforming server does", "failed", "warned"],
        [
            [
                f"[{code(rule.id)}]({link(rule_page(rule), PAGE)}) of {rule.revision}",
                prose(rule.title),
                f"{failed} of {measured.runs[rule.revision]}",
                str(warned),
            ]
            for rule, failed, warned in _failing(source, measured)
        ],
    )


def _failing(source: Source, measured: Measured) -> Iterator[tuple[Rule, int, int]]:
    """Those that some run failed, the most frequent first."""
    found = [(rule, *_often([rule], measured)) for rule in source.rules()]
    yield from sorted((each for each in found if each[1]), key=lambda each: each[1:], reverse=True)

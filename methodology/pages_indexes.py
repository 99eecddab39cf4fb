"""The indexes of the rules: of all revisions, of each, and of each category."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import get_args

from pages_source import Source, category_page, link, revision_page, rule_page
from pages_text import over, prose, render, table
from reference_markdown import code

from mcp_compliance.catalog.revision import Catalogue
from mcp_compliance.catalog.rule import Level, Rule

TOP = "rules/README.md"
LEVELS: tuple[Level, ...] = get_args(Level)
SENTENCE = re.compile(r"(?<=[a-z0-9)][.!?]) (?=[A-Z])")


def index_pages(source: Source) -> dict[str, str]:
    """By path."""
    made = {TOP: _top(source)}
    for catalogue in source.catalogues:
        made[revision_page(catalogue.revision.revision)] = _revision(catalogue)
        made.update(_categories(catalogue))
    return made


def _top(source: Source) -> str:
    rows = [
        [f"[MCP {name}]({link(revision_page(name), TOP)})", *_counts(each.rules)]
        for each in source.catalogues
        for name in [each.revision.revision]
    ]
    return render("rules.md", counts=table(["revision", "rules", *LEVELS], rows), page=TOP)


def _revision(catalogue: Catalogue) -> str:
    name = catalogue.revision.revision
    page = revision_page(name)
    return render(
        "revision.md",
        name=name,
        site=catalogue.revision.site,
        counts=table(
            ["category", "rules", *LEVELS],
            [
                *(
                    [f"[{category}]({link(category_page(name, category), page)})", *_counts(rules)]
                    for category, rules in _by_category(catalogue)
                ),
                ["all", *_counts(catalogue.rules)],
            ],
        ),
        categories=[(category, _rules(rules, page)) for category, rules in _by_category(catalogue)],
    )


def _categories(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    name = catalogue.revision.revision
    for category, rules in _by_category(catalogue):
        page = category_page(name, category)
        why = [(rule.title, link(rule_page(rule), page), _first_sentence(rule.why)) for rule in rules]
        yield page, render("category.md", name=name, category=category, rules=_rules(rules, page), why=why)


def _by_category(catalogue: Catalogue) -> Iterator[tuple[str, list[Rule]]]:
    for category in catalogue.revision.catalogue:
        yield category, [rule for rule in catalogue.rules if rule.category == category]


def _rules(rules: Sequence[Rule], page: str) -> str:
    return table(
        ["rule", "what a conforming server does", "level", "over"],
        [
            [
                f"[{code(rule.id)}]({link(rule_page(rule), page)})",
                prose(rule.title),
                _level(rule),
                over(rule.transports, short=True),
            ]
            for rule in rules
        ],
    )


def _level(rule: Rule) -> str:
    return f"{rule.level} ({code(rule.capability)})" if rule.capability is not None else rule.level


def _counts(rules: Sequence[Rule]) -> list[str]:
    return [str(len(rules)), *(str(sum(rule.level == level for rule in rules)) for level in LEVELS)]


def _first_sentence(text: str) -> str:
    return SENTENCE.split(" ".join(text.split()))[0]

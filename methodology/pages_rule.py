"""The page of each rule."""

from __future__ import annotations

from collections.abc import Sequence

from pages_cases import case_row
from pages_source import Source, anchor, category_page, link, requirements_page, revision_page, rule_page
from pages_text import level_words, over, prose, render, table

from mcp_compliance.catalog.revision import Catalogue
from mcp_compliance.catalog.rule import Rule
from mcp_compliance.catalog.values import Literal
from mcp_compliance.catalog.verdict_texts import HOLE, VerdictText, shown, verdict_texts
from mcp_compliance.catalog.what_is_sent import what_is_sent

CASES = ["server", "does", "what is said"]


def rule_pages(source: Source) -> dict[str, str]:
    """By path."""
    return {rule_page(rule): _page(rule, each, source) for each in source.catalogues for rule in each.rules}


def _page(rule: Rule, catalogue: Catalogue, source: Source) -> str:
    page = rule_page(rule)
    texts = verdict_texts(rule)
    requirements = {requirement.id: requirement for requirement in source.requirements[rule.revision]}
    return render(
        "rule.md",
        rule=rule,
        level=level_words(rule.level, rule.capability),
        over=over(rule.transports),
        file=f"rules/{rule.path.relative_to(catalogue.revision.folder.parent).as_posix()}",
        to=lambda target: link(target, page),
        revision_page=revision_page(rule.revision),
        category_page=category_page(rule.revision, rule.category),
        sends=what_is_sent(rule, catalogue.revision),
        probes=_probes(rule),
        says={verdict: _says(texts, verdict) for verdict in ("fail", "not-evaluable", "skip", "warn")},
        cases={verdict: _cases(rule, verdict) for verdict in ("pass", "fail", "not-evaluable", "skip")},
        passes=shown(rule.passes),
        sentences=[
            [_force(sentence.force), f"[{_place(sentence.url, catalogue.revision.site)}]({sentence.url})"]
            for sentence in rule.spec
        ],
        demands=[
            [f"[{name}]({link(requirements_page(rule.revision), page)}#{anchor(name)})", prose(known.says or "")]
            for name in rule.requirements
            if (known := requirements.get(name)) is not None
        ],
        others=[(other.revision, link(rule_page(other), page)) for other in source.others(rule)],
    )


def _probes(rule: Rule) -> list[str]:
    """Names of the primitives that it runs."""
    targets = [step.target for step in rule.steps if step.verb == "run"]
    return list(dict.fromkeys(str(target.value) for target in targets if isinstance(target, Literal)))


def _says(texts: Sequence[VerdictText], verdict: str) -> list[str]:
    """Lines for a list; a text that consists of what was received alone tells a reader nothing."""
    lines = []
    for text in texts:
        if text.verdict == verdict and any(letter.isalnum() for letter in text.shown):
            force = f"{text.force}: " if text.force not in (None, "none") else ""
            only = f" ({over([text.only])} only)" if text.only is not None else ""
            item = f"{text.item} {HOLE}: " if text.item is not None else ""
            lines.append(f"{force}{prose(item + text.shown)}{only}")
    return list(dict.fromkeys(lines))


def _cases(rule: Rule, verdict: str) -> str:
    rows = [case_row(case) for case in rule.cases if case.verdict == verdict]
    return table(CASES, rows) if rows else ""


def _force(force: str) -> str:
    return "advisory" if force == "none" else force


def _place(url: str, site: str) -> str:
    return prose(url.removeprefix(site)) if url.startswith(site) else prose(url.removeprefix("https://"))

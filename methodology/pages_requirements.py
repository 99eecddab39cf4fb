"""The traceability matrix: what the specification demands of servers, and which rules judge it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import get_args

from pages_source import Source, anchor, link, requirements_page, rule_page
from pages_text import prose, render, table
from reference_markdown import code
from reference_schema import SchemaTables

from mcp_compliance.catalog.document_schema import schema_of
from mcp_compliance.catalog.requirements import Open, Requirement, Seen
from mcp_compliance.catalog.revision import Catalogue
from mcp_compliance.catalog.rule import Rule

TOP = "requirements/README.md"
REASONS: tuple[Open, ...] = get_args(Open)
SEEN: tuple[Seen, ...] = get_args(Seen)
GAP: Open = "gap"
STATES = ("judged", *REASONS, "permission", "never seen")
Checked = Mapping[tuple[str, str], Sequence[Rule]]


def requirement_pages(source: Source) -> dict[str, str]:
    """By path."""
    made = {TOP: _top(source)}
    for catalogue in source.catalogues:
        name = catalogue.revision.revision
        made[requirements_page(name)] = _matrix(catalogue, source.requirements[name], source.checked_by)
    return made


def state(requirement: Requirement, revision: str, checked_by: Checked) -> str:
    """What becomes of it: one of ``STATES``."""
    if (revision, requirement.id) in checked_by:
        return "judged"
    if requirement.seen == "never":
        return "never seen"
    return requirement.open or "permission"


def _top(source: Source) -> str:
    revisions = [
        (
            name,
            link(requirements_page(name), TOP),
            _counts(source.requirements[name], name, source.checked_by),
            _gaps(source.requirements[name], name),
        )
        for name in (each.revision.revision for each in source.catalogues)
    ]
    return render("requirements.md", revisions=revisions, words=_words())


def _words() -> str:
    """What the words of the table mean, from the schema of the file that has them."""
    listed = SchemaTables().node("requirements", "requirements")["additionalProperties"]
    described = dict(_described(listed, "open")) | {
        "judged": "at least one rule looks at it; none need look at all of it.",
        "permission": "the text allows something (MAY), which is nothing to fail.",
        "never seen": "whoever talks to a server cannot see whether it is met.",
    }
    return table(["word", "means that"], [[word, described[word]] for word in STATES])


def _described(node: object, key: str) -> Iterator[tuple[str, str]]:
    """The words of a key with what its description says of each: ``word: meaning. word: meaning.``"""
    properties = node["properties"] if isinstance(node, dict) else {}
    text = str(properties[key]["description"])
    words = [str(word) for word in properties[key]["enum"]]
    for number, word in enumerate(words):
        rest = text.partition(f" {word}: ")[2]
        yield word, rest.partition(f" {words[number + 1]}: ")[0] if number + 1 < len(words) else rest


def _counts(requirements: Sequence[Requirement], revision: str, checked_by: Checked) -> tuple[str, str]:
    """What can be seen, and what becomes of it, by force."""
    forces = [str(force) for force in _forces() if any(each.force == force for each in requirements)]
    seen, states = [], []
    for force in (*forces, "all"):
        chosen = [each for each in requirements if force in (each.force, "all")]
        seen.append([force, str(len(chosen)), *(str(sum(each.seen == word for each in chosen)) for word in SEEN)])
        found = [state(each, revision, checked_by) for each in chosen]
        states.append([force, *(str(found.count(word)) for word in STATES)])
    return table(["force", "demands", *(f"{word} seen" for word in SEEN)], seen), table(["force", *STATES], states)


def _forces() -> list[object]:
    listed = schema_of("requirements")["properties"]
    node = listed["requirements"] if isinstance(listed, dict) else None
    entry = node["additionalProperties"] if isinstance(node, dict) else None
    properties = entry["properties"] if isinstance(entry, dict) else None
    force = properties["force"] if isinstance(properties, dict) else None
    words = force["enum"] if isinstance(force, dict) else None
    return [*words] if isinstance(words, list) else []


def _gaps(requirements: Sequence[Requirement], revision: str) -> str:
    page = link(requirements_page(revision), TOP)
    rows = [
        [f"[{each.id}]({page}#{anchor(each.id)})", each.force, prose(each.says or "")]
        for each in requirements
        if each.open == GAP
    ]
    return table(["requirement", "force", "demands"], rows)


def _matrix(catalogue: Catalogue, requirements: Sequence[Requirement], checked_by: Checked) -> str:
    name = catalogue.revision.revision
    parts = [
        (
            at,
            table(
                ["requirement", "demands", "seen", "judged by, or why not"],
                [_row(each, catalogue, checked_by) for each in group],
            ),
        )
        for at, group in groupby(requirements, key=lambda each: each.page)
    ]
    return render("requirements-of.md", name=name, site=catalogue.revision.site, parts=parts)


def _row(requirement: Requirement, catalogue: Catalogue, checked_by: Checked) -> list[str]:
    name = catalogue.revision.revision
    page = requirements_page(name)
    where = f"[{requirement.force}]({catalogue.revision.site}{requirement.at})"
    when = f" *({prose(requirement.when)})*" if requirement.when is not None else ""
    note = f": {prose(requirement.note)}" if requirement.note is not None else ""
    rules = [f"[{code(rule.id)}]({link(rule_page(rule), page)})" for rule in checked_by.get((name, requirement.id), ())]
    return [
        f'<a id="{anchor(requirement.id)}"></a>{requirement.id}',
        f"{where} {prose(requirement.says or '')}{when}",
        f"{requirement.seen}{note}",
        ", ".join(rules) or state(requirement, name, checked_by),
    ]

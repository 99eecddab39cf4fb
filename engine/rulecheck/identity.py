"""R3: ids, files, the revision's catalogue, the specification's anchors and the list of requirements agree."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.nearest import nearest
from mcp_compliance.rulecheck.subjects import RevisionSubject, RuleSubject, Title

CODE = "R3"


def check_identity(subject: RuleSubject) -> Iterator[Finding]:
    rule, source = subject.rule, subject.source
    if source.path.stem != rule.id:
        yield source.finding(CODE, ("id",), f"the id is {rule.id}, the file is named {source.path.name}")
    else:
        yield from _listed(subject)
    yield from _cited(subject)


def _listed(subject: RuleSubject) -> Iterator[Finding]:
    rule, source = subject.rule, subject.source
    catalogue = subject.revision.revision.catalogue
    homes = [category for category, ids in catalogue.items() if rule.id in ids]
    if not homes:
        near = nearest(rule.id, [name for ids in catalogue.values() for name in ids])
        yield source.finding(CODE, ("id",), f"{rule.id} is missing in the catalogue of _revision.yaml", near)
    elif source.path.parent.name not in homes:
        message = f"the catalogue has {rule.id} under {homes[0]}, the file lies in {source.path.parent.name}"
        yield source.finding(CODE, ("id",), message)


def _cited(subject: RuleSubject) -> Iterator[Finding]:
    lists, source = subject.revision.lists, subject.source
    for index in range(len(subject.rule.spec)):
        at = source.at(("spec", index, "at"))
        if lists.anchors is None or not isinstance(at, str):
            continue
        page, _, anchor = at.partition("#")
        anchors = lists.anchors.get(page.removesuffix("/index"))
        pointer = ("spec", index, "at")
        if anchors is None:
            yield source.finding(CODE, pointer, f"no page {page} in _anchors.yaml", nearest(page, lists.anchors))
        elif anchor and anchor not in anchors:
            message = f"the page {page} has no anchor #{anchor} in _anchors.yaml"
            yield source.finding(CODE, pointer, message, nearest(anchor, anchors))
    if lists.requirements is not None:
        for index, name in enumerate(subject.rule.requirements):
            if name not in lists.requirements:
                near = nearest(name, lists.requirements)
                yield source.finding(CODE, ("requirements", index), f"no requirement {name} is listed", near)


def check_catalogue(revision: RevisionSubject, paths: Collection[tuple[str, str]]) -> Iterator[Finding]:
    """The catalogue against the files there are: ``paths`` holds category and id of each."""
    source = revision.source
    seen: dict[str, str] = {}
    for category, ids in revision.revision.catalogue.items():
        for index, rule_id in enumerate(ids):
            pointer = ("catalogue", category, index)
            if rule_id in seen:
                yield source.finding(CODE, pointer, f"{rule_id} stands twice, first under {seen[rule_id]}")
            elif revision.complete and (category, rule_id) not in paths:
                yield source.finding(CODE, pointer, f"there is no file {category}/{rule_id}.yaml")
            seen.setdefault(rule_id, category)
    for name, fixture in revision.revision.fixtures.items():
        if fixture.rule is not None and fixture.rule not in seen:
            near = nearest(fixture.rule, seen)
            yield source.finding(CODE, ("fixtures", name, "rule"), f"no rule {fixture.rule} is in the catalogue", near)
    if source.path.parent.name != revision.revision.revision:
        message = f"the revision is {revision.revision.revision}, the folder {source.path.parent.name}"
        yield source.finding(CODE, ("revision",), message)


def check_titles(titles: Iterable[Title]) -> Iterator[Finding]:
    """No two rules of a revision have the same title."""
    first: dict[tuple[str, str], str] = {}
    for title in titles:
        known = first.setdefault((title.revision, title.text.casefold()), title.rule_id)
        if known != title.rule_id:
            yield replace(title.place, message=f"{known} has the same title")

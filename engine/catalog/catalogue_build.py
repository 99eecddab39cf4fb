"""Builds ``catalogue.json``: all rules of all revisions in one document; ``catalogue.v1.json`` is its schema."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mcp_compliance.catalog.requirements import Requirement, load_requirements
from mcp_compliance.catalog.revision import Catalogue, Fixture, Revision
from mcp_compliance.catalog.rule import Case, Rule
from mcp_compliance.catalog.verdict_texts import VerdictText, verdict_texts
from mcp_compliance.catalog.what_is_sent import what_is_sent
from mcp_compliance.jsontypes import JSON, JSONObject

FILE = "catalogue.json"
SCHEMA_VERSION = "1"
LICENCE: JSONObject = {
    "attribution": "mcp-compliance rules",
    "spdx": "CC-BY-4.0",
    "url": "https://creativecommons.org/licenses/by/4.0/",
}
NOTICE = (
    "One tool's reading of the specification, published to be reviewed, adopted or forked. It is not the standard: "
    "what a server must do is defined by the MCP specification alone."
)
AS_WRITTEN = {"skip_unless": "skipUnless", "steps": "steps", "check": "check", "at_end": "atEnd"}
"""Keys of the rule language that are taken over with their values, and their names here."""


def catalogue_text(catalogues: Sequence[Catalogue]) -> str:
    """The file: the same text for the same rules, with sorted keys. Revisions are in the order given, rules in that
    of the suite. Raises ``DocumentError`` when a list of requirements cannot be read."""
    document: JSONObject = {
        "licence": LICENCE,
        "notice": NOTICE,
        "revisions": [_revision(each) for each in catalogues],
        "rules": [_rule(rule, each) for each in catalogues for rule in each.rules],
        "schemaVersion": SCHEMA_VERSION,
    }
    return json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _revision(catalogue: Catalogue) -> JSONObject:
    revision = catalogue.revision
    checked_by: dict[str, list[JSON]] = {}
    for rule in catalogue.rules:
        for name in rule.requirements:
            checked_by.setdefault(name, []).append(rule.id)
    listed = load_requirements(revision.folder)
    return {
        "revision": revision.revision,
        "site": revision.site,
        "categories": [{"category": name, "rules": list(ids)} for name, ids in revision.catalogue.items()],
        "fixtures": {name: _fixture(fixture) for name, fixture in revision.fixtures.items()},
        "patterns": {
            name: {"about": each.about, "patterns": {label: one.pattern for label, one in each.patterns.items()}}
            for name, each in revision.library.patterns.items()
        },
        "payloads": dict(revision.payloads),
        "requirements": [_requirement(each, revision, checked_by.get(each.id, [])) for each in listed],
    }


def _fixture(fixture: Fixture) -> JSONObject:
    return {"call": fixture.call, "capability": fixture.capability, "judgedBy": fixture.rule, "pages": fixture.pages}


def _requirement(requirement: Requirement, revision: Revision, checked_by: list[JSON]) -> JSONObject:
    return {
        "id": requirement.id,
        "url": revision.site + requirement.at,
        "force": requirement.force,
        "says": requirement.says,
        "when": requirement.when,
        "seen": requirement.seen,
        "note": requirement.note,
        "open": requirement.open,
        "checkedBy": checked_by,
    }


def _rule(rule: Rule, catalogue: Catalogue) -> JSONObject:
    source = catalogue.documents[rule.id]
    return {
        "id": rule.id,
        "revision": rule.revision,
        "title": rule.title,
        "category": rule.category,
        "level": rule.level,
        "capability": rule.capability,
        "transports": list(rule.transports),
        "phase": rule.phase,
        "touches": [*sorted(rule.touches)],
        "spec": [{"url": sentence.url, "force": sentence.force} for sentence in rule.spec],
        "requirements": list(rule.requirements),
        "why": _paragraph(rule.why),
        "fix": _paragraph(rule.fix),
        "sends": list(what_is_sent(rule, catalogue.revision)),
        "uses": list(rule.uses),
        "judges": list(rule.judges),
        **{name: source.get(key, []) for key, name in AS_WRITTEN.items()},
        "pass": rule.passes.source,
        "texts": [_text(each) for each in verdict_texts(rule)],
        "cases": [_case(case) for case in rule.cases],
        "since": rule.since,
        "history": [{"in": release, "what": _paragraph(what)} for release, what in rule.history],
        "origin": rule.path.relative_to(catalogue.revision.folder.parent).as_posix(),
    }


def _text(text: VerdictText) -> JSONObject:
    return {"verdict": text.verdict, "says": text.says, "force": text.force, "only": text.only}


def _case(case: Case) -> JSONObject:
    return {"name": case.name, "on": case.on, "verdict": case.verdict, "says": case.says, "warns": case.warns}


def _paragraph(text: str) -> str:
    return " ".join(text.split())

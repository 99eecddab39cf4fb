"""Everything that is checked about one rule file by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcp_compliance.catalog.compile_rule import compile_rule
from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.rulecheck.cases import check_cases, play_all
from mcp_compliance.rulecheck.documents import read_document
from mcp_compliance.rulecheck.dropped_checks import check_by_dropping
from mcp_compliance.rulecheck.expressions import check_expressions, check_patterns, unreadable
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.identity import check_identity
from mcp_compliance.rulecheck.misspelt_values import check_values
from mcp_compliance.rulecheck.names import NameCheck
from mcp_compliance.rulecheck.one_cause import one_for_each_cause
from mcp_compliance.rulecheck.primitive_steps import check_primitives
from mcp_compliance.rulecheck.references import check_references
from mcp_compliance.rulecheck.soundness import check_soundness
from mcp_compliance.rulecheck.subjects import RevisionSubject, RuleSubject, Source, Title

UNPLAYABLE = ("R4", "R5", "R6")
"""With such a finding the cases are not played: they would only fail of the same mistake."""


@dataclass(frozen=True)
class RuleReport:
    """Findings of one file. ``cases`` is how many were played; ``title`` is None when the file is no rule."""

    findings: tuple[Finding, ...]
    cases: int = 0
    title: Title | None = None


def check_rule(path: Path, revision: RevisionSubject | None, *, drop_checks: bool) -> RuleReport:
    """Without a revision only the document itself is looked at."""
    document, findings = read_document(path, "rule")
    if document is None or revision is None or not isinstance(document.value, dict):
        return RuleReport(tuple(findings))
    compiler = Compiler()
    rule = compile_rule(compiler, document.value, revision.revision, path.parent.name, path)
    source = Source(document)
    subject = RuleSubject(source, rule, revision)
    title = Title(rule.revision, rule.id, rule.title, source.finding("R3", ("title",), ""))
    misspelt = list(check_values(subject))
    if misspelt:
        # Whatever these values are not read for would be reported once more as never read.
        return RuleReport((*findings, *misspelt), 0, title)
    problems = one_for_each_cause([*unreadable(source, compiler.problems), *_static(subject)])
    if any(finding.code in UNPLAYABLE for finding in problems):
        return RuleReport((*findings, *problems), 0, title)
    runs = play_all(subject)
    played = list(check_cases(subject, runs))
    if drop_checks and not played:
        played = list(check_by_dropping(subject, runs))
    return RuleReport((*findings, *problems, *played), len(rule.cases), title)


def _static(subject: RuleSubject) -> Iterator[Finding]:
    yield from check_identity(subject)
    yield from check_expressions(subject.source, subject.rule, subject.revision.revision.library)
    yield from check_patterns(subject)
    yield from NameCheck(subject).run()
    yield from check_references(subject)
    yield from check_primitives(subject)
    yield from check_soundness(subject)

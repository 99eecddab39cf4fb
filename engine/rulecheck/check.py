"""Checks files: every check on every file, and one bad file never hides the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mcp_compliance.catalog.compile_rule import compile_rule
from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.rulecheck.cases import check_cases
from mcp_compliance.rulecheck.documents import read_document
from mcp_compliance.rulecheck.dropped_checks import check_by_dropping
from mcp_compliance.rulecheck.expressions import check_expressions, check_patterns, unreadable
from mcp_compliance.rulecheck.findings import Checked, Finding
from mcp_compliance.rulecheck.gather import Folder, gather
from mcp_compliance.rulecheck.identity import check_catalogue, check_identity, check_titles
from mcp_compliance.rulecheck.names import NameCheck
from mcp_compliance.rulecheck.primitive_steps import check_primitives
from mcp_compliance.rulecheck.references import check_references
from mcp_compliance.rulecheck.revisions import RevisionReader
from mcp_compliance.rulecheck.side_by_side import on_all
from mcp_compliance.rulecheck.soundness import check_soundness
from mcp_compliance.rulecheck.subjects import RevisionSubject, RuleSubject, Source


class NothingToCheckError(Exception):
    """No rule file was found, or a path does not exist. The text is one line for people."""


@dataclass
class _Run:
    drop_checks: bool
    findings: list[Finding] = field(default_factory=list)
    files: int = 0
    rules: int = 0
    cases: int = 0

    def folder(self, folder: Folder) -> None:
        reader = RevisionReader(folder.path)
        revision = reader.read(complete=folder.complete)
        self.findings += reader.findings
        self.files += reader.files
        subjects = [subject for path in folder.rules if (subject := self.rule(path, revision)) is not None]
        if revision is not None:
            paths = {(path.parent.name, path.stem) for path in folder.rules}
            self.findings += check_catalogue(revision, paths)
        self.findings += check_titles(subjects)
        self.cases += sum(len(subject.rule.cases) for subject in subjects)
        for found in on_all(self.play, subjects):
            self.findings += found

    def rule(self, path: Path, revision: RevisionSubject | None) -> RuleSubject | None:
        """Everything but the cases. The rule, None when it cannot be played."""
        self.files += 1
        self.rules += 1
        document, findings = read_document(path, "rule")
        self.findings += findings
        if document is None or revision is None or not isinstance(document.value, dict):
            return None
        compiler = Compiler()
        rule = compile_rule(compiler, document.value, revision.revision, path.parent.name, path)
        source = Source(document)
        subject = RuleSubject(source, rule, revision)
        problems = list(unreadable(source, compiler.problems))
        problems += _static(subject)
        self.findings += problems
        playable = not any(finding.code in ("R4", "R5", "R6") for finding in problems)
        return subject if playable else None

    def play(self, subject: RuleSubject) -> list[Finding]:
        """Findings of the rule's cases. Works in a process of its own, so nothing else is noted."""
        problems = list(check_cases(subject))
        if self.drop_checks and not problems:
            problems = list(check_by_dropping(subject))
        return problems


def _static(subject: RuleSubject) -> Iterator[Finding]:
    yield from check_identity(subject)
    yield from check_expressions(subject.source, subject.rule, subject.revision.revision.library.patterns)
    yield from check_patterns(subject)
    yield from NameCheck(subject).run()
    yield from check_references(subject)
    yield from check_primitives(subject)
    yield from check_soundness(subject)


def check_paths(paths: Iterable[Path], *, drop_checks: bool = False) -> Checked:
    """All findings for the files below the paths. Raises ``NothingToCheckError``."""
    given = list(paths)
    gathered = gather(given)
    if gathered.missing:
        raise NothingToCheckError(f"{gathered.missing[0]}: no such file or folder")
    run = _Run(drop_checks)
    for folder in gathered.folders:
        run.folder(folder)
    for path in gathered.strays:
        run.rules += 1
        message = "no _revision.yaml stands above this file, so it belongs to no revision"
        run.findings.append(Finding(path, 1, 1, "R3", message, "a rule lies in rules/<revision>/<category>/"))
    if run.rules == 0:
        raise NothingToCheckError(f"no rule below {', '.join(map(str, given))}; zero rules checked is no success")
    ordered = sorted(dict.fromkeys(run.findings), key=lambda finding: finding.order)
    return Checked(tuple(ordered), run.files, run.rules, run.cases)

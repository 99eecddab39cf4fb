"""Checks files: every check on every file, and one bad file never hides the next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mcp_compliance.rulecheck.findings import Checked, Finding
from mcp_compliance.rulecheck.gather import Folder, gather
from mcp_compliance.rulecheck.identity import check_catalogue, check_titles
from mcp_compliance.rulecheck.one_rule import check_rule
from mcp_compliance.rulecheck.recognising import check_recognition
from mcp_compliance.rulecheck.revisions import RevisionReader
from mcp_compliance.rulecheck.side_by_side import on_all


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
        reports = on_all(lambda path: check_rule(path, revision, drop_checks=self.drop_checks), folder.rules)
        for report in reports:
            self.findings += report.findings
            self.cases += report.cases
        if revision is not None:
            self.findings += check_recognition(revision)
            paths = {(path.parent.name, path.stem) for path in folder.rules}
            self.findings += check_catalogue(revision, paths)
        self.findings += check_titles([report.title for report in reports if report.title is not None])
        self.rules += len(folder.rules)
        self.files += reader.files + len(folder.rules)


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

"""The YAML examples of a page, each made into a whole rule by the head that examples leave out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from mcp_compliance.catalog.index import known_revisions, rules_root
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.one_rule import check_rule
from mcp_compliance.rulecheck.revisions import RevisionReader
from mcp_compliance.rulecheck.subjects import RevisionSubject

HEAD = {
    "format": "1",
    "id": "example",
    "title": "An example",
    "level": "optional",
    "spec": "[{at: basic#messages, force: MUST}]",
    "why": "none",
    "fix": "none",
    "pass": "met",
}
BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
UNLISTED = "is missing in the catalogue of _revision.yaml"


@dataclass(frozen=True)
class Example:
    """``line`` is where the block begins in its page."""

    line: int
    text: str

    @property
    def whole(self) -> str:
        given = set(re.findall(r"^([a-z_]+):", self.text, re.MULTILINE))
        head = "".join(f"{key}: {value}\n" for key, value in HEAD.items() if key not in given)
        return head + self.text


def examples_of(page: Path) -> list[Example]:
    text = page.read_text(encoding="utf-8")
    return [Example(text.count("\n", 0, found.start()) + 1, found[1]) for found in BLOCK.finditer(text)]


def revision_of_examples() -> RevisionSubject:
    """The revision that the page says its examples belong to: the oldest."""
    revision = RevisionReader(rules_root() / known_revisions()[0]).read(complete=False)
    assert revision is not None
    return revision


def findings(example: Example, revision: RevisionSubject, folder: Path) -> list[Finding]:
    """What rulecheck says about the example, but for its absence from the catalogue. Its cases are played."""
    name = re.search(r"^id: (\S+)$", example.whole, re.MULTILINE)
    assert name is not None
    path = folder / f"{name[1]}.yaml"
    path.write_text(example.whole, encoding="utf-8")
    report = check_rule(path, revision, drop_checks=False)
    assert report.findings or report.cases
    allowed = ("R3",)
    return [
        found
        for found in report.findings
        if found.code not in allowed or not (UNLISTED in found.message or "the file lies in" in found.message)
    ]

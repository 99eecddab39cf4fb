"""Mistakes of every kind over every key of the language: each is one finding, at its place, that says what to do.

``python tests/rulecheck/test_mistakes.py`` prints the table of mistakes by operator.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
from mistakes import OPERATORS, Mistake
from sample_rules import FOLDER, first_keys, keys_of_language, samples

from mcp_compliance.rulecheck.check import check_paths
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.one_rule import check_rule
from mcp_compliance.rulecheck.render import text
from mcp_compliance.rulecheck.revisions import RevisionReader
from mcp_compliance.rulecheck.subjects import RevisionSubject

ADVICE = ("expected", "can only be", "this version reads", "is written", "more than", "less than")
"""Words of messages that say by themselves what to write."""


@pytest.fixture(scope="module")
def revision() -> RevisionSubject:
    found = RevisionReader(FOLDER).read(complete=False)
    assert found is not None
    return found


def findings(mistake: Mistake, revision: RevisionSubject, folder: Path) -> list[Finding]:
    path = folder / "2020-01-01" / "sample" / mistake.sample.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(mistake.text, encoding="utf-8")
    return list(dict.fromkeys(check_rule(path, revision, drop_checks=False).findings))


def what_is_wrong(mistake: Mistake, found: list[Finding]) -> str | None:
    """Why the findings are not what the mistake deserves; None when they are."""
    shown = "; ".join(f"{one.code} {one.line}:{one.column} {one.message} ({one.hint})" for one in found)
    if len(found) != 1:
        return f"{mistake.about}: {len(found)} findings: {shown}"
    (finding,) = found
    words = f"{finding.message} {finding.hint or ''}"
    if (finding.line, finding.column) not in [(place.line, place.column) for place in (mistake.place, *mistake.also)]:
        return f"{mistake.about}: not at {mistake.place.line}:{mistake.place.column}: {shown}"
    if finding.code not in mistake.codes or not all(word in words for word in mistake.says):
        return f"{mistake.about}: not {mistake.codes} with {mistake.says}: {shown}"
    if not finding.hint and not any(word in finding.message for word in ADVICE):
        return f"{mistake.about}: says nothing of what to do: {shown}"
    return None


def test_the_samples_are_clean_and_use_every_key_of_the_language() -> None:
    checked = check_paths([FOLDER])
    assert text(checked) == ""
    assert checked.rules == len(samples())
    assert {(key.part, key.name) for _, key in first_keys()} == keys_of_language()


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_mistake_is_one_finding_at_its_place(operator: str, revision: RevisionSubject, tmp_path: Path) -> None:
    made = list(OPERATORS[operator]())
    assert len(made) > 10
    wrong = [what_is_wrong(mistake, findings(mistake, revision, tmp_path)) for mistake in made]
    assert [words for words in wrong if words] == []


def main() -> None:
    found = RevisionReader(FOLDER).read(complete=False)
    assert found is not None
    with tempfile.TemporaryDirectory() as folder:
        for operator, make in OPERATORS.items():
            made = list(make())
            wrong = [what_is_wrong(mistake, findings(mistake, found, Path(folder))) for mistake in made]
            right = wrong.count(None)
            sys.stdout.write(f"{operator:<34}{len(made):>5} mistakes{right:>5} found, one finding each, at the place\n")


if __name__ == "__main__":
    main()

"""Walks the example rules: the good ones have no finding, each bad one exactly those of its ``.expected`` file."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_compliance.rulecheck.check import check_paths
from mcp_compliance.rulecheck.codes import CODES
from mcp_compliance.rulecheck.render import text

EXAMPLES = Path(__file__).parent / "examples"
REVISION = EXAMPLES / "2020-01-01"
GOOD = sorted(REVISION.glob("good/*.yaml"))
BAD = sorted([*REVISION.glob("bad/*.yaml"), *REVISION.glob("other/*.yaml")])


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_rules_have_no_finding(path: Path) -> None:
    checked = check_paths([path], drop_checks=True)
    assert checked.findings == ()
    assert checked.rules == 1
    assert checked.cases > 1


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_rules_have_the_expected_findings(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    checked = check_paths([path.relative_to(EXAMPLES)])
    assert text(checked) == path.with_suffix(".expected").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_one_mistake_is_one_finding(path: Path) -> None:
    assert len(check_paths([path]).findings) == 1


def test_every_code_has_a_bad_example() -> None:
    found = {finding.code for path in BAD for finding in check_paths([path]).findings}
    assert found == set(CODES)


def test_one_bad_file_hides_no_other() -> None:
    together = check_paths([REVISION / "bad"])
    alone = {finding for path in BAD if path.parent.name == "bad" for finding in check_paths([path]).findings}
    assert alone <= set(together.findings)

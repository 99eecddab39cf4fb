"""How a revision says it is recognised: its names are known, and its cases come to what they say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mcp_compliance.rulecheck.check import check_paths
from mcp_compliance.rulecheck.drift import drifts
from mcp_compliance.rulecheck.main import main

EXAMPLES = Path(__file__).parent / "examples" / "2020-01-01"
RECOGNISE = """
recognise:
  send: hello
  within: {http: preflight, stdio: startup}
  pinned: {http: send, stdio: skip}
  fallback: "2019-01-01"
  answers:
    - {if: "has(probe.message, 'result')", selects: this, note: "it said hello"}
    - {if: "probe.http.status == `401`", selects: fallback, undetermined: true, note: a wall, warn: "walled in"}
    - {selects: fallback, note: "{probe.outcome}"}
  cases:
    - {reply: {result: {}}, selects: "2020-01-01", note: said hello}
    - {reply: {status: 401}, selects: "2019-01-01", undetermined: true, note: a wall, warns: walled}
    - {reply: {timeout: true}, on: stdio, selects: "2019-01-01", note: timeout}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Two revisions: the newer one says how it is recognised, the older one is what is graded otherwise."""
    newer, older = tmp_path / "2020-01-01", tmp_path / "2019-01-01"
    shutil.copytree(EXAMPLES, newer, ignore=shutil.ignore_patterns("bad", "other"))
    text = (newer / "_revision.yaml").read_text(encoding="utf-8")
    text = text[: text.index("  bad: [")]
    lines = [line for line in text.splitlines() if not line.startswith("recognise:")]
    (newer / "_revision.yaml").write_text("\n".join(lines) + RECOGNISE, encoding="utf-8")
    shutil.copytree(newer, older)
    (older / "_revision.yaml").write_text(text.replace("2020-01-01", "2019-01-01"), encoding="utf-8")
    return tmp_path


def changed(rules: Path, old: str, new: str) -> list[tuple[str, str]]:
    path = rules / "2020-01-01" / "_revision.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    found = []
    for finding in check_paths([rules / "2020-01-01"]).findings:
        assert finding.source is not None
        found.append((finding.code, finding.message))
    return found


def test_a_right_one_is_clean(rules: Path) -> None:
    assert check_paths([rules / "2020-01-01"]).findings == ()


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("send: hello", "send: helo", "R5", "no fixture helo"),
        ('fallback: "2019-01-01"', 'fallback: "2018-01-01"', "R5", "there is no revision 2018-01-01"),
        ("stdio: startup", "stdio: start", "R5", "no budget start"),
        ('selects: "2020-01-01"', 'selects: "2019-01-01"', "R8", "selects 2020-01-01, not 2019-01-01"),
        ("note: said hello", "note: said bye", "R8", "the note does not say 'said bye': it said hello"),
        ("warns: walled", "warns: fenced", "R8", "the warning does not say 'fenced': walled in"),
        ("undetermined: true, note: a wall, warns", "note: a wall, warns", "R8", "undetermined is true"),
        ("has(probe.message", "hass(probe.message", "R4", "unknown function hass()"),
    ],
)
def test_a_wrong_one_has_one_finding(rules: Path, old: str, new: str, code: str, message: str) -> None:
    findings = changed(rules, old, new)
    assert findings[0][0] == code
    assert message in [text for _, text in findings]


def test_a_key_beside_the_fallback_is_refused(rules: Path) -> None:
    findings = changed(rules, "  send: hello\n", "  as: fallback\n  send: hello\n")
    assert findings
    assert {code for code, _ in findings} == {"R2"}


def test_drift_names_the_keys_that_differ(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = rules / "2020-01-01" / "good" / "say-hello.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("level: optional", "level: required", 1) + "touches: [lists]\n", encoding="utf-8")
    found = {drift.rule_id: drift.keys for drift in drifts(rules / "2019-01-01", rules / "2020-01-01")}
    assert found.pop("say-hello") == (("level", "optional", "required"), ("touches", None, ["lists"]))
    assert set(found.values()) == {()}
    assert main(["drift", "--rules", str(rules)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "5 ids in both 2019-01-01 and 2020-01-01; without a difference: 4",
        "  say-hello         level: optional -> required; touches",
    ]
    assert main(["drift", "2020-01-01", "2020-01-01", "--rules", str(rules)]) == 2
    assert "name two revisions" in capsys.readouterr().err

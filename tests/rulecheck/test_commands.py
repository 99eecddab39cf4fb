"""The ``rulecheck`` command: outputs, exit codes, and the commands for a single rule."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mcp_compliance.catalog.index import load_index, rules_root
from mcp_compliance.rulecheck.codes import CODES
from mcp_compliance.rulecheck.main import main

EXAMPLES = Path(__file__).parent / "examples"
BAD = "2020-01-01/bad/unknown-name.yaml"
GOOD = "2020-01-01/good"


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(EXAMPLES)
    return EXAMPLES


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of rules of its own, with the good examples."""
    folder = tmp_path / "rules"
    shutil.copytree(EXAMPLES / "2020-01-01", folder / "2020-01-01", ignore=shutil.ignore_patterns("bad", "other"))
    revision = folder / "2020-01-01" / "_revision.yaml"
    text = revision.read_text(encoding="utf-8")
    revision.write_text(text[: text.index("  bad: [")], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.mark.usefixtures("here")
def test_clean_rules_end_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([GOOD]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "rulecheck: 5 rules, 20 cases: no findings\n"


@pytest.mark.usefixtures("here")
def test_a_finding_ends_with_1_and_is_shown_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", BAD]) == 1
    printed = capsys.readouterr()
    assert printed.out == (
        "2020-01-01/bad/unknown-name.yaml:12:15  R5  unknown name 'hial'\n"
        '   12 |       - {get: hial.result, type: object, else: "{hail.unusable}"}\n'
        "      |               ^^^^\n"
        "   known here: server, session, target, run, hail; did you mean hail?\n"
    )
    assert printed.err == "rulecheck: 1 rule, 0 cases: 1 finding in 1 file; rulecheck explain R5 says more\n"


@pytest.mark.usefixtures("here")
def test_findings_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--format", "json", BAD]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["rules"] == 1
    assert document["findings"] == [
        {
            "file": BAD,
            "line": 12,
            "column": 15,
            "code": "R5",
            "message": "unknown name 'hial'",
            "hint": "known here: server, session, target, run, hail; did you mean hail?",
            "url": "methodology/rule-language.md#what-rulecheck-demands",
        }
    ]


@pytest.mark.usefixtures("here")
def test_findings_as_annotations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([BAD, "--format", "github"]) == 1
    assert capsys.readouterr().out == (
        f"::error file={BAD},line=12,col=15,title=R5::unknown name 'hial' "
        "(known here: server, session, target, run, hail; did you mean hail?)\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no/such/folder"], "no/such/folder: no such file or folder"),
        (["--format", "xml", BAD], "--format xml: choose one of text, json, github"),
        (["explain", "R11"], "no code R11; codes: R1, R2"),
        (["play", "no-such-rule", "--rules", "."], "has no rule no-such-rule"),
        (["play", "say-hello", "--rules", ".", "--case", "greet"], "has no case greet; cases: greeted, refused"),
        (["play", "say-hello", "--rules", ".", "--revision", "2020-01-02"], "no revision 2020-01-02"),
        (["new", "nobody-knows", "--rules", "."], "is not in the catalogue"),
        (["new", "Brand_New", "--rules", "."], "the id Brand_New is not made of lower case words joined by hyphens"),
        (["new", "brand-new", "--category", "god", "--rules", "."], "did you mean good?"),
        (["--no-such-option"], "unknown option"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_done_ends_with_2_and_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("rulecheck: ")
    assert message in printed.err
    assert printed.err.count("\n") == 1


def test_no_rule_at_all_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "zero rules checked is no success" in capsys.readouterr().err


def test_explain_prints_one_code_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "r5"]) == 0
    assert capsys.readouterr().out.startswith("R5  Every name is known where it is used\n")
    assert main(["explain"]) == 0
    printed = capsys.readouterr().out
    assert all(f"{name}  " in printed for name in CODES)


def test_a_skeleton_asks_for_its_blanks_and_passes_once_they_are_filled_in(
    rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    revision = rules / "2020-01-01" / "_revision.yaml"
    text = revision.read_text(encoding="utf-8")
    revision.write_text(text + "  new: [brand-new]\n", encoding="utf-8")
    assert main(["new", "brand-new", "--rules", str(rules)]) == 0
    path = rules / "2020-01-01" / "new" / "brand-new.yaml"
    assert capsys.readouterr().out == f"{path}\n"

    assert main(["check", str(path)]) == 1
    found = [line.split("  ") for line in capsys.readouterr().out.splitlines() if ".yaml:" in line]
    assert [(place.split(":")[1], code) for place, code, _ in found] == [
        ("4", "R2"),
        ("6", "R3"),
        ("7", "R2"),
        ("8", "R2"),
    ]

    assert main(["fmt", "--check", str(path)]) == 0
    modeline = path.read_text(encoding="utf-8").splitlines()[0]
    assert modeline == "# yaml-language-server: $schema=../../_rule.schema.json"
    assert (path.parent / "../../_rule.schema.json").read_bytes() == (rules_root() / "_rule.schema.json").read_bytes()

    filled = path.read_text(encoding="utf-8").replace("FILL IN: ", "").replace("fill/in#the-anchor", "guide#greeting")
    path.write_text(filled, encoding="utf-8")
    assert main(["check", str(rules)]) == 0

    assert main(["new", "brand-new", "--rules", str(rules)]) == 2
    assert path.read_text(encoding="utf-8") == filled
    assert "is there already" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_play_shows_exchanges_and_the_value_of_each_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "refuse-nonsense", "--rules", ".", "--case", "other code", "-v"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ok    other code (http): fail: MUST: code -32600"
    assert any('nonsense -> {"jsonrpc": "2.0"' in line and '"method": "no/such"' in line for line in lines)
    assert any('"error": {"code": -32600' in line and "<-" in line for line in lines)
    assert '        nonsense.credit.outcome = "credited"  is "credited"' in lines
    assert "      ! nonsense.error.code = -32600  is -32601" in lines


@pytest.mark.usefixtures("here")
def test_play_ends_with_1_when_a_case_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "2020-01-01/bad/other-verdict.yaml", "--case", "refused"]) == 1
    assert capsys.readouterr().out.startswith("WRONG refused (http): fail")


def test_the_index_has_one_entry_a_rule_in_the_order_of_the_catalogue(rules: Path) -> None:
    assert main(["index", "--rules", str(rules)]) == 0
    path = rules / "2020-01-01" / "_index.json"
    first = path.read_bytes()
    assert main(["index", "--rules", str(rules)]) == 0
    assert path.read_bytes() == first
    index = load_index("2020-01-01", rules)
    assert [entry.id for entry in index.entries] == [
        "say-hello",
        "list-items",
        "refuse-nonsense",
        "many-greetings",
        "nothing-injected",
    ]
    listed = index.entries[1]
    assert (listed.level, listed.capability, listed.category) == ("required-if-declared", "items", "good")
    assert index.entries[3].transports == ("http",)
    assert index.entries[0].spec == "https://protocol.example/2020-01-01/guide#greeting"


def test_the_rules_that_stand_here_are_meant_and_not_the_installed_ones(
    rules: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "say-hello"]) == 0
    monkeypatch.chdir(rules / "2020-01-01" / "good")
    assert main(["play", "say-hello"]) == 0
    assert main(["say-hello.yaml"]) == 0
    assert "R3" not in capsys.readouterr().out


def test_a_skeleton_outside_the_catalogue_says_what_is_left_to_do(
    rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "brand-new", "--category", "good"]) == 0
    printed = capsys.readouterr()
    path = rules / "2020-01-01" / "good" / "brand-new.yaml"
    revision = rules / "2020-01-01" / "_revision.yaml"
    assert printed.out == f"{path}\n"
    assert (
        printed.err
        == f"rulecheck: add it to catalogue: in {revision}, write what says FILL IN, then: rulecheck {path}\n"
    )

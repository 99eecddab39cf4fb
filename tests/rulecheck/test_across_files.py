"""What rulecheck sees only over several files: the catalogue, titles, the revision's own documents."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_compliance.rulecheck.check import NothingToCheckError, check_paths
from mcp_compliance.rulecheck.findings import Finding

EXAMPLES = Path(__file__).parent / "examples" / "2020-01-01"
Edit = Callable[[str, str, str], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The good examples as a revision of their own."""
    target = tmp_path / "2020-01-01"
    shutil.copytree(EXAMPLES, target, ignore=shutil.ignore_patterns("bad", "other"))
    revision = target / "_revision.yaml"
    text = revision.read_text(encoding="utf-8")
    revision.write_text(text[: text.index("  bad: [")], encoding="utf-8")
    return target


@pytest.fixture
def edit(folder: Path) -> Edit:
    def replace(name: str, old: str, new: str) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return replace


def the_finding(folder: Path, *, drop_checks: bool = False) -> Finding:
    (finding,) = check_paths([folder], drop_checks=drop_checks).findings
    return finding


def test_the_examples_are_clean(folder: Path) -> None:
    checked = check_paths([folder])
    assert (checked.findings, checked.rules) == ((), 5)


def test_a_rule_without_a_file(folder: Path, edit: Edit) -> None:
    edit("_revision.yaml", "say-hello, list-items", "say-hello, say-goodbye, list-items")
    finding = the_finding(folder)
    assert (finding.path.name, finding.code) == ("_revision.yaml", "R3")
    assert finding.message == "there is no file good/say-goodbye.yaml"
    assert finding.source is not None
    assert finding.source[finding.column - 1 :].startswith("say-goodbye")


def test_a_missing_file_is_only_missed_when_the_whole_revision_is_checked(folder: Path, edit: Edit) -> None:
    edit("_revision.yaml", "say-hello, list-items", "say-hello, say-goodbye, list-items")
    assert check_paths([folder / "good"]).findings == ()


def test_a_rule_that_is_listed_twice(folder: Path, edit: Edit) -> None:
    edit("_revision.yaml", "say-hello, list-items", "say-hello, list-items, say-hello")
    assert the_finding(folder).message == "say-hello stands twice, first under good"


def test_two_rules_with_one_title(folder: Path, edit: Edit) -> None:
    edit("good/say-hello.yaml", "Example say-hello", "example LIST-items")
    finding = the_finding(folder)
    assert (finding.path.name, finding.code) == ("say-hello.yaml", "R3")
    assert finding.message == "list-items has the same title"


def test_a_folder_that_is_named_otherwise(folder: Path) -> None:
    renamed = folder.rename(folder.parent / "2020-02-02")
    assert the_finding(renamed).message == "the revision is 2020-01-01, the folder 2020-02-02"


def test_a_fixture_whose_rule_does_not_exist(folder: Path, edit: Edit) -> None:
    edit("_revision.yaml", "rule: say-hello", "rule: say-hallo")
    finding = the_finding(folder)
    assert finding.message == "no rule say-hallo is in the catalogue"
    assert finding.hint == "did you mean say-hello?"


def test_a_setup_that_is_no_fixture(folder: Path, edit: Edit) -> None:
    edit("_revision.yaml", "preflight: {fixture: hello}", "preflight: {fixture: hallo}")
    finding = check_paths([folder]).findings[0]
    assert (finding.code, finding.message) == ("R5", "no fixture hallo")


def test_expressions_of_the_revision_and_of_its_model_are_checked_too(folder: Path, edit: Edit) -> None:
    edit("_revision.yaml", "from: hello.result.capabilities", 'from: "cout(hello)"')
    edit("_model.yaml", "sending.method == 'items/list'", "sending.method = 'items/list'")
    found = [(finding.path.name, finding.code) for finding in check_paths([folder]).findings if finding.code == "R4"]
    assert found == [("_model.yaml", "R4"), ("_revision.yaml", "R4")]


def test_expressions_in_replies_of_the_model_are_checked_too(folder: Path, edit: Edit) -> None:
    edit("_model.yaml", "[{name: a}]", "[{name: {from: cout(sending)}}]")
    finding = the_finding(folder)
    assert (finding.path.name, finding.code, finding.hint) == ("_model.yaml", "R4", "did you mean count()?")


def test_a_broken_revision_does_not_hide_what_is_wrong_with_its_rules(folder: Path, edit: Edit) -> None:
    edit("_revision.yaml", "format: 1", "format: 9")
    edit("good/say-hello.yaml", "level: optional", "level: optinal")
    codes = [(finding.path.name, finding.code) for finding in check_paths([folder]).findings]
    assert codes == [("_revision.yaml", "R2"), ("say-hello.yaml", "R2")]


def test_a_rule_outside_every_revision(tmp_path: Path) -> None:
    path = tmp_path / "stray.yaml"
    path.write_text("format: 1\n", encoding="utf-8")
    (finding,) = check_paths([path]).findings
    assert finding.code == "R3"
    assert "belongs to no revision" in finding.message


def test_pattern_sets_pass_their_own_cases(folder: Path, edit: Edit) -> None:
    edit("_patterns.yaml", "misses: [goodbye]", "misses: [hello and goodbye]")
    finding = the_finding(folder)
    assert (finding.path.name, finding.code) == ("_patterns.yaml", "R4")
    assert "finds 'hello' in the miss" in finding.message


def test_payload_sets_fit_and_name_pattern_sets_that_exist(folder: Path, edit: Edit) -> None:
    edit("_payloads.yaml", "shows: greetings", "shows: greeting")
    finding = the_finding(folder)
    assert (finding.path.name, finding.code) == ("_payloads.yaml", "R4")
    assert finding.message == "there is no pattern set greeting"


def test_a_check_that_no_case_notices_when_it_is_dropped(folder: Path, edit: Edit) -> None:
    # The second check catches what the first one does, in the same words.
    check = '{get: hello.result, type: object, else: "{hello.unusable}"}'
    edit("good/say-hello.yaml", f"  - {check}\n", f"  - {check}\n  - {check.replace('type: object', 'exists: true')}\n")
    edit("good/say-hello.yaml", "exists: true,", "exists: true, untested: the check above decides,")
    assert check_paths([folder]).findings == ()
    finding = the_finding(folder, drop_checks=True)
    assert (finding.path.name, finding.code, finding.line) == ("say-hello.yaml", "R9", 10)
    assert finding.message == "without this check every case still gives what it says"


def test_names_of_changed_files_may_be_given_as_they_are(folder: Path) -> None:
    """As a hook before commits does."""
    rule = folder / "good" / "say-hello.yaml"
    (folder / "README.md").write_text("# Rules", encoding="utf-8")
    assert check_paths([rule, folder / "README.md"]).rules == 1
    assert check_paths([rule, folder / "good" / "list-items.yaml"]).rules == 2
    assert check_paths([folder / "_anchors.yaml"]).rules == 5
    assert check_paths([rule, folder / "_revision.yaml"]).rules == 5
    shared = folder.parent / "shared"
    shared.mkdir()
    shutil.move(folder / "_patterns.yaml", shared)
    assert check_paths([shared / "_patterns.yaml"]).rules == 5
    with pytest.raises(NothingToCheckError, match="zero rules checked"):
        check_paths([folder / "README.md"])

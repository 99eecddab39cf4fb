"""``rulecheck fmt``: one layout, comments kept, and nothing changed but the layout."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sample_rules import FOLDER, samples

from mcp_compliance.catalog.document_schema import schema_of
from mcp_compliance.catalog.index import rules_root
from mcp_compliance.catalog.load import load_revision, load_rule
from mcp_compliance.catalog.positions import load_document, parse_document
from mcp_compliance.rulecheck.formatting import CannotFormatError, format_files, formatted
from mcp_compliance.rulecheck.key_order import ORDER
from mcp_compliance.rulecheck.main import main

PATH = Path("rule.yaml")
UNTIDY = """\
# about this file

id:   a-rule
format: 1   # the language
title: 'A title'


steps:
# the first
- name: asked     # who
  check:
  - get:  asked.result
    else: "{ asked.unusable }"
    is: &nothing {  }
    # not the end
  call: ask
  params: { b: 1,a:   [ 1,2 ], c: *nothing }
- {  call: other , name: second }
pass: >-
      Both were
        answered.

      In the end.
cases:
  - name: one
    replies: {asked: {result: {a: 1},
              status: 200}}
    verdict: pass
      # below the case
# the end
"""
TIDY = """\
# about this file

format: 1   # the language
id: a-rule
title: 'A title'

steps:
  # the first
  - name: asked     # who
    check:
      - get: asked.result
        is: &nothing {}
        else: "{ asked.unusable }"
        # not the end
    call: ask
    params: {b: 1, a: [1, 2], c: *nothing}
  - {name: second, call: other}
pass: >-
  Both were
    answered.

  In the end.
cases:
  - name: one
    replies: {asked: {result: {a: 1}, status: 200}}
    verdict: pass
    # below the case
# the end
"""


def test_an_untidy_rule_is_laid_out() -> None:
    """The step keeps its order: an alias must not come before its anchor."""
    assert formatted(UNTIDY, PATH) == TIDY


def test_a_tidy_rule_stays_and_its_value_is_the_same() -> None:
    once = formatted(UNTIDY, PATH)
    assert formatted(once, PATH) == once
    assert parse_document(once.encode(), PATH).value == parse_document(UNTIDY.encode(), PATH).value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a: [1,\n    2]\n", "a: [1, 2]\n"),
        (f"a: [{'x' * 70},\n  {'y' * 70}]\n", f"a:\n  [{'x' * 70},\n   {'y' * 70}]\n"),
        (f"a: [\n  {'x' * 70},\n  {'y' * 70}\n]\n", f"a:\n  [\n   {'x' * 70},\n   {'y' * 70}\n  ]\n"),
        ("a: |\n    one\n      two\n\n    three\n", "a: |\n  one\n    two\n\n  three\n"),
        ("a: one\n   two\n", "a: one\n  two\n"),
        ("a: 'one\n\n   two'\n", "a: 'one\n\n  two'\n"),
        ("a:\n- b\n-   - c\n    - d\n", "a:\n  - b\n  - - c\n    - d\n"),
        ("a: {b: , c}\n", "a: {b: null, c: null}\n"),
        ('a: {"b":1}\n', 'a: {"b": 1}\n'),
        ("a: [b: 1]\n", "a: [{b: 1}]\n"),
        ("a: &x\n  b: 1\nc: *x\n", "a: &x\n  b: 1\nc: *x\n"),
        ("a:\n  <<: {b: 1}\n  c: 2\n", "a:\n  <<: {b: 1}\n  c: 2\n"),
        ("a: b#c\nd: '# e'\n", "a: b#c\nd: '# e'\n"),
        ("---\na: 1\r\nb: 2", "a: 1\nb: 2\n"),
        ("steps:\n  - &s {call: a, name: b}\n  - *s\n", "steps:\n  - &s {name: b, call: a}\n  - *s\n"),
    ],
)
def test_layouts(text: str, shown: str) -> None:
    assert formatted(text, PATH) == shown
    assert formatted(shown, PATH) == shown


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1, # one\n  2]\n", "line 1: a comment within brackets"),
        ("a: |2\n    b\n", "line 1: a block of text that states its indentation"),
        ("a: [1\n", "rule.yaml:1:"),
    ],
)
def test_what_cannot_be_kept_is_left_as_it_is(text: str, message: str) -> None:
    with pytest.raises(CannotFormatError, match=message):
        formatted(text, PATH)


def test_the_order_has_every_key_of_its_part() -> None:
    schema = schema_of("rule")
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    for part, name in (("rule", ""), ("step", "step"), ("check", "check"), ("case", "case"), ("credit", "credit"),
                       ("spec", "spec"), ("for_each", "for_each"), ("http", "bare")):  # fmt: skip
        node = definitions[name] if name else schema
        assert isinstance(node, dict)
        assert isinstance(node["properties"], dict)
        assert sorted(ORDER[part]) == sorted(node["properties"]), part


def test_the_shipped_rules_are_laid_out() -> None:
    paths = [path for path in rules_root().glob("*/*/*.yaml") if not path.name.startswith("_")]
    assert len(paths) > 100
    found = format_files(paths, check=True)
    assert (found.files, found.changed, found.problems) == (len(paths), [], [])


def test_a_rule_compiles_to_the_same_before_and_after(tmp_path: Path) -> None:
    """The samples use every key of the language, and are not all laid out."""
    revision = load_revision(FOLDER)
    changed = 0
    for sample in samples():
        made = formatted(sample.text, sample.path)
        copy = tmp_path / "sample" / sample.path.name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(made, encoding="utf-8")
        before = load_rule(sample.path, revision).rule
        assert load_rule(copy, revision).rule == replace(before, path=copy)
        changed += made != sample.text
    assert changed > 3


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("_revision.yaml").write_text("format: 1\n", encoding="utf-8")
    Path("untidy.yaml").write_text(UNTIDY, encoding="utf-8")
    Path("tidy.yaml").write_text(formatted(UNTIDY, PATH), encoding="utf-8")

    assert main(["fmt", ".", "--check"]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("untidy.yaml\n", "rulecheck: 2 rules, 1 would be formatted\n")
    assert Path("untidy.yaml").read_text(encoding="utf-8") == UNTIDY

    assert main(["fmt", "."]) == 0
    assert capsys.readouterr().out == "untidy.yaml\n"
    assert load_document(Path("untidy.yaml")).value == load_document(Path("tidy.yaml")).value
    assert main(["fmt", "untidy.yaml", "tidy.yaml", "--check"]) == 0
    assert capsys.readouterr().out == ""

    assert main(["fmt", "_revision.yaml"]) == 0
    assert main(["fmt", "tidy.yaml", "_revision.yaml"]) == 0
    assert "1 rule, 0 formatted" in capsys.readouterr().err

    Path("broken.yaml").write_text("a: [1\n", encoding="utf-8")
    assert main(["fmt", "."]) == 2
    assert "broken.yaml:1:" in capsys.readouterr().err
    assert main(["fmt", "no-such-file.yaml"]) == 2
    assert "no such file or folder" in capsys.readouterr().err

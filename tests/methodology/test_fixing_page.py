"""The guide to failures: every recipe once, in the order in which real servers need them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from pages_fixing import example_part, fixing_pages, load_measured
from pages_source import Source, load_source
from pages_text import prose

from tests.real import tables

TABLE = """\
notices: []
detected: null
verdicts:
  - {{rules: [{rules}], verdict: fail, force: MUST, because: it was seen to do so}}
  - {{rules: [tools-list], verdict: skip, because: there is no tool at all}}
warnings: []
"""


@pytest.fixture(scope="module")
def source() -> Source:
    return load_source()


def test_what_is_counted_is_what_the_tests_of_real_servers_demand() -> None:
    failed: Counter[tuple[str, str]] = Counter()
    for revision in tables.revisions():
        for server in tables.servers(revision):
            judgements = tables.load(revision, server).judgements
            failed.update((revision, rule) for rule, each in judgements.items() if each.verdict == "fail")
    measured = load_measured(tables.FOLDER)
    assert measured.failed == failed
    assert measured.runs == {revision: len(tables.servers(revision)) for revision in tables.revisions()}


def test_every_recipe_is_there_once_for_all_rules_of_an_id_that_share_it(source: Source) -> None:
    text = fixing_pages(source)["fixing.md"].partition("## All recipes")[2]
    recipes = {(rule.id, " ".join(rule.fix.split())) for rule in source.rules()}
    assert text.count("\n(`") == len(recipes)
    for rule_id, fix in recipes:
        assert re.search(rf"\n\(`{rule_id}` · .*\)\n\n{re.escape(prose(fix))}\n", text), rule_id


def test_what_fails_more_often_comes_first(source: Source, tmp_path: Path) -> None:
    for name, rules in (("a", "prompts-get"), ("b", "prompts-get, prompts-list"), ("c", "tools-call")):
        (tmp_path / "2025-11-25").mkdir(exist_ok=True)
        (tmp_path / "2025-11-25" / f"{name}.yaml").write_text(TABLE.format(rules=rules), encoding="utf-8")
    text = fixing_pages(source, tmp_path)["fixing.md"]
    rows = re.findall(r"^\| \[`(.+?)`\].* \| (\d of \d) \| \d \|$", text, re.MULTILINE)
    assert rows == [("prompts-get", "2 of 3"), ("tools-call", "1 of 3"), ("prompts-list", "1 of 3")]
    recipes = text.partition("## All recipes")[2]
    assert re.findall(r"^### (\w+)$", recipes, re.MULTILINE)[:2] == ["prompts", "tools"]
    assert re.findall(r"^\(`(prompts-\w+)`", recipes, re.MULTILINE)[:2] == ["prompts-get", "prompts-list"]


def test_examples_stand_on_the_page_as_they_are_run(source: Source) -> None:
    text = fixing_pages(source)["fixing.md"]
    parts = (*((f"fixed_server.{end}", part) for end in ("py", "mjs") for part in ("requests", "addresses")),)
    for name, part in (*parts, ("fixed_server.mjs", "sessions"), ("fixed_server.mjs", "origin")):
        assert example_part(name, part).replace("\n\n\n", "\n\n") in text
    with pytest.raises(KeyError):
        example_part("fixed_server.py", "nothing")

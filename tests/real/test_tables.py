"""The tables by themselves: complete, with reasons, about rules that exist. Needs no server."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from mcp_compliance.catalog.index import load_index
from mcp_compliance.catalog.load import known_folders

from . import tables, zoo

LEAST_PASSES = 25
TABLES = [(revision, name) for revision in tables.revisions() for name in tables.servers(revision)]


def test_every_revision_has_tables() -> None:
    assert tables.revisions() == list(known_folders())


def test_each_server_is_graded_by_what_auto_chooses_for_it() -> None:
    chosen = Counter(name for revision, name in TABLES if tables.load(revision, name).detected is not None)
    assert chosen == {server.id: 1 for server in zoo.ALL}


@pytest.mark.parametrize(("revision", "name"), TABLES)
def test_a_table_names_rules_of_its_transport_only(revision: str, name: str) -> None:
    transport = zoo.by_id(name).transport
    rules = {entry.id for entry in load_index(revision).entries if transport in entry.transports}
    table = tables.load(revision, name)
    assert set(table.judgements) <= rules
    assert set(table.warnings) <= rules
    assert {row.cause for row in table.judgements.values()} <= {*rules, None}


@pytest.mark.parametrize("revision", tables.revisions())
def test_passes_are_adjudicated_all_over_the_catalogue(revision: str) -> None:
    categories = {entry.id: entry.category for entry in load_index(revision).entries}
    passes = [
        (name, rule)
        for name in tables.servers(revision)
        for rule, row in tables.load(revision, name).judgements.items()
        if row.verdict == "pass"
    ]
    assert len(passes) >= LEAST_PASSES
    assert {name for name, _ in passes} == set(tables.servers(revision))
    assert Counter(categories[rule] for _, rule in passes).keys() == set(categories.values())


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("{rules: [a], verdict: fail, force: MUST}", "needs"),
        ("{rules: [a], verdict: fail, because: It really is not what it should be.}", "needs"),
        ("{rules: [a], verdict: skip, because: ''}", "no reason"),
        ("{rules: [a], verdict: skip, because: it is so}", "no reason"),
        ("{rules: [a], verdict: good, because: It really is what it should be.}", "verdict is 'good'"),
        ("{rules: [a], verdict: fail, force: must, because: It really is not good at all.}", "force is 'must'"),
        ("{rules: [a], verdict: pass, cause: b, because: It really is what it should be.}", "needs"),
        ("{rules: [a, a], verdict: skip, because: It really is not declared here.}", "listed twice"),
    ],
)
def test_a_table_with_gaps_is_refused(row: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "2020-01-01").mkdir()
    text = f"detected: null\nnotices: []\nverdicts:\n- {row}\nwarnings: []\n"
    (tmp_path / "2020-01-01" / "x.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(tables.TableError, match=complaint):
        tables.load("2020-01-01", "x", tmp_path)

"""The tables by themselves: complete, with reasons, about rules that exist. Needs no server."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from mcp_compliance.catalog.index import load_index

from . import tables, zoo
from .grading import REVISION

LEAST_PASSES = 30
IDS = [server.id for server in zoo.ALL]


def test_each_server_has_its_table_and_no_table_is_left_over() -> None:
    assert sorted(path.stem for path in tables.FOLDER.glob("*.yaml")) == sorted(IDS)


@pytest.mark.parametrize("name", IDS)
def test_a_table_names_rules_of_its_transport_only(name: str) -> None:
    transport = zoo.by_id(name).transport
    rules = {entry.id for entry in load_index(REVISION).entries if transport in entry.transports}
    table = tables.load(name)
    assert set(table.judgements) <= rules
    assert set(table.warnings) <= rules


def test_passes_are_adjudicated_all_over_the_catalogue() -> None:
    categories = {entry.id: entry.category for entry in load_index(REVISION).entries}
    passes = [
        (name, rule) for name in IDS for rule, row in tables.load(name).judgements.items() if row.verdict == "pass"
    ]
    assert len(passes) >= LEAST_PASSES
    assert {name for name, _ in passes} == set(IDS)
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
        ("{rules: [a, a], verdict: skip, because: It really is not declared here.}", "listed twice"),
    ],
)
def test_a_table_with_gaps_is_refused(row: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(f"verdicts:\n- {row}\nwarnings: []\n", encoding="utf-8")
    with pytest.raises(tables.TableError, match=complaint):
        tables.load("x", tmp_path)

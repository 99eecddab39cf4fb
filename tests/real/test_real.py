"""Every rule on real servers, against the tables in ``expected/``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.model import report_schema

from . import tables, zoo
from .grading import PROCESSES, Graded, grade

pytestmark = pytest.mark.real

SIDE_BY_SIDE = ("everything-http", "py-mcp1-stdio")
_cache: dict[str, Graded] = {}


def _grouped(servers: tuple[zoo.Server, ...]) -> list[object]:
    """All tests of one server go to one worker, which grades it once."""
    return [pytest.param(server, id=server.id, marks=pytest.mark.xdist_group(server.id)) for server in servers]


@pytest.fixture(scope="module", params=_grouped(zoo.ALL))
def server(request: pytest.FixtureRequest) -> zoo.Server:
    found: zoo.Server = request.param
    zoo.demand(found)
    return found


@pytest.fixture(scope="module")
def graded(server: zoo.Server, tmp_path_factory: pytest.TempPathFactory) -> Graded:
    return _graded(server, tmp_path_factory.mktemp("graded"))


def _graded(server: zoo.Server, folder: Path) -> Graded:
    if server.id not in _cache:
        _cache[server.id] = grade(server, folder)
    return _cache[server.id]


def _said(graded: Graded, rule: str) -> str:
    test = graded.tests.get(rule)
    return "not in the report" if test is None else f"{test['verdict']}: {test['details']}"


def test_every_verdict_is_the_adjudicated_one(server: zoo.Server, graded: Graded) -> None:
    table = tables.load(server.id)
    strangers = set(table.judgements) - set(graded.tests)
    assert not strangers, "the table names rules that did not run"
    differing = {
        rule: f"adjudicated {table.verdict(rule)}, the tool says {_said(graded, rule)}"
        for rule, verdict in graded.verdicts.items()
        if verdict != table.verdict(rule)
    }
    assert not differing


def test_every_failure_has_the_force_of_the_sentence_that_it_violates(server: zoo.Server, graded: Graded) -> None:
    table = tables.load(server.id)
    forces = {rule: test.get("force") for rule, test in graded.tests.items() if test["verdict"] == "fail"}
    assert forces == {rule: table.force(rule) for rule in forces}


def test_only_the_expected_rules_warn(server: zoo.Server, graded: Graded) -> None:
    table = tables.load(server.id)
    unexpected = {rule: text for rule, text in graded.warned.items() if rule not in table.warnings}
    assert not unexpected
    assert set(table.warnings) <= set(graded.warned), "expected warnings are missing"


def test_the_report_is_valid_and_names_the_server(server: zoo.Server, graded: Graded) -> None:
    validator = Draft202012Validator(report_schema.load(), format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert [error.message for error in validator.iter_errors(graded.document)] == []
    document = graded.document
    assert "error" not in document
    assert document["transport"] == server.transport
    assert document["serverInfo"]["name"]
    assert document["serverInfo"]["protocolVersion"] == document["specVersion"]
    assert len(document["tests"]) == {"http": 85, "stdio": 55}[server.transport]


def test_strict_runs_exit_with_1_when_a_required_rule_fails(server: zoo.Server, graded: Graded) -> None:
    table = tables.load(server.id)
    required = [rule for rule, test in graded.tests.items() if test["required"]]
    expected = 1 if any(table.verdict(rule) in ("fail", "not-evaluable") for rule in required) else 0
    assert graded.outcome.exit == expected, graded.outcome.stderr[-2000:]


@pytest.mark.skipif(not PROCESSES.is_dir(), reason="this system does not list processes below /proc")
def test_no_process_is_left(graded: Graded) -> None:
    assert not graded.outcome.hung
    assert graded.left == ()


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SIDE_BY_SIDE])
def test_rules_side_by_side_come_to_the_same_verdicts(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    server = zoo.by_id(name)
    zoo.demand(server)
    folder = tmp_path_factory.mktemp("side-by-side")
    alone = _graded(server, folder)
    together = grade(server, folder, ["--concurrency", "8"])
    assert together.verdicts == alone.verdicts
    assert set(together.warned) == set(alone.warned)
    assert together.left == ()


def test_no_secret_of_the_environment_is_reported(server: zoo.Server, graded: Graded) -> None:
    """The everything server has a tool that returns its environment; nothing of that belongs in a report."""
    assert "ORCHARD_RUN" not in json.dumps(graded.document)

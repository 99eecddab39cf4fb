"""Every rule on real servers, against the tables in ``expected/``.

One test does all there is to compare about one run, so that runs spread over workers and none is made twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.model import report_schema

from . import tables, zoo
from .grading import MARKER, Graded, grade

RULES = {"http": 85, "stdio": 55}
ALONE = tuple((server, ()) for server in zoo.ALL)
SIDE_BY_SIDE = tuple((zoo.by_id(name), ("--concurrency", "8")) for name in ("everything-http", "everything-stdio"))


@pytest.mark.real
@pytest.mark.parametrize(
    ("server", "options"),
    [pytest.param(*run, id=" ".join((run[0].id, *run[1]))) for run in (*ALONE, *SIDE_BY_SIDE)],
)
def test_a_real_server_is_graded_as_adjudicated(server: zoo.Server, options: tuple[str, ...], tmp_path: Path) -> None:
    zoo.demand(server)
    table = tables.load(server.id)
    graded = grade(server, tmp_path, options)
    wrong = [*_report(server, graded), *_verdicts(table, graded), *_warnings(table, graded), *_ending(table, graded)]
    assert not wrong, "\n".join(wrong)


def _report(server: zoo.Server, graded: Graded) -> Iterator[str]:
    document = graded.document
    validator = Draft202012Validator(report_schema.load(), format_checker=Draft202012Validator.FORMAT_CHECKER)
    yield from (f"report: {error.json_path}: {error.message}" for error in validator.iter_errors(document))
    about = document["serverInfo"]
    found = (document["transport"], len(document["tests"]), about["protocolVersion"], bool(about["name"]))
    expected = (server.transport, RULES[server.transport], document["specVersion"], True)
    if found != expected or "error" in document:
        yield f"report: {found} instead of {expected}; error: {document.get('error')}"
    # The everything server has a tool that returns its environment, and nothing of that belongs in a report.
    if MARKER in json.dumps(document):
        yield "report: it contains the environment of the server"


def _verdicts(table: tables.Table, graded: Graded) -> Iterator[str]:
    yield from (f"{rule}: is in the table and did not run" for rule in set(table.judgements) - set(graded.tests))
    for rule, test in graded.tests.items():
        found, expected = (test["verdict"], test.get("force")), (table.verdict(rule), table.force(rule))
        if found != expected:
            yield f"{rule}: adjudicated {expected}, the tool says {found}: {test['details']}"


def _warnings(table: tables.Table, graded: Graded) -> Iterator[str]:
    for rule, text in graded.warned.items():
        if rule not in table.warnings:
            yield f"{rule}: unexpected warning: {text}"
    for rule in set(table.warnings) - set(graded.warned):
        yield f"{rule}: does not warn"


def _ending(table: tables.Table, graded: Graded) -> Iterator[str]:
    required = [rule for rule, test in graded.tests.items() if test["required"]]
    code = 1 if any(table.verdict(rule) in ("fail", "not-evaluable") for rule in required) else 0
    if graded.outcome.exit != code:
        yield f"--strict: exit code {graded.outcome.exit} instead of {code}: {graded.outcome.stderr[-1000:]}"
    if graded.left:
        yield f"processes are left: {graded.left}"

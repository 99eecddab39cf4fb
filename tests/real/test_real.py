"""Every rule on real servers, against the tables in ``expected/``.

One test does all there is to compare about one run, so that runs spread over workers and none is made twice: where
``auto`` has to choose the revision of a table, the run is not pinned and shows that it does. Two servers of the newer
revision are graded again, pinned and with rules side by side, which has to change no verdict.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.model import report_schema

from . import tables, zoo
from .grading import MARKER, Graded, grade

RULES = {
    ("2025-11-25", "http"): 85,
    ("2025-11-25", "stdio"): 55,
    ("2026-07-28", "http"): 99,
    ("2026-07-28", "stdio"): 75,
}
SETUP = "lifecycle-discover"
SIDE_BY_SIDE = ("everything-http", "everything-stdio")


@dataclass(frozen=True)
class Run:
    """One server graded by the rules of one revision."""

    revision: str
    server: str
    pinned: bool
    side_by_side: bool

    @property
    def id(self) -> str:
        how = ["pinned" if self.pinned else "auto", *(["side by side"] if self.side_by_side else [])]
        return f"{self.revision} {self.server} {', '.join(how)}"


RUNS = (
    *(
        Run(revision, name, tables.load(revision, name).detected is None, name in SIDE_BY_SIDE)
        for revision in tables.revisions()
        for name in tables.servers(revision)
    ),
    Run("2026-07-28", "py-mcp2-http", pinned=True, side_by_side=True),
    Run("2026-07-28", "ts-sdk2-stdio", pinned=True, side_by_side=True),
)


@pytest.mark.real
@pytest.mark.parametrize("run", [pytest.param(run, id=run.id) for run in RUNS])
def test_a_real_server_is_graded_as_adjudicated(run: Run, tmp_path: Path) -> None:
    server = zoo.by_id(run.server)
    zoo.demand(server)
    table = tables.load(run.revision, run.server)
    options = ("--concurrency", "8") if run.side_by_side else ()
    graded = grade(server, tmp_path, run.revision if run.pinned else "auto", options, installed=run.side_by_side)
    wrong = [
        *_report(run, server, graded),
        *_choice(run, table, graded),
        *_verdicts(table, graded),
        *_warnings(table, graded),
        *_ending(table, graded),
    ]
    assert not wrong, "\n".join(wrong)


def _report(run: Run, server: zoo.Server, graded: Graded) -> Iterator[str]:
    document = graded.document
    validator = Draft202012Validator(report_schema.load(), format_checker=Draft202012Validator.FORMAT_CHECKER)
    yield from (f"report: {error.json_path}: {error.message}" for error in validator.iter_errors(document))
    about = document["serverInfo"]
    found = (document["transport"], len(document["tests"]), about["protocolVersion"], bool(about["name"]))
    spoken = SETUP not in graded.tests or graded.tests[SETUP]["verdict"] == "pass"
    expected = (
        server.transport,
        RULES[run.revision, server.transport],
        run.revision if spoken else None,
        spoken,
    )
    if found != expected or "error" in document:
        yield f"report: {found} instead of {expected}; error: {document.get('error')}"
    # The everything server has a tool that returns its environment, and nothing of that belongs in a report.
    if MARKER in json.dumps(document):
        yield "report: it contains the environment of the server"


def _choice(run: Run, table: tables.Table, graded: Graded) -> Iterator[str]:
    """The revision, how it was chosen, and what is said of the run."""
    document = graded.document
    reason = f"pinned to {run.revision}" if run.pinned else table.detected
    chosen = {"era": "pinned" if run.pinned else "detected", "reason": reason}
    if (document["specVersion"], document["detection"]) != (run.revision, chosen):
        yield f"revision: {document['specVersion']} by {document['detection']} instead of {run.revision} by {chosen}"
    notices = list(table.notices)
    if not run.pinned:
        asked, _, drew = str(reason).partition(": ")
        note = f"Spec version auto-detected as {run.revision} ({asked} -> {drew}). Pin with --spec-version to override."
        notices.insert(0, note)
    if graded.notices != notices:
        yield f"notices: {graded.notices} instead of {notices}"


def _verdicts(table: tables.Table, graded: Graded) -> Iterator[str]:
    """A server that refuses the revision earns nothing by refusing the rest, so all that it passes has to be argued."""
    if table.verdict(SETUP) == "fail":
        passed = {rule for rule, test in graded.tests.items() if test["verdict"] == "pass"}
        yield from (f"{rule}: passes and is not in the table" for rule in sorted(passed - set(table.judgements)))
    yield from (f"{rule}: is in the table and did not run" for rule in set(table.judgements) - set(graded.tests))
    for rule, test in graded.tests.items():
        found = (test["verdict"], test.get("force"), test.get("cause"))
        expected = (table.verdict(rule), table.force(rule), table.cause(rule))
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

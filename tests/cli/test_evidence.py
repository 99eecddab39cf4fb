"""``--evidence`` and ``--expected-failures`` in a real run of the console script; what is written is sent again."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.cli.evidence_file import document, write_evidence
from mcp_compliance.model import report_schema
from mcp_compliance.model.evidence import RECORDED, ExchangeRecord, HttpRecord, MessageRecord, SentRecord

from .conftest import report, result

SCRIPT = Path(sys.executable).with_name("mcp-compliance")
TOKEN = "harbour-master-41"
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
RULES = "lifecycle-ping,security-origin-validation,security-oversized-input"


@dataclass(frozen=True)
class Written:
    url: str
    ended: subprocess.CompletedProcess[str]
    evidence: dict[str, Any]

    def exchanges(self, rule: str) -> list[dict[str, Any]]:
        (test,) = [test for test in self.evidence["tests"] if test["id"] == rule]
        return [self.evidence["exchanges"][key] for key in test["exchanges"]]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Written]:
    """One run against the reference server with a fault and a token, and what it wrote."""
    folder = tmp_path_factory.mktemp("evidence")
    (folder / "known.txt").write_text("security-origin-validation  behind a proxy\nlifecycle-ping\n", encoding="utf-8")
    served = ("--http", "0", "--auth-token", TOKEN, "--fault", "any-origin-served", "--spec-version", "2025-11-25")
    server = subprocess.Popen(
        [sys.executable, "-m", "mcp_compliance.reference", *served], stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        found = re.match(r"listening on (\S+)", server.stderr.readline())
        assert found is not None
        options = ("--auth", f"Bearer {TOKEN}", "--spec-version", "2025-11-25", "--only", RULES, "--format", "json")
        files = ("--evidence", "evidence.json", "--expected-failures", "known.txt")
        ended = subprocess.run(
            [SCRIPT, "test", found[1], *options, *files],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        yield Written(found[1], ended, json.loads((folder / "evidence.json").read_text(encoding="utf-8")))
    finally:
        server.kill()
        server.wait()


def test_both_documents_are_what_their_schemas_say(written: Written) -> None:
    shown = json.loads(written.ended.stdout)
    assert list(Draft202012Validator(report_schema.load("evidence.v1.json")).iter_errors(written.evidence)) == []
    assert list(Draft202012Validator(report_schema.load()).iter_errors(shown)) == []
    keys = {test["id"]: test["evidence"] for test in shown["tests"]}
    assert keys == {test["id"]: test["exchanges"] for test in written.evidence["tests"]}
    assert all(keys.values())


def test_a_known_failure_fails_nothing_and_one_that_passes_is_named(written: Written) -> None:
    verdicts = {test["id"]: test["verdict"] for test in written.evidence["tests"]}
    assert verdicts["security-origin-validation"] == "fail"
    assert written.ended.returncode == 0
    stale = "known.txt lists a rule that passes; take its line out: lifecycle-ping"
    assert written.ended.stderr == f"mcp-compliance: note: {stale}\n"
    assert stale in json.loads(written.ended.stdout)["warnings"]


def test_no_secret_is_written(written: Written) -> None:
    assert TOKEN not in json.dumps(written.evidence)
    assert TOKEN not in written.ended.stdout


def test_what_is_too_long_to_read_is_cut(written: Written) -> None:
    (big,) = (each for each in written.exchanges("security-oversized-input") if each["step"] == "big")
    assert re.search(r"\.\.\. \[\d+ characters left out\]$", big["sent"]["body"])
    assert "curl" not in big


@pytest.mark.skipif(shutil.which("curl") is None or os.name == "nt", reason="curl and a POSIX shell are needed")
def test_the_command_line_draws_the_same_answer(written: Written) -> None:
    kept = written.exchanges("security-origin-validation")[-1]
    assert kept["sent"]["http"]["method"] == "POST"
    origin = [value for name, value in kept["sent"]["http"]["headers"] if name == "Origin"]
    opened = httpx.post(
        written.url,
        headers={"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {TOKEN}"},
        json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    )
    known = {"AUTHORIZATION": f"Bearer {TOKEN}", "MCP_SESSION_ID": opened.headers["mcp-session-id"]}
    drawn = subprocess.run(
        ["sh", "-c", kept["curl"]], env={**os.environ, **known}, capture_output=True, text=True, timeout=20, check=True
    )
    head, _, body = drawn.stdout.partition("\n\n")
    assert origin
    assert f" {kept['received']['http']['status']} " in head.splitlines()[0]
    assert json.loads(body.rpartition("data: ")[2]) == kept["received"]["messages"][0]["payload"]


def record(key: str, **more: Any) -> ExchangeRecord:
    return ExchangeRecord(key, "s", "main", "answered", 1, SentRecord("ping", body="{}"), **more)


def test_each_exchange_stands_there_once() -> None:
    shared = record("e1")
    made = document(
        report(
            replace(result(rule="a"), exchanges=(shared, record("e2"))), replace(result(rule="b"), exchanges=(shared,))
        )
    )
    assert list(made["exchanges"]) == ["e1", "e2"]  # type: ignore[arg-type]
    assert [test["exchanges"] for test in made["tests"]] == [["e1", "e2"], ["e1"]]  # type: ignore[union-attr,index,call-overload]


def test_a_message_that_was_cut_or_is_no_json_is_a_text(tmp_path: Path) -> None:
    texts = ('{"a":1}', '{"a"... [9 characters left out]', "NaN", "\ud800", "[" * 100_000)
    kept = record(
        "e1",
        http=HttpRecord(200, "http://x/", (("A", "b"),), "\udcff", 1),
        messages=tuple(MessageRecord("stray", text) for text in texts),
    )
    path = tmp_path / "evidence.json"
    assert write_evidence(path, report(replace(result(), exchanges=(replace(kept, outcome=RECORDED),)))) == []
    whole = json.loads(path.read_text(encoding="utf-8"))
    assert list(Draft202012Validator(report_schema.load("evidence.v1.json")).iter_errors(whole)) == []
    first, *others = whole["exchanges"]["e1"]["received"]["messages"]
    assert first == {"kind": "stray", "payload": {"a": 1}}
    assert [other["text"] for other in others] == [*texts[1:3], "\ufffd", texts[4]]


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (line,) = write_evidence(tmp_path / "none" / "evidence.json", report(result()))
    assert line.startswith(f"--evidence {tmp_path / 'none' / 'evidence.json'}: not written: ")

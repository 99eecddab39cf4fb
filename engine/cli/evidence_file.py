"""``--evidence FILE``: everything sent and received behind each verdict, as ``model/schemas/evidence.v1.json`` says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from mcp_compliance.cli.report_files import write_whole
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.evidence import ExchangeRecord, HttpRecord, MessageRecord, SentRecord
from mcp_compliance.model.result import Report
from mcp_compliance.reporters.json_text import json_text

SCHEMA_VERSION = "1"


def write_evidence(path: Path, report: Report) -> list[str]:
    """Write the file whole or not at all; returns a line about what went wrong, if anything did."""
    problem = write_whole("--evidence", path, json_text(document(report), indent=1))
    return [] if problem is None else [problem]


def document(report: Report) -> JSONObject:
    """The tests with the keys of their exchanges, and each exchange once, in the order of first use."""
    records = {record.key: record for result in report.results for record in result.exchanges}
    found: JSONObject = {
        "schemaVersion": SCHEMA_VERSION,
        "specVersion": report.spec_version,
        "toolVersion": report.tool_version,
        "url": report.url,
        "transport": report.transport,
        "timestamp": report.timestamp,
        "tests": [
            {
                "id": result.id,
                "verdict": result.verdict,
                "details": result.message,
                "exchanges": [record.key for record in result.exchanges],
            }
            for result in report.results
        ],
        "exchanges": {key: _exchange(record) for key, record in records.items()},
    }
    if report.error is not None:
        found["error"] = report.error
    return found


def _exchange(record: ExchangeRecord) -> JSONObject:
    received: JSONObject = {}
    if record.http is not None:
        received["http"] = _http(record.http)
    if record.events:
        received["events"] = [_given(vars(event)) for event in record.events]
    if record.messages:
        received["messages"] = [_message(message) for message in record.messages]
    if (process := record.process) is not None:
        received["process"] = {
            "alive": process.alive,
            "exitCode": process.exit_code,
            "signal": process.signal,
            "stderrTail": process.stderr_tail,
        }
    return {
        "step": record.step,
        "peer": record.peer,
        "outcome": record.outcome,
        **_given({"problem": record.problem}),
        "ms": record.ms,
        "sent": _sent(record.sent),
        "received": received,
        **_given({"curl": record.curl}),
    }


def _sent(sent: SentRecord) -> JSONObject:
    found = _given({"method": sent.method})
    if sent.url is not None:
        found["http"] = {"method": sent.http_method, "url": sent.url, "headers": _pairs(sent.headers)}
    if sent.body is not None:
        found["bodyBase64" if sent.base64 else "body"] = sent.body
    return found


def _http(http: HttpRecord) -> JSONObject:
    found: JSONObject = {
        "status": http.status,
        "url": http.url,
        "headers": _pairs(http.headers),
        "body": http.body,
        "bytes": http.bytes,
    }
    if http.redirects:
        found["redirects"] = list(http.redirects)
    return {**found, **_given({"problem": http.problem})}


def _message(message: MessageRecord) -> JSONObject:
    """As JSON where it still is JSON; a message that was cut is a text."""
    try:
        return {"kind": message.kind, "payload": json.loads(message.text, parse_constant=_refuse)}
    except (ValueError, RecursionError):
        return {"kind": message.kind, "text": message.text}


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _pairs(headers: Sequence[tuple[str, str]]) -> JSON:
    return [[name, value] for name, value in headers]


def _given(members: JSONObject) -> JSONObject:
    return {name: value for name, value in members.items() if value is not None}

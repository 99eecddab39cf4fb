"""The stream of events: a line each, complete, and made of what the JSON report holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.model import report_schema
from mcp_compliance.model.result import Report
from mcp_compliance.reporters import REPORTERS, ndjson
from mcp_compliance.reporters.style import Style

from . import samples
from .every_report import ALL

every_report = pytest.mark.parametrize("report", ALL.values(), ids=ALL)


def events(text: str) -> list[dict[str, Any]]:
    """As a reader takes them that splits at every line end of Unicode's."""
    assert text.endswith("\n")
    return [
        json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} is not JSON")) for line in text.splitlines()
    ]


def render(report: Report) -> str:
    return REPORTERS["ndjson"](report, Style())


@every_report
def test_one_event_a_line_each_with_its_version(report: Report) -> None:
    text = render(report)
    text.encode("utf-8")
    found = events(text)
    assert [event["event"] for event in found] == ["begin", *["test"] * len(report.results), "end"]
    assert {event["schemaVersion"] for event in found} == {"1"}


@every_report
def test_the_last_event_holds_the_json_report_and_the_others_its_tests(report: Report) -> None:
    begin, *tests, end = events(render(report))
    written = json.loads(REPORTERS["json"](report, Style()))
    assert end["report"] == written
    assert [event["test"] for event in tests] == written["tests"]
    assert begin == {
        "schemaVersion": "1",
        "event": "begin",
        "specVersion": report.spec_version,
        "total": len(report.results),
    }


def test_the_report_in_it_is_valid() -> None:
    validator = Draft202012Validator(report_schema.load())
    assert not list(validator.iter_errors(events(render(samples.MIXED))[-1]["report"]))


def test_pieces() -> None:
    assert ndjson.status("waiting\n") == '{"schemaVersion":"1","event":"status","message":"waiting\\n"}\n'
    assert ndjson.broken_off("interrupted") == '{"schemaVersion":"1","event":"end","error":"interrupted"}\n'
    assert ndjson.status("\u2028\x85\ud800\U0001f600") == (
        '{"schemaVersion":"1","event":"status","message":"\\u2028\\u0085\ufffd\U0001f600"}\n'
    )

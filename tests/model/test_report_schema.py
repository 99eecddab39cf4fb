"""The shipped schema of report version 1 refuses what is not a report."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.model import report_schema

TEST: dict[str, Any] = {
    "id": "transport-post",
    "name": "Accepts POST",
    "category": "transport",
    "passed": True,
    "required": True,
    "details": "HTTP 200",
    "durationMs": 3,
}
SMALLEST: dict[str, Any] = {
    "schemaVersion": "1",
    "specVersion": "2025-11-25",
    "toolVersion": "0.1.0",
    "url": "http://127.0.0.1/mcp",
    "timestamp": "2026-01-02T03:04:05Z",
    "score": 100,
    "grade": "A",
    "overall": "pass",
    "summary": {"total": 1, "passed": 1, "failed": 0, "required": 1, "requiredPassed": 1},
    "categories": {"transport": {"passed": 1, "total": 1}},
    "tests": [TEST],
    "warnings": [],
    "serverInfo": {"protocolVersion": None, "name": None, "version": None, "capabilities": {"x": {"y": [1]}}},
    "toolCount": 0,
    "toolNames": [],
    "resourceCount": 0,
    "resourceNames": [],
    "promptCount": 0,
    "promptNames": [],
    "badge": {"imageUrl": "", "reportUrl": "", "markdown": "", "html": ""},
}


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = report_schema.load()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_smallest_report_of_version_1_is_valid(validator: Draft202012Validator) -> None:
    assert list(validator.iter_errors(SMALLEST)) == []


@pytest.mark.parametrize("name", sorted(SMALLEST))
def test_every_field_of_version_1_is_required(validator: Draft202012Validator, name: str) -> None:
    document = {key: value for key, value in SMALLEST.items() if key != name}
    assert not validator.is_valid(document)


@pytest.mark.parametrize("name", sorted(TEST))
def test_every_field_of_a_test_is_required(validator: Draft202012Validator, name: str) -> None:
    document = {**SMALLEST, "tests": [{key: value for key, value in TEST.items() if key != name}]}
    assert not validator.is_valid(document)


def _closed_objects(schema: Any, path: str = "") -> list[str]:
    """Paths of object schemas that let unknown members in."""
    found = []
    if isinstance(schema, dict):
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            found.append(path)
        for key, value in schema.items():
            found += _closed_objects(value, f"{path}/{key}")
    return found


def test_only_capabilities_and_the_map_of_categories_are_open() -> None:
    assert _closed_objects(report_schema.load()) == [
        "/properties/categories",
        "/properties/serverInfo/properties/capabilities",
    ]


def _changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    document = copy.deepcopy(SMALLEST)
    change(document)
    return document


BAD: dict[str, Callable[[dict[str, Any]], object]] = {
    "unknown field": lambda d: d.update(extra=1),
    "unknown field of a test": lambda d: d["tests"][0].update(extra=1),
    "unknown field of the summary": lambda d: d["summary"].update(extra=1),
    "unknown field of a category": lambda d: d["categories"]["transport"].update(extra=1),
    "unknown category": lambda d: d["categories"].update(weather={"passed": 0, "total": 0}),
    "another version": lambda d: d.update(schemaVersion="2"),
    "version as a number": lambda d: d.update(schemaVersion=1),
    "unresolved revision": lambda d: d.update(specVersion="auto"),
    "grade E": lambda d: d.update(grade="E"),
    "score above 100": lambda d: d.update(score=100.5),
    "negative count": lambda d: d["summary"].update(failed=-1),
    "fraction as a count": lambda d: d["summary"].update(failed=0.5),
    "boolean as a count": lambda d: d.update(toolCount=True),
    "fraction as a duration": lambda d: d["tests"][0].update(durationMs=1.5),
    "a skip that failed": lambda d: d["tests"][0].update(passed=False, skipped=True),
    "a failure called skip": lambda d: d["tests"][0].update(verdict="fail", skipped=True),
    "a failure that passed": lambda d: d["tests"][0].update(verdict="fail"),
    "not evaluable, yet passed": lambda d: d["tests"][0].update(verdict="not-evaluable"),
    "a skip without its flag": lambda d: d["tests"][0].update(verdict="skip"),
    "a verdict that there is not": lambda d: d["tests"][0].update(verdict="warn"),
    "an empty error": lambda d: d.update(error=""),
    "52 warnings": lambda d: d.update(warnings=[str(n) for n in range(52)]),
    "the same warning twice": lambda d: d.update(warnings=["a", "a"]),
    "a seed with a fraction": lambda d: d.update(seed=1.5),
    "a third transport": lambda d: d.update(transport="sse"),
}


@pytest.mark.parametrize("name", BAD)
def test_refuses(validator: Draft202012Validator, name: str) -> None:
    assert not validator.is_valid(_changed(BAD[name]))


GOOD: dict[str, Callable[[dict[str, Any]], object]] = {
    "a score with a fraction": lambda d: d.update(score=92.5),
    "a skip": lambda d: d["tests"][0].update(skipped=True, verdict="skip"),
    "a broken rule": lambda d: d["tests"][0].update(skipped=True, verdict="broken"),
    "a failure": lambda d: d["tests"][0].update(passed=False, verdict="fail", force="MUST", fix="f", cause="c"),
    "every optional field of a test": lambda d: d["tests"][0].update(
        specRef="https://example.com/#a", requirements=["S25-1"], origin="pack", evidence=["k"], skipped=False
    ),
    "every optional field": lambda d: d.update(
        transport="http", error="e", seed=-1, detection={"era": "pinned", "reason": "--spec-version"}
    ),
    "every optional count": lambda d: d["summary"].update(skipped=0, mustViolations=0, notEvaluable=0),
    "nothing ran": lambda d: d.update(tests=[], categories={}),
}


@pytest.mark.parametrize("name", GOOD)
def test_accepts(validator: Draft202012Validator, name: str) -> None:
    assert list(validator.iter_errors(_changed(GOOD[name]))) == []

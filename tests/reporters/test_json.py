"""The JSON reporter: every report is valid, and says what the results say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.model import report_schema
from mcp_compliance.model.result import Report
from mcp_compliance.model.scoring import half_up
from mcp_compliance.reporters import REPORTERS
from mcp_compliance.reporters.style import Style

from . import samples
from .golden import compare

ALL = {name: value for name, value in vars(samples).items() if isinstance(value, Report)}


def document(report: Report) -> dict[str, Any]:
    text = REPORTERS["json"](report, Style())
    loaded: dict[str, Any] = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    return loaded


@pytest.mark.parametrize("name", ALL)
def test_is_valid(name: str) -> None:
    checker = Draft202012Validator(report_schema.load(), format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert list(checker.iter_errors(document(ALL[name]))) == []


@pytest.mark.parametrize("name", ALL)
def test_is_one_document_in_utf_8(name: str) -> None:
    text = REPORTERS["json"](ALL[name], Style(color=True))
    text.encode("utf-8")
    assert text.endswith("}\n")
    assert "\x1b" not in text


def test_golden() -> None:
    compare(Path("mixed.json"), REPORTERS["json"](samples.MIXED, Style()))


@pytest.mark.parametrize("name", ALL)
def test_a_reader_can_recompute_everything_from_the_tests(name: str) -> None:
    read = document(ALL[name])
    measured = [test for test in read["tests"] if not test.get("skipped")]
    pools = [[t["passed"] for t in measured if t["required"] is required] for required in (True, False)]
    rates = [(sum(pool) / len(pool), weight) for pool, weight in zip(pools, (70, 30), strict=True) if pool]
    scale = 100 / sum(weight for _, weight in rates) if rates else 0
    assert read["score"] == half_up(sum(rate * weight for rate, weight in rates) * scale)
    summary = read["summary"]
    assert summary["passed"] + summary["failed"] == summary["total"] == len(read["tests"])
    assert summary["skipped"] == len(read["tests"]) - len(measured)
    assert summary["required"] == sum(test["required"] for test in read["tests"])
    assert summary["requiredPassed"] == sum(test["required"] and test["passed"] for test in read["tests"])
    failed = [test for test in read["tests"] if not test["passed"]]
    expected = "fail" if not read["tests"] or any(t["required"] for t in failed) else "partial" if failed else "pass"
    assert read["overall"] == expected
    for category, found in read["categories"].items():
        inside = [test for test in read["tests"] if test["category"] == category]
        assert found == {
            "total": len(inside),
            "passed": sum(test["passed"] for test in inside),
            "skipped": sum(bool(test.get("skipped")) for test in inside),
        }


def test_a_broken_rule_is_a_skip_with_a_verdict_of_its_own() -> None:
    [broken] = [test for test in document(samples.MIXED)["tests"] if test["verdict"] == "broken"]
    assert (broken["passed"], broken["skipped"]) == (True, True)


def test_optional_fields_only_where_they_say_something() -> None:
    tests = {test["id"]: test for test in document(samples.MIXED)["tests"]}
    passed = tests["transport-post"]
    assert passed.keys().isdisjoint({"skipped", "force", "fix", "cause", "requirements", "origin", "evidence"})
    failed = tests["transport-batch-reject"]
    assert (failed["force"], failed["requirements"]) == ("MUST", ["S25-TRANSPORT-012"])
    assert failed["fix"] == samples.BATCH.fix
    assert "cause" not in failed
    assert tests["tools-schema"]["cause"] == "tools-list"
    assert tests["lifecycle-logging"]["skipped"] is True


def test_numbers_and_flags_have_their_json_types() -> None:
    text = REPORTERS["json"](samples.MIXED, Style())
    assert '"score": 55,' in text
    assert '"durationMs": 18,' in text
    assert '"seed": 4711' in text


def test_the_badge_is_empty() -> None:
    assert document(samples.MIXED)["badge"] == {"imageUrl": "", "reportUrl": "", "markdown": "", "html": ""}


def test_what_json_cannot_say_becomes_null() -> None:
    assert document(samples.HOSTILE)["serverInfo"]["capabilities"] == {"n": None, "deep": [None, "\ufffd"]}


def test_an_error_is_told_and_a_complete_run_has_none() -> None:
    assert document(samples.NOT_STARTABLE)["error"] == samples.NOT_STARTABLE.error
    assert document(samples.NOT_STARTABLE)["tests"] == []
    assert "error" not in document(samples.MIXED)


@pytest.mark.parametrize(("number", "shown"), [(0, 0), (50, 50), (51, 51), (52, 51), (1000, 51)])
def test_warnings_are_capped(number: int, shown: int) -> None:
    report = replace(samples.MIXED, warnings=tuple(f"warning {n}" for n in range(number)) * 2)
    warnings = document(report)["warnings"]
    assert len(warnings) == shown
    if number > 51:
        assert warnings[-1] == f"{number - 50} more warnings were left out"

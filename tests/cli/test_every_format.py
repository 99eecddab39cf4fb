"""The console script: one real run that is reported in every format, on standard output and in files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree.ElementTree import fromstring

from mcp_compliance.reporters import FORMATS

RULES = ("lifecycle-discover", "tools-list")


def test_one_run_in_every_format(tmp_path: Path) -> None:
    reports = [word for form in FORMATS for word in ("--report", f"{form}={tmp_path / form}")]
    words = ["test", "--demo", "--only", ",".join(RULES), "--seed", "7", "--format", "ndjson", *reports]
    ended = subprocess.run(
        [Path(sys.executable).with_name("mcp-compliance"), *words, "--output", tmp_path / "badge.svg"],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert ended.stderr == ""
    text = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    assert set(text) == {*FORMATS, "badge.svg"}
    report = json.loads(text["json"])
    assert [test["id"] for test in report["tests"]] == list(RULES)
    for stream in (ended.stdout, text["ndjson"]):
        begin, *tests, end = map(json.loads, stream.splitlines())
        assert begin["total"] == 2
        assert [event["test"] for event in tests] == report["tests"]
        assert end["report"] == report
    [run] = json.loads(text["sarif"])["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(RULES)
    assert (run["results"], run["properties"]["seed"]) == ([], 7)
    assert [case.attrib["name"] for case in fromstring(text["junit"]).iter("testcase")] == list(RULES)
    assert fromstring(text["badge.svg"]).attrib["aria-label"].startswith("MCP compliance: A 100/100")
    assert text["markdown"].startswith("## MCP compliance: A, 100/100\n")
    assert "::notice title=MCP compliance::Grade A, 100/100" in text["github"]
    assert "100/100" in text["terminal"]
    assert text["html"].startswith("<!DOCTYPE html>") or text["html"].startswith("<!doctype html>")

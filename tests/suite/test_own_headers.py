"""Configured headers that the protocol or the transport has, too: what goes out, and what the report says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_compliance.catalog.load import load_revision
from mcp_compliance.interpreter.scripted import ENDPOINT
from mcp_compliance.model.events import Silence
from mcp_compliance.model.options import HttpTarget, Network, RunOptions
from mcp_compliance.model.result import Report
from mcp_compliance.suite.own_headers import header_warnings, sendable
from mcp_compliance.suite.run import run_suite
from tests.aio import run
from tests.suite.scripted import MODERN, SHIPPED, ScriptedTarget, catalogue, rule

PING = "  - {name: one, call: ping, check: [{get: one.result, type: object}]}"
COMMON = ["accept", "Content-Type", "MCP-Protocol-Version", "Host"]


def named(revision: Path, *names: str) -> str:
    return "\n".join(header_warnings(tuple((name, "x") for name in names), load_revision(revision)))


@pytest.mark.parametrize(
    ("revision", "own", "others"),
    [
        (SHIPPED, [*COMMON, "Mcp-Session-Id", "Last-Event-ID"], ["Mcp-Method", "Mcp-Name", "Mcp-Param-City"]),
        (MODERN, [*COMMON, "Mcp-Method", "mcp-name", "Mcp-Param-City"], ["Mcp-Session-Id", "Last-Event-ID"]),
    ],
)
def test_each_revision_has_headers_of_its_own(revision: Path, own: list[str], others: list[str]) -> None:
    assert f"protocol's own: {', '.join(own)}. Every" in named(revision, *own, *others)
    assert named(revision, *others, "Authorization", "X-Key", "User-Agent", "Cookie", "Origin") == ""


def test_those_that_frame_a_body_are_left_out() -> None:
    headers = (("content-length", "3"), ("X-Key", "v"), ("Transfer-Encoding", "chunked"))
    assert sendable(headers) == (("X-Key", "v"),)
    assert named(SHIPPED, "content-length", "X-Key", "Transfer-Encoding") == (
        "Configured headers that were left out: content-length, Transfer-Encoding. They are made for each body."
    )


def graded(folder: Path, target: ScriptedTarget, *headers: tuple[str, str], network: Network = Network()) -> Report:
    options = RunOptions(HttpTarget(ENDPOINT, headers), seed=1, network=network)
    rules = catalogue(folder, rule("one", PING))
    return run(lambda: run_suite(options, Silence(), connect=target.connect, rules=rules), at_most=1000.0)


def test_the_configured_value_goes_out_once_and_the_report_says_so(tmp_path: Path) -> None:
    target = ScriptedTarget("http")
    report = graded(tmp_path, target, ("accept", "application/json"), ("Content-Length", "3"))
    pinged = next(sending for sending in target.log if sending.method == "ping")
    sent = [(name.lower(), value) for name, value in pinged.headers]
    assert [value for name, value in sent if name == "accept"] == ["application/json"]
    assert "content-length" not in dict(sent)
    assert "accept" in report.warnings[0]
    assert "Content-Length" in report.warnings[1]


def test_nothing_is_said_where_nothing_is_replaced(tmp_path: Path) -> None:
    report = graded(tmp_path, ScriptedTarget("http"), ("Authorization", "Bearer t"), ("X-Key", "v"))
    assert not [warning for warning in report.warnings if "Configured headers" in warning]


def test_unchecked_certificates_are_the_first_that_is_said(tmp_path: Path) -> None:
    report = graded(tmp_path, ScriptedTarget("http"), ("Accept", "*/*"), network=Network(insecure=True))
    assert report.warnings[0].startswith("Certificates were not checked (--insecure)")

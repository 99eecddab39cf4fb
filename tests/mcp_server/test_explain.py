"""The tool that explains, in both eras."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp_types import CallToolResult, TextContent

from mcp_compliance.mcp_server.tools import explain_result

from .conftest import ERAS, EXPLAIN, with_client


def explain(era: str = "2026-07-28", **arguments: Any) -> CallToolResult:
    async def ask(client: Client) -> CallToolResult:
        return await client.call_tool(EXPLAIN, arguments)

    return with_client(era, ask)


def text(called: CallToolResult) -> str:
    (content,) = called.content
    assert isinstance(content, TextContent)
    return content.text


@ERAS
def test_a_shared_id_is_explained_once_for_each_revision(era: str) -> None:
    called = explain(era, testId="tools-call")
    assert not called.is_error
    data = called.structured_content
    Draft202012Validator(explain_result()).validate(data)
    assert data is not None
    assert [each["specVersion"] for each in data["explanations"]] == ["2025-11-25", "2026-07-28"]
    assert [each["level"] for each in data["explanations"]] == ["optional", "required-if-declared"]
    assert "level: optional in 2025-11-25, required of servers that declare tools in 2026-07-28" in data["notes"][0]
    for words in ("tools-call", "MCP 2025-11-25", "https://modelcontextprotocol.io/specification/2026-07-28/"):
        assert words in text(called)


def test_one_revision_alone() -> None:
    called = explain(testId="tools-call", specVersion="2026-07-28")
    assert called.structured_content is not None
    assert [each["specVersion"] for each in called.structured_content["explanations"]] == ["2026-07-28"]


def test_an_id_of_one_revision_says_so() -> None:
    called = explain(testId="lifecycle-ping")
    assert called.structured_content is not None
    assert called.structured_content["notes"] == ["Only MCP 2025-11-25 has this test; MCP 2026-07-28 has none."]


def test_a_category_lists_its_tests() -> None:
    called = explain(testId="prompts")
    Draft202012Validator(explain_result()).validate(called.structured_content)
    assert "prompts-get" in text(called)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"testId": "tools-cal"}, "did you mean tools-call?"),
        ({"testId": "lifecycle-ping", "specVersion": "2026-07-28"}, "but of MCP 2025-11-25"),
        ({"testId": "tools-call", "specVersion": "auto"}, "choose one of 2025-11-25, 2026-07-28"),
        ({"testId": "x" * 1_000_000}, "no test has an id of 1000000 characters"),
        ({}, "testId is required"),
        ({"testId": ["tools-call"]}, "testId: expected a string"),
        ({"testid": "tools-call"}, "unknown argument testid; did you mean testId?"),
        ({"testId": "tools-call", "zzz": 1}, "unknown argument zzz; the arguments are testId, specVersion"),
    ],
)
def test_a_mistake_is_a_line_that_helps(arguments: dict[str, Any], words: str) -> None:
    called = explain(**arguments)
    assert called.is_error
    assert words in text(called)
    assert "\n" not in text(called)
    assert len(text(called)) < 300

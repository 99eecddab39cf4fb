"""What lax readers of the protocol let pass."""

from __future__ import annotations

import pytest

from mcp_compliance.jsontypes import JSON, JSONObject
from tests.wire_schema.messages import GOOD, ID, TOOL
from tests.wire_schema.received import texts, violations

LISTED: JSONObject = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public", "tools": []}


def response(members: JSON) -> JSONObject:
    return {"jsonrpc": "2.0", "id": ID, "result": members}


def tools(**members: JSON) -> JSONObject:
    return response({**LISTED, "tools": [{**TOOL, **members}]})


@pytest.mark.parametrize(
    ("payload", "finding"),
    [
        (response({**LISTED, "ttlMs": "5"}), '/result/ttlMs is "5", not an integer'),
        (response({**LISTED, "ttlMs": True}), "/result/ttlMs is true, not an integer"),
        (response({**LISTED, "ttlMs": 1.5}), "/result/ttlMs is 1.5, not an integer"),
        (response({**LISTED, "ttlMs": -1}), "/result/ttlMs is -1, below 0"),
        (response({**LISTED, "cacheScope": "shared"}), '/result/cacheScope is "shared", none of "private", "public"'),
        (response({**LISTED, "nextCursor": None}), "/result/nextCursor is null, not a string"),
        (response({**LISTED, "nextCursor": 2}), "/result/nextCursor is 2, not a string"),
        (response({**LISTED, "_meta": None}), "/result/_meta is null, not an object"),
        (
            response({**LISTED, "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "s"}}}),
            "/result/_meta/io.modelcontextprotocol~1serverInfo/version is missing",
        ),
        (response({**LISTED, "tools": {"t": TOOL}}), "/result/tools is an object, not an array"),
        (response({**LISTED, "tools": [None]}), "/result/tools/0 is null, not an object"),
        (response({**LISTED, "resultType": None}), "/result/resultType is null, not a string"),
        (
            response({**LISTED, "resultType": "input_required"}),
            '/result/resultType is "input_required", not "complete"',
        ),
        (response(None), "/result is null, not an object"),
        (response("done"), '/result is "done", not an object'),
        (
            tools(annotations={"readOnlyHint": "yes"}),
            '/result/tools/0/annotations/readOnlyHint is "yes", not a boolean',
        ),
        (tools(annotations=None), "/result/tools/0/annotations is null, not an object"),
        (tools(inputSchema={}), "/result/tools/0/inputSchema/type is missing"),
        (tools(inputSchema={"type": "array"}), '/result/tools/0/inputSchema/type is "array", not "object"'),
        (tools(inputSchema=None), "/result/tools/0/inputSchema is null, not an object"),
        (tools(outputSchema=True), "/result/tools/0/outputSchema is true, not an object"),
        (tools(outputSchema=None), "/result/tools/0/outputSchema is null, not an object"),
        (tools(title=None), "/result/tools/0/title is null, not a string"),
        (tools(icons={"src": "a:b"}), "/result/tools/0/icons is an object, not an array"),
        (
            tools(icons=[{"src": "a:b", "sizes": "48x48"}]),
            '/result/tools/0/icons/0/sizes is "48x48", not an array',
        ),
        ({"jsonrpc": "2.0", "id": ID, "result": LISTED, "x": None}, None),
        ({"jsonrpc": 2.0, "id": ID, "result": LISTED}, '/jsonrpc is 2.0, not "2.0"'),
        ({"jsonrpc": "2.0", "id": None, "result": LISTED}, "/id is null, not a string or an integer"),
        ({"jsonrpc": "2.0", "id": True, "result": LISTED}, "/id is true, not a string or an integer"),
        ({"jsonrpc": "2.0", "id": 1.5, "result": LISTED}, "/id is 1.5, not a string or an integer"),
        ({"jsonrpc": "2.0", "id": float(ID), "result": LISTED}, None),
    ],
)
def test_a_list_of_tools(payload: JSONObject, finding: str | None) -> None:
    assert texts(payload, "tools/list") == ([] if finding is None else [f"tools/list response: {finding}"])


@pytest.mark.parametrize(
    ("block", "finding"),
    [
        (
            {"type": "html", "html": ""},
            '/type is "html", none of "text", "image", "audio", "resource_link", "resource"',
        ),
        ({"type": "tool_use", "id": "1", "name": "t", "input": {}}, '/type is "tool_use", none of "text",'),
        ({"text": "a"}, "/type is missing"),
        ({"type": None, "text": "a"}, "/type is null, none of"),
        ("a", ' is "a", not an object'),
        ({"type": "text", "text": {"a": 1}}, "/text is an object, not a string"),
        ({"type": "image", "data": "aGk="}, "/mimeType is missing"),
        ({"type": "resource", "uri": "a:b", "text": "a"}, "/resource is missing"),
        ({"type": "resource", "resource": {"uri": "a:b"}}, "/resource/text is missing"),
        ({"type": "resource", "resource": {"uri": "a:b", "blob": None}}, "/resource/blob is null, not a string"),
        ({"type": "resource_link", "uri": "a:b"}, "/name is missing"),
        ({"type": "text", "text": "", "annotations": {"priority": 1.01}}, "/annotations/priority is 1.01, above 1"),
        ({"type": "text", "text": "", "annotations": {"priority": "1"}}, '/annotations/priority is "1", not a number'),
        ({"type": "text", "text": "", "annotations": {"audience": "user"}}, '/annotations/audience is "user", not an'),
        (
            {"type": "text", "text": "", "annotations": {"audience": ["all"]}},
            '/annotations/audience/0 is "all", none of',
        ),
    ],
)
def test_content_of_a_tool(block: JSON, finding: str) -> None:
    payload = response({"resultType": "complete", "content": [block]})
    (text,) = texts(payload, "tools/call")
    assert str(text).startswith(f"tools/call response: /result/content/0{finding}")


@pytest.mark.parametrize(
    ("method", "members", "findings"),
    [
        ("tools/call", {"resultType": "complete"}, ["/content is missing"]),
        ("tools/call", {"resultType": "complete", "content": None}, ["/content is null, not an array"]),
        ("tools/call", {"resultType": "complete", "content": [], "isError": "false"}, ['/isError is "false", not a']),
        ("tools/call", {"content": []}, ["/resultType is missing"]),
        ("tools/list", {"ttlMs": "5", "cacheScope": "public", "tools": []}, ["/resultType is", "/ttlMs is"]),
        ("tools/call", {"requestState": "s"}, ["/resultType is missing"]),
        ("tools/call", {"inputRequests": {}}, ["/resultType is missing"]),
        ("tools/call", {"resultType": "input_required", "requestState": None}, ["/requestState is null, not a string"]),
        (
            "tools/call",
            {"resultType": "input_required", "inputRequests": []},
            ["/inputRequests is an array, not an obj"],
        ),
        (
            "prompts/get",
            {"resultType": "input_required", "inputRequests": {"k": {"method": "ping"}}},
            ['/inputRequests/k/method is "ping", none of "sampling/createMessage", "roots/list", "elicitation/create"'],
        ),
        (
            "tools/call",
            {"resultType": "input_required", "inputRequests": {"k": {"method": "elicitation/create"}}},
            ["/inputRequests/k/params is missing"],
        ),
        (
            "tools/call",
            {
                "resultType": "input_required",
                "inputRequests": {"k": {"method": "elicitation/create", "params": {"mode": "page", "message": ""}}},
            },
            ['/inputRequests/k/params/mode is "page", none of "form", "url"'],
        ),
        ("tools/call", {"resultType": "task", "content": 5}, []),
        ("tools/call", {"resultType": "task", "_meta": []}, ["/_meta is an array, not an object"]),
        ("compliance/x", {"tools": 5}, ["/resultType is missing"]),
        (
            "completion/complete",
            {"resultType": "complete", "completion": {"values": ["a"] * 101}},
            ["/completion/values has 101 items, more than 100"],
        ),
        (
            "server/discover",
            {
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "public",
                "supportedVersions": "x",
                "capabilities": [],
            },
            ["/capabilities is an array, not an object", '/supportedVersions is "x", not an array'],
        ),
        (
            "server/discover",
            {
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "public",
                "supportedVersions": [],
                "capabilities": {"tools": True, "logging": None, "prompts": {"listChanged": "yes"}},
            },
            [
                "/capabilities/logging is null",
                '/capabilities/prompts/listChanged is "yes"',
                "/capabilities/tools is true",
            ],
        ),
    ],
)
def test_results(method: str, members: JSONObject, findings: list[str]) -> None:
    found = sorted(map(str, texts(response(members), method)))
    assert len(found) == len(findings), found
    for text, finding in zip(found, findings, strict=True):
        assert text.startswith(f"{method} response: /result{finding}")


@pytest.mark.parametrize(
    ("error", "findings"),
    [
        ({"code": "-32602", "message": ""}, ['/error/code is "-32602", not an integer']),
        ({"code": -32602.5, "message": ""}, ["/error/code is -32602.5, not an integer"]),
        ({"code": -32602}, ["/error/message is missing"]),
        ({"code": -32602, "message": None}, ["/error/message is null, not a string"]),
        ("boom", ['/error is "boom", not an object']),
        ({"code": -32021, "message": ""}, ["/error/data is missing"]),
        ({"code": -32021, "message": "", "data": {}}, ["/error/data/requiredCapabilities is missing"]),
        ({"code": -32022, "message": "", "data": {"requested": "1"}}, ["/error/data/supported is missing"]),
        (
            {"code": -32022, "message": "", "data": {"requested": 1, "supported": []}},
            ["/error/data/requested is 1, not"],
        ),
        ({"code": -32020, "message": "", "data": None}, []),
    ],
)
def test_errors(error: JSON, findings: list[str]) -> None:
    found = texts({"jsonrpc": "2.0", "id": ID, "error": error}, "tools/call")
    assert len(found) == len(findings), found
    for text, finding in zip(found, findings, strict=True):
        assert str(text).startswith(f"tools/call error: {finding}")


def test_a_null_cursor_can_be_told_from_others() -> None:
    message = response({**LISTED, "nextCursor": None})
    (found,) = violations(message, "tools/list")
    item = found.pop("item")
    assert isinstance(item, dict)
    assert item["payload"] == message
    assert found == {
        "message": "tools/list response",
        "path": "/result/nextCursor",
        "problem": "is null, not a string",
        "found": "null",
        "times": 1,
        "text": "tools/list response: /result/nextCursor is null, not a string",
    }


def test_good_messages_are_no_traps() -> None:
    """Each trap is one step away from a message that passes."""
    assert texts(response(LISTED), "tools/list") == []
    assert texts(tools(), "tools/list") == []
    assert any(message.label == "call, no content" for message in GOOD)

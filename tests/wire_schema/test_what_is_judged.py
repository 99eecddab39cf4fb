"""Which items of a recording are held against the schema, and how what is wrong is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_compliance.catalog.expressions import compile_expression
from mcp_compliance.catalog.index import rules_root
from mcp_compliance.catalog.library import Library, load_library
from mcp_compliance.catalog.wire_check import check_received
from mcp_compliance.catalog.wire_schema import VALUES, WireSchema
from mcp_compliance.exchange.recorder import kind_of
from mcp_compliance.jsontypes import JSON, JSONObject
from tests.wire_schema.messages import ID, TOOL, item_of
from tests.wire_schema.received import PATH, check

BAD: JSONObject = {"jsonrpc": "2.0", "id": ID, "result": {"resultType": "complete"}}
BAD_TOOLS: JSON = [{**TOOL, "annotations": {"readOnlyHint": "yes"}}] * 3
LISTED: JSONObject = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public", "tools": BAD_TOOLS}
RAW: JSONObject = {"id": None, "method": None, "raw": True}
CALL: JSONObject = {"id": ID, "method": "tools/call", "raw": False}
OTHER: JSONObject = {"jsonrpc": "2.0", "id": 7, "result": {"resultType": "complete"}}
GATEWAY: JSONObject = {"error": {"code": -32001, "message": 5}}


def seen(payload: JSON, **members: JSON) -> JSONObject:
    kind = members.pop("kind", kind_of(payload))
    empty: JSONObject = {"request": None, "owner": None, "in_flight": None, "status": None}
    return {**empty, "kind": kind, "payload": payload, **members}


@pytest.mark.parametrize(
    ("item", "judged", "findings"),
    [
        (seen(BAD, request=CALL, owner=CALL), 1, ["tools/call response: /result/content is missing"]),
        (seen(BAD, request=CALL, status=404), 1, ["tools/call response: /result/content is missing"]),
        # whose answer it is: by its id, else by the exchange; on stdio an unknown id says nothing
        (seen(OTHER, owner=CALL, status=200), 1, ["tools/call response: /result/content is missing"]),
        (seen(OTHER, owner=CALL), 1, []),
        (
            seen({**OTHER, "id": None}, owner=CALL),
            1,
            ["tools/call response: /result/content is missing", "/id is null"],
        ),
        (seen(OTHER), 1, []),
        # what answers a raw request is another rule's
        (seen(OTHER, owner=RAW, status=200), 0, []),
        (seen(OTHER, owner=RAW), 0, []),
        (seen(BAD, request=CALL, in_flight=RAW, status=200), 0, []),
        (seen({"jsonrpc": "2.0", "id": None, "error": 5}, owner=RAW, status=400), 0, []),
        (seen({"hello": 1}, in_flight=RAW, status=200), 0, []),
        # what need not be the server's own
        (seen(GATEWAY, owner=CALL, in_flight=CALL, status=401), 0, []),
        (seen({**GATEWAY, "id": ID}, request=CALL, status=400), 1, ["/error/message is 5", "/jsonrpc is missing"]),
        (seen({**GATEWAY, "jsonrpc": "2.0"}, owner=CALL, status=400), 1, ["/error/message is 5, not a string"]),
        (seen({"detail": "down"}, in_flight=CALL, status=502), 0, []),
        (seen({"detail": "moved"}, in_flight=CALL, status=302), 0, []),
        (seen({"level": "info"}, in_flight=CALL), 0, []),
        # what is the server's own, but no message
        (seen({"tools": []}, in_flight=CALL, status=200), 1, ["tools/call response is no JSON-RPC message"]),
        (seen({"jsonrpc": "2.0", "id": 1}, in_flight=CALL), 1, ["response has none of method, result and error"]),
        (seen({"jsonrpc": "2.0", "method": 5}, in_flight=CALL), 1, ["response: /method is 5, not a string"]),
        (seen({"ok": True}, in_flight={**CALL, "id": None}, status=202), 0, []),
        (seen({"ok": True}, status=200), 0, []),
        # never
        (seen({"jsonrpc": "2.0", "id": 1, "method": "roots/list", "params": 5}), 0, []),
        (seen([BAD], in_flight=CALL, status=200), 0, []),
        (seen(None, kind="stray", problem="no JSON"), 0, []),
        (seen(None, kind="response", request=CALL), 0, []),
        # notifications by themselves, whatever they come with
        (seen({"jsonrpc": "2.0", "method": "notifications/progress"}, in_flight=RAW, status=200), 1, ["/params is m"]),
        (
            seen({"jsonrpc": "2.0", "method": "notifications/x", "params": []}),
            1,
            ["notifications/x: /params is an arr"],
        ),
        (seen({"method": "notifications/x"}), 1, ["notifications/x: /jsonrpc is missing"]),
    ],
)
def test_an_item(item: JSONObject, judged: int, findings: list[str]) -> None:
    found = check(item)
    assert (found["judged"], found["left_out"]) == (judged, 1 - judged)
    listed = found["violations"]
    assert isinstance(listed, list)
    texts = [violation["text"] for violation in listed if isinstance(violation, dict)]
    assert len(texts) == len(findings), texts
    for finding in findings:
        assert any(finding in str(text) for text in texts), texts


def test_the_same_mistake_counts_as_one_with_its_number() -> None:
    listed: JSONObject = {"jsonrpc": "2.0", "id": ID, "result": LISTED}
    found = check(
        item_of(listed, "tools/list"), item_of({**listed, "id": "a"}, "tools/list"), item_of(BAD, "tools/call")
    )
    assert [(item["text"], item["times"]) for item in found["violations"] if isinstance(item, dict)] == [
        ('tools/list response: /result/tools/0/annotations/readOnlyHint is "yes", not a boolean (6 times)', 6),
        ("tools/call response: /result/content is missing", 1),
    ]
    assert (found["judged"], found["left_out"]) == (3, 0)


def test_mistakes_of_different_kinds_and_messages_are_kept_apart() -> None:
    def page(cursor: JSON) -> JSONObject:
        return {"jsonrpc": "2.0", "id": ID, "result": {**LISTED, "tools": [], "prompts": [], "nextCursor": cursor}}

    found = check(*(item_of(page(cursor), method) for cursor in (None, 5) for method in ("tools/list", "prompts/list")))
    assert [(item["message"], item["found"]) for item in found["violations"] if isinstance(item, dict)] == [
        ("tools/list response", "null"),
        ("prompts/list response", "null"),
        ("tools/list response", "integer"),
        ("prompts/list response", "integer"),
    ]


def test_long_values_and_names_are_cut() -> None:
    result = {"resultType": "input_required", "inputRequests": {"k/~" + "x" * 500: {"method": "y" * 500}}}
    (found,) = check(item_of({"jsonrpc": "2.0", "id": ID, "result": result}, "tools/call"))["violations"]
    assert len(found["text"]) < 300
    assert found["path"].startswith("/result/inputRequests/k~1~0xx")


def test_a_message_beyond_the_bound_is_left_out() -> None:
    large: JSONObject = {"jsonrpc": "2.0", "id": ID, "result": {"resultType": "complete", "x": [0] * VALUES}}
    assert check(item_of(large, "tools/call")) == {"judged": 0, "left_out": 1, "violations": []}


def test_a_deeply_nested_message_is_judged() -> None:
    deep: JSON = []
    for _ in range(5000):
        deep = [deep]
    payload: JSONObject = {"jsonrpc": "2.0", "id": ID, "result": {"resultType": "complete", "structuredContent": deep}}
    assert check(item_of(payload, "tools/call"))["judged"] == 1


def test_the_file_is_read_when_the_first_message_is_judged(tmp_path: Path) -> None:
    file = tmp_path / PATH.name
    schema = WireSchema(file)
    assert check_received(schema, [])["judged"] == 0
    file.write_text(PATH.read_text(encoding="utf-8"), encoding="utf-8")
    assert check_received(schema, [item_of(BAD, "tools/call")])["judged"] == 1


def test_expressions_reach_it_through_the_library(tmp_path: Path) -> None:
    expression = compile_expression("wire_check(recording.received).violations[].path")
    root: dict[str, JSON] = {"recording": {"received": [item_of(BAD, "tools/call")]}}
    assert expression.evaluate(root, load_library(wire=PATH)) == ["/result/content"]
    assert expression.evaluate(root, load_library(wire=tmp_path / PATH.name)) == []
    assert expression.evaluate(root, Library()) == []


def test_no_other_revision_needs_python() -> None:
    """Which definition judges a message stands in the document alone."""
    document = json.loads(PATH.read_text(encoding="utf-8"))
    engine = rules_root().parent / "engine" / "catalog"
    source = "".join((engine / name).read_text(encoding="utf-8") for name in ("wire_check.py", "wire_schema.py"))
    words = {word for table in document["x-messages"].values() for pair in table.items() for word in pair} - {"*"}
    assert {word for word in words | {"resultType", "input_required", "-32021"} if word in source} == set()

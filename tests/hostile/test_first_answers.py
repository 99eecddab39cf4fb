"""What a URL may answer to the first question, and which revision is graded then."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import trio

from tests.hostile import hosts
from tests.hostile.conforming import modern_answer
from tests.hostile.grading import Graded, grade_http, patient
from tests.wire.scripted_http import LAST_CHUNK, SSE_HEAD, Connection, Request, Script, chunk, response

DETECTED = "server/discover: "
Answer = Callable[[Connection, Any, dict[str, Any]], Awaitable[None]]


def discovering(answer: Answer) -> Script:
    """Answers server/discover in its own way, everything else as a server of 2025-11-25 does."""

    async def twist(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
        if message["method"] != "server/discover":
            return False
        right = modern_answer(message)
        assert right is not None
        await answer(connection, message["id"], right)
        return True

    return hosts.twisted(twist)


def body(
    change: Callable[[Any, dict[str, Any]], Any], status: str = "200 OK", kind: str = "application/json"
) -> Answer:
    async def answer(connection: Connection, id: Any, right: dict[str, Any]) -> None:
        await connection.send(response(json.dumps(change(id, right)), status, Content_Type=kind))

    return answer


def versions(value: Any) -> Answer:
    return body(lambda id, right: {**right, "result": {**right["result"], "supportedVersions": value}})


def error(code: Any, status: str = "400 Bad Request") -> Answer:
    return body(lambda id, right: {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": "no"}}, status)


async def stream(connection: Connection, id: Any, right: dict[str, Any]) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
    await connection.send(SSE_HEAD, chunk(": hello\n\n: hello\n\n"), hosts.event(note), chunk("id: 7\ndata\n\n"))
    await trio.sleep(0.1)
    text = json.dumps(right)
    half = text.index(",") + 1
    await connection.send(chunk(f": more\nevent: message\ndata: {text[:half]}\n"))
    await connection.send(chunk(f"data: {text[half:]}\n\n"), hosts.event(note), LAST_CHUNK)


async def stream_that_stays_open(connection: Connection, id: Any, right: dict[str, Any]) -> None:
    await connection.send(SSE_HEAD, hosts.event(right))
    await connection.closed_by_client()


def first_answer(answer: Answer) -> Graded:
    only = "lifecycle-init,lifecycle-discover,lifecycle-discover-versions,lifecycle-id-match"
    graded, _ = grade_http(discovering(answer), *patient("--only", only), within=3)
    assert graded.code == 0
    assert "broken" not in graded.counts
    return graded


@pytest.mark.parametrize(
    ("answer", "note", "failed"),
    [
        (stream, "supportedVersions [2026-07-28]", set()),
        (stream_that_stays_open, "supportedVersions [2026-07-28]", set()),
        (versions(["2026-07-28"] + ["2025-11-25"] * 20_000), "supportedVersions [2026-07-28, 2025-11-25, 20", set()),
        (versions([1, None, {"a": 1}]), 'supportedVersions [1, null, {"a":1}]', {"lifecycle-discover-versions"}),
        (versions(["\x1b[2J\n"]), "supportedVersions [\\x1b[2J", {"lifecycle-discover-versions"}),
        (versions([]), "supportedVersions []", {"lifecycle-discover-versions"}),
        (
            body(lambda id, right: {**right, "id": None}),
            "supportedVersions [2026-07-28]",
            {"lifecycle-id-match"},
        ),
        (
            body(lambda id, right: {**right, "id": str(id)}, kind="text/html"),
            "supportedVersions [2026-07-28]",
            {"lifecycle-id-match"},
        ),
        (
            body(lambda id, right: {**right, "result": {**right["result"], "instructions": "x" * 2**22}}),
            "supportedVersions [2026-07-28]",
            set(),
        ),
        (error(-32022), "JSON-RPC error -32022", {"lifecycle-discover"}),
        (error(-32020, "403 Forbidden"), "JSON-RPC error -32020", {"lifecycle-discover"}),
    ],
    ids=["stream", "open", "many", "types", "control", "none", "null id", "id as text", "huge", "-32022", "-32020"],
)
def test_a_modern_answer(answer: Answer, note: str, failed: set[str]) -> None:
    graded = first_answer(answer)
    assert graded.spec_version == "2026-07-28"
    assert graded.detection[0] == "detected"
    assert graded.detection[1].startswith(f"{DETECTED}{note}")
    assert len(graded.detection[1]) < 400
    assert graded.ids("fail") == failed


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (error(-32000), "JSON-RPC error -32000, legacy"),
        (error(-32601, "200 OK"), "JSON-RPC error -32601, legacy"),
        (error("-32022"), "a JSON-RPC error whose code is no number, legacy"),
        (error(None), "a JSON-RPC error whose code is no number, legacy"),
        (versions("2026-07-28"), "a result whose supportedVersions is no list, legacy"),
        (versions({"2026-07-28": True}), "a result whose supportedVersions is no list, legacy"),
        (body(lambda id, right: {**right, "result": None}), "a result without supportedVersions, legacy"),
        (body(lambda id, right: {**right, "result": {}}), "a result without supportedVersions, legacy"),
    ],
    ids=["-32000", "-32601", "code as text", "no code", "text", "object", "null", "empty"],
)
def test_any_other_answer_is_an_older_servers(answer: Answer, note: str) -> None:
    graded = first_answer(answer)
    assert graded.spec_version == "2025-11-25"
    assert graded.detection == ("detected", f"{DETECTED}{note}")
    assert graded.first_warning == (
        f"Spec version auto-detected as 2025-11-25 (server/discover -> {note}). Pin with --spec-version to override."
    )
    assert graded.verdicts == {"lifecycle-init": "pass", "lifecycle-id-match": "pass"}


def test_a_slow_start_is_waited_for_and_graded_as_what_it_is() -> None:
    """The first request hangs while the server starts; the second, sent after the first budget, is served."""

    async def twist(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
        if number == 1:
            await connection.closed_by_client()
        elif (right := modern_answer(message)) is not None:
            await connection.send(response(json.dumps(right), Content_Type="application/json"))
        return True

    words = ("--preflight-timeout", "600", "--only", "lifecycle-discover,lifecycle-id-match")
    graded, _ = grade_http(hosts.twisted(twist), *patient(*words), within=0.6, form="terminal")
    assert graded.code == 0
    assert "MCP 2026-07-28 (auto-detected" in graded.out
    assert "100/100" in graded.out
    assert graded.err.splitlines() == ["No answer within 0.6 s; asking once more, for up to 10 s"]


def test_a_refused_initialize_makes_the_grade_mean_little() -> None:
    async def twist(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
        refusal = {"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": -32601, "message": "no such method"}}
        await connection.send(response(json.dumps(refusal), Content_Type="application/json"))
        return True

    graded, _ = grade_http(hosts.twisted(twist), *patient("--only", "lifecycle-init"), within=20)
    assert graded.report is not None
    assert graded.verdicts["lifecycle-init"] == "fail"
    assert graded.report["warnings"][0] == (
        "The server refuses initialize (JSON-RPC error -32601), without which nothing else can be measured, "
        "so the grade below is not meaningful. See to lifecycle-init first."
    )

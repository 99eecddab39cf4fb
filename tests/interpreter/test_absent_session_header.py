"""A server that records every byte of its headers: ``session: none`` really leaves the session header out."""

from __future__ import annotations

import json

from mcp_compliance.model.events import Silence
from mcp_compliance.model.options import HttpTarget, RunOptions
from mcp_compliance.model.result import Report
from mcp_compliance.suite.run import run_suite
from tests.aio import run
from tests.wire.scripted_http import Connection, Request, response, serving

SESSION = "recorded-session-93c1f0a7"
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "recorder", "version": "1"}}


def _answer(request: Request) -> bytes:
    message = json.loads(request.body) if request.body else {}
    head = {"Content-Type": "application/json"}
    envelope = {"jsonrpc": "2.0", "id": message.get("id")}
    if message.get("method") == "initialize":
        return response(json.dumps({**envelope, "result": HELLO}), MCP_Session_Id=SESSION, **head)
    if request.header("MCP-Session-Id") is None:
        error = {"code": -32600, "message": "which session?"}
        return response(json.dumps({**envelope, "error": error}), "400 Bad Request", **head)
    if "id" not in message:
        return response(b"", "202 Accepted")
    return response(json.dumps({**envelope, "result": {}}), **head)


async def _record(connection: Connection) -> None:
    while (request := await connection.request()) is not None:
        await connection.send(_answer(request))


def recorded(*, only: tuple[str, ...], headers: tuple[tuple[str, str], ...] = ()) -> tuple[Report, list[Request]]:
    """The report of a run of these rules and every request that arrived, in order."""

    async def main() -> tuple[Report, list[Request]]:
        async with serving(_record) as server:
            target = HttpTarget(server.url, headers=headers)
            report = await run_suite(RunOptions(target, spec_version="2025-11-25", only=only, seed=1), Silence())
            return report, list(server.requests)

    return run(main, jump=False, at_most=20)


def names(request: Request) -> set[str]:
    """Header names in lower case, the one that counts under any letter case."""
    return {name.lower() for name, _ in request.headers}


def test_the_probe_lacks_the_header_and_all_other_requests_carry_it() -> None:
    report, requests = recorded(only=("transport-session-id",))
    assert [(result.verdict, result.message) for result in report.results] == [("pass", "refused with HTTP 400")]
    asked, first, *later = requests
    assert json.loads(asked.body)["method"] == "server/discover"  # it tells nothing but which revision is spoken
    assert json.loads(first.body)["method"] == "initialize"
    assert "mcp-session-id" not in names(first)
    lacking = [request for request in later if "mcp-session-id" not in names(request)]
    assert [json.loads(request.body)["method"] for request in lacking] == ["ping"]
    assert lacking[0].header("MCP-Protocol-Version") == "2025-11-25"
    assert SESSION not in str(lacking[0].headers) + str(lacking[0].target)
    assert {request.header("MCP-Session-Id") for request in later if request not in lacking} == {SESSION}


def test_the_user_s_own_headers_stay_on_the_probe() -> None:
    _, requests = recorded(only=("transport-session-id",), headers=(("X-Tenant", "blue"),))
    assert {request.header("X-Tenant") for request in requests} == {"blue"}
    assert sum("mcp-session-id" not in names(request) for request in requests) == 3

"""Something answers, but it is no MCP server, or one behind a gate: a graded report, exit 0, and advice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.hostile import hosts
from tests.hostile.grading import Graded, grade_http, patient
from tests.wire.scripted_http import Connection, Request, Script, always, response

PAGE = "<!doctype html><html><body>Welcome to nginx</body></html>"


def page(status: str, body: str = PAGE, kind: str = "text/html", **headers: str) -> Script:
    return always(response(body, status, Content_Type=kind, **headers))


def nothing_measured_passes(graded: Graded) -> None:
    """The handshake failed; what needs a session is skipped and points to it."""
    assert graded.code == 0
    assert graded.error == ""
    assert graded.verdicts["lifecycle-init"] == "fail"
    assert graded.report is not None
    assert graded.report["score"] < 60
    assert graded.counts["skip"] > graded.counts["fail"]
    assert "broken" not in graded.counts
    for test in graded.tests:
        if test["verdict"] == "pass":
            assert test["id"].startswith(("transport-", "security-", "lifecycle-jsonrpc")), test


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (page("200 OK"), "HTTP 200 without a JSON-RPC result (text/html)"),
        (page("401 Unauthorized", "{}", "application/json", WWW_Authenticate="Bearer"), "check --auth"),
        (page("403 Forbidden"), "HTTP 403 (forbidden"),
        (page("404 Not Found"), "HTTP 404"),
        (page("500 Internal Server Error"), "HTTP 500"),
        (page("200 OK", "\x00\xff{]", "application/json"), "HTTP 200 without a JSON-RPC result"),
    ],
    ids=["html", "401", "403", "404", "500", "garbage"],
)
def test_a_wall(script: Script, words: str) -> None:
    graded, server = grade_http(script, *patient(), within=0)
    nothing_measured_passes(graded)
    assert words in graded.details("lifecycle-init")
    assert len(server.requests) < 40


def test_a_rate_limit_on_everything_is_waited_for_within_bounds() -> None:
    graded, _ = grade_http(
        page("429 Too Many Requests", Retry_After="86400"), *patient("--only", "lifecycle,errors"), within=6
    )
    assert graded.code == 0
    assert graded.verdicts["lifecycle-init"] == "fail"
    assert "HTTP 429" in graded.details("lifecycle-init")


def test_a_wall_fails_strict() -> None:
    graded, _ = grade_http(page("404 Not Found"), *patient("--strict", "--only", "lifecycle"), within=0)
    assert graded.code == 1
    assert "--strict" in graded.err


def test_one_redirect_of_the_same_origin_is_followed_and_reported() -> None:
    graded, server = grade_http(hosts.redirecting(1), *patient("--only", "lifecycle"), within=0)
    assert graded.code == 0
    assert graded.verdicts["lifecycle-init"] == "pass"
    assert f"{server.url.removesuffix('/mcp')}/hop/1" in graded.warnings


@pytest.mark.parametrize("status", ["307 Temporary Redirect", "302 Found"])
def test_ten_redirects_are_not_followed_to_their_end(status: str) -> None:
    graded, server = grade_http(hosts.redirecting(10, status), *patient(), within=0)
    nothing_measured_passes(graded)
    assert status[:3] in graded.details("lifecycle-init")
    assert not [request for request in server.requests if request.target.endswith(("/hop/3", "/hop/10"))]


def test_credentials_do_not_follow_a_redirect_to_another_origin() -> None:
    elsewhere: list[Request] = []

    async def script(connection: Connection) -> None:
        while (request := await connection.request()) is not None:
            if (request.header("host") or "").startswith("localhost"):
                elsewhere.append(request)
            host = (request.header("host") or "").replace("127.0.0.1", "localhost")
            await connection.send(response(b"", "307 Temporary Redirect", Location=f"http://{host}/mcp"))

    graded, _ = grade_http(script, *patient(), within=0)
    nothing_measured_passes(graded)
    assert not [request for request in elsewhere if request.header("authorization") or request.header("x-api-key")]


async def control_characters(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
    body = json.dumps(hosts.answer(message)).encode()
    await connection.send(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n",
        b"MCP-Session-Id: a\x1b[31m\x07\r\nX-A: \xff\x01\x1b]0;x\x07\r\n",
        b"Content-Length: %d\r\n\r\n" % len(body),
        body,
    )
    return True


def test_headers_with_control_characters_do_not_steer_the_terminal() -> None:
    graded, _ = grade_http(hosts.twisted(control_characters), *patient("--verbose"), within=3, form="terminal")
    assert graded.code in (0, 2)
    for text in (graded.out, graded.err):
        assert not set(text) & {"\x1b", "\x07", "\x01"}

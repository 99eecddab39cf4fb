"""Addresses behind which nothing speaks MCP, or nothing at all: exit 2, every rule failed for one cause, at once."""

from __future__ import annotations

import socket
import ssl
from pathlib import Path

import pytest
import trio

from tests.hostile import hosts
from tests.hostile.grading import Graded, grade, grade_http, grade_installed, hasty, patient
from tests.wire.scripted_http import SSE_HEAD, Connection, Script, response, serving

PEM = Path(__file__).parents[1] / "wire" / "selfsigned.pem"
PROBES = 1.5
"""The two probes: 0.5 s of preflight, 1 s of start-up."""
OPENING = ("--only", "lifecycle,transport")


RUNS = "Check that the server runs"


def all_failed_for_one_cause(graded: Graded, *words: str, advice: str = RUNS) -> None:
    assert graded.code == 2
    assert set(graded.verdicts.values()) == {"fail"}
    assert len(graded.verdicts) > 1
    assert graded.causes == {"unreachable"}
    assert graded.report is not None
    assert (graded.report["grade"], graded.report["score"]) == ("F", 0)
    for word in words:
        assert word in graded.error
    assert graded.error in graded.err
    assert advice in graded.err
    assert graded.err.count("\n") == 1


def test_an_unknown_host() -> None:
    graded = grade_installed("http://no-such-host.invalid/mcp", *patient(*OPENING), within=0)
    all_failed_for_one_cause(graded, "no-such-host.invalid:80", "cannot be resolved")


def test_a_refused_port() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        graded = grade(
            f"http://127.0.0.1:{port}/mcp", *patient(*OPENING, "--concurrency", "8", "--retries", "2"), within=0
        )
    all_failed_for_one_cause(graded, f"127.0.0.1:{port} refused the connection")


def test_people_are_told_once_and_not_for_each_rule() -> None:
    graded = grade("http://127.0.0.1:9/mcp", *patient(), within=0, form="terminal")
    assert graded.code == 2
    assert graded.out.count("127.0.0.1:9 refused the connection") == 1
    assert "Check that the server runs" in graded.out
    assert len(graded.out.splitlines()) < 30


@pytest.mark.parametrize("trusted", [False, True])
def test_a_certificate_that_nobody_vouches_for(trusted: bool) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    env = {"SSL_CERT_FILE": str(PEM)} if trusted else {}

    async def main() -> Graded:
        async with serving(hosts.twisted(hosts.nothing), tls=context) as server:
            return await trio.to_thread.run_sync(
                lambda: grade(server.url, *patient("--only", "lifecycle-init"), within=0, env=env)
            )

    graded = trio.run(main)
    if trusted:
        assert (graded.code, graded.verdicts) == (0, {"lifecycle-init": "pass"})
        return
    assert graded.code == 2
    assert graded.causes == {"unreachable"}
    assert "TLS" in graded.error
    assert "SSL_CERT_FILE" in graded.error


def test_https_where_plain_http_is_spoken() -> None:
    async def plain(connection: Connection) -> None:
        await connection.send(response("plain HTTP, please", "400 Bad Request"))
        await connection.closed_by_client()

    async def main() -> Graded:
        async with serving(plain) as server:
            url = server.url.replace("http:", "https:")
            return await trio.to_thread.run_sync(lambda: grade(url, *patient(*OPENING), within=0))

    all_failed_for_one_cause(trio.run(main), "TLS to 127.0.0.1", advice="this port speaks TLS")


async def drops(connection: Connection) -> None:
    await connection.request()


async def speaks_ssh(connection: Connection) -> None:
    await connection.request()
    await connection.send(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")
    await connection.closed_by_client()


async def drips_its_head(connection: Connection) -> None:
    await connection.request()
    await connection.send(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        await connection.send(b"x")
        await trio.sleep(0.05)


async def drips_its_body(connection: Connection) -> None:
    await connection.request()
    await connection.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n")
    while True:
        await connection.send(b" ")
        await trio.sleep(0.05)


async def streams_comments(connection: Connection) -> None:
    await connection.request()
    await connection.send(SSE_HEAD)
    await hosts.endless_comments(connection, {})


async def endless_header(connection: Connection) -> None:
    await connection.request()
    await connection.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        await connection.send(b"X-A: " + b"x" * 65536 + b"\r\n")


@pytest.mark.parametrize(
    ("script", "words", "advice"),
    [
        (drops, ["without an HTTP answer"], "If this port speaks TLS"),
        (speaks_ssh, ["does not answer in HTTP"], RUNS),
        (hosts.silent_from(1), ["no answer within 1 s", "--startup-timeout"], RUNS),
        (hosts.dead_from(1), ["no answer within 1 s", "--startup-timeout"], RUNS),
        (drips_its_head, ["no answer within 1 s"], RUNS),
        (drips_its_body, ["the body did not end within 1 s"], RUNS),
        (streams_comments, ["no response came within 1 s"], RUNS),
        (endless_header, ["does not answer in HTTP"], RUNS),
    ],
    ids=["drops", "ssh", "silent", "accepts only", "drips head", "drips body", "comments", "endless header"],
)
def test_connections_are_accepted_and_nothing_comes_of_it(script: Script, words: list[str], advice: str) -> None:
    """Two probes are sent, whatever the number of rules; nothing follows the second silent one."""
    graded, server = grade_http(script, *hasty(*OPENING), within=PROBES)
    all_failed_for_one_cause(graded, *words, advice=advice)
    assert len(server.requests) <= 2


@pytest.mark.parametrize("pin", ["auto", "2025-11-25", "2026-07-28"])
def test_a_server_that_hangs_on_everything_is_asked_twice_whichever_revision_is_graded(pin: str) -> None:
    words = hasty("--preflight-timeout", "500", "--spec-version", pin)
    graded, server = grade_http(hosts.silent_from(1), *words, within=PROBES)
    all_failed_for_one_cause(graded, "no answer within 1 s")
    assert len(server.requests) == 2
    assert ("--spec-version 2025-11-25 tries initialize" in graded.error) == (pin == "auto")

"""Proxies, private authorities and short-lived credentials: each option reaches every request of a run."""

from __future__ import annotations

import ssl
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import trio
import trustme

from tests.hostile import hosts
from tests.hostile.grading import Graded, grade, grade_installed, patient
from tests.wire.recording_proxy import proxying
from tests.wire.scripted_http import Connection, Request, Script, Server, response, serving

RULES = (
    "--only",
    "lifecycle,tools-list,transport-get,security-auth-required,security-oauth-metadata,security-tls-required",
)
"""Among them one that asks for metadata beside the endpoint, and one that asks without TLS."""
BASIC = "Basic dXNlcjpwcm94eVBhc3N3b3Jk"  # user:proxyPassword
PRINTS = """
import pathlib, sys
count = pathlib.Path(sys.argv[1])
number = int(count.read_text()) + 1 if count.exists() else 1
count.write_text(str(number))
print(f"mintedToken{number}")
"""
NO_PROXIES = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy", "no_proxy"), "")
"""In lower case they win over the others, also when they are empty."""


def beside_a_proxy(
    script: Script,
    words: Callable[[Server, Server], tuple[str, ...]],
    env: Callable[[Server], Mapping[str, str]] = lambda proxy: {},
    *,
    tls: ssl.SSLContext | None = None,
    credentials: str | None = None,
    by: Callable[..., Graded] = grade,
    **more: Any,
) -> tuple[Graded, Server, Server]:
    """Grade a scripted server beside a recording proxy: the run, the server, and the proxy."""

    async def main() -> tuple[Graded, Server, Server]:
        async with serving(script, tls) as server, proxying(credentials) as proxy:
            settings = {**NO_PROXIES, **env(proxy)}
            graded = await trio.to_thread.run_sync(
                lambda: by(*patient(*words(server, proxy)), within=20, env=settings, **more)
            )
            return graded, server, proxy

    return trio.run(main)


def of_environment(exceptions: str) -> Callable[[Server], Mapping[str, str]]:
    return lambda proxy: {"http_proxy": f"http://user:proxyPassword@127.0.0.1:{proxy.port}", "no_proxy": exceptions}


def test_the_proxy_of_the_environment_sees_every_request_also_to_loopback() -> None:
    graded, server, proxy = beside_a_proxy(
        hosts.twisted(hosts.nothing), lambda server, _: (server.url, *RULES), of_environment(""), credentials=BASIC
    )
    assert graded.code == 0
    assert len(server.requests) > 10
    assert len(proxy.requests) == len(server.requests)
    assert {request.target.split("/")[2] for request in proxy.requests} == {f"127.0.0.1:{server.port}"}
    assert [request for request in proxy.requests if "/.well-known/" in request.target]
    assert not [request for request in server.requests if request.header("Proxy-Authorization") is None]


def test_the_proxy_of_the_environment_sees_none_that_no_proxy_names() -> None:
    graded, server, proxy = beside_a_proxy(
        hosts.twisted(hosts.nothing), lambda server, _: (server.url, *RULES), of_environment("127.0.0.1")
    )
    assert graded.code == 0
    assert len(server.requests) > 10
    assert proxy.requests == []


def test_a_dead_proxy_of_the_environment_is_named() -> None:
    env = {**NO_PROXIES, "http_proxy": "http://user:proxyPassword@127.0.0.1:9"}
    graded = grade("http://127.0.0.1:9/mcp", *patient(*RULES), within=0, env=env)
    assert graded.code == 2
    assert "the proxy http://127.0.0.1:9 (http_proxy) refused the connection" in graded.error
    assert "proxyPassword" not in graded.out + graded.err


def walled(changes_at: int) -> Script:
    """A server that wants the first minted token, and from this request on the second."""
    served = 0

    async def twist(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
        nonlocal served
        wanted = f"Bearer mintedToken{1 if served < changes_at else 2}"
        if request.header("Authorization") == wanted:
            served += 1
            return False
        await connection.send(response("", "401 Unauthorized", WWW_Authenticate="Bearer"))
        return True

    return hosts.twisted(twist)


def test_an_authority_a_proxy_and_a_credential_that_expires_all_at_once(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    (tmp_path / "mint.py").write_text(PRINTS)

    def words(server: Server, proxy: Server) -> tuple[str, ...]:
        return (
            server.url,
            *RULES,
            "--cacert",
            str(tmp_path / "ca.pem"),
            "--proxy",
            f"http://user:proxyPassword@127.0.0.1:{proxy.port}",
            "--auth-command",
            f"{sys.executable} -S {tmp_path / 'mint.py'} {tmp_path / 'count'}",
        )

    graded, server, proxy = beside_a_proxy(
        walled(6), words, tls=context, credentials=BASIC, by=grade_installed, secrets=False
    )
    assert graded.code == 0
    assert (tmp_path / "count").read_text() == "2"
    assert "--auth-command was asked once more" in graded.warnings
    assert graded.verdicts["security-auth-required"] == "pass"
    assert server.connections == len(proxy.requests)
    assert {request.method for request in proxy.requests} == {"CONNECT", "POST"}  # the one without TLS is forwarded
    for secret in ("proxyPassword", "mintedToken", BASIC.removeprefix("Basic ")):
        assert secret not in graded.out + graded.err


def test_insecure_is_loud_and_gives_tls_no_credit() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("other.example").configure_cert(context)
    graded, _, _ = beside_a_proxy(
        hosts.twisted(hosts.nothing),
        lambda server, _: (server.url, *RULES, "--insecure", "-H", "Accept: application/json"),
        tls=context,
        by=grade_installed,
    )
    assert graded.code == 0
    assert graded.first_warning.startswith("Certificates were not checked (--insecure)")
    assert "take the place of the protocol's own: Accept." in graded.warnings
    assert "note: --insecure" in graded.err
    assert graded.verdicts["security-tls-required"] == "skip"
    assert "certificates were not checked" in graded.details("security-tls-required")

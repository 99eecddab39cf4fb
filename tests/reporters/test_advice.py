"""What people are told to do when a run did not come about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcp_compliance.reporters.advice import after_error

from .samples import MIXED


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("the server cannot be reached: 127.0.0.1:7 refused the connection", "Check that the server runs"),
        ("the server cannot be reached: the proxy http://127.0.0.1:9 refused the connection", "Check the proxy"),
        ("the server cannot be reached: SSL_CERT_FILE: /nope: cannot be read: No such file", "unset it"),
        ("the server cannot be reached: TLS to h:1 failed: wrong version number", "this port speaks TLS"),
        (
            "the server cannot be reached: h:1 accepted the connection and closed it without an HTTP answer",
            "begins with https://",
        ),
        (
            "the server cannot be reached: TLS to h:1 failed: self-signed certificate; "
            "--cacert or SSL_CERT_FILE can name the certificate to trust",
            "--insecure",
        ),
    ],
)
def test_of_a_url(error: str, advice: str) -> None:
    assert advice in after_error(replace(MIXED, transport="http", error=error))


def test_of_a_command() -> None:
    assert after_error(replace(MIXED, transport="stdio", error="no proxy")).startswith("Run the command by itself")


def test_of_a_command_that_ended() -> None:
    exited = replace(MIXED, transport="stdio", error="the server exited before it answered: exit code 1")
    assert "-E NAME=VALUE" in after_error(exited)

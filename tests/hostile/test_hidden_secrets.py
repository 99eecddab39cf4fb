"""Servers that hand the configured secrets back wherever they can. Every run of this folder looks for them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.hostile import hosts
from tests.hostile.grading import command, grade, grade_http, patient
from tests.wire.scripted_http import Connection, Request, response


@pytest.mark.parametrize(("form", "when"), [("json", ""), ("terminal", ""), ("json", "at once")])
def test_a_child_that_prints_its_environment_everywhere(form: str, when: str) -> None:
    words = patient("--verbose", "--retries", "1", "--only", "lifecycle-ping,tools-list,stdio-framing")
    graded = grade(*words, *command("tells all", when), within=20, form=form)
    assert graded.code == 0
    assert "***" in graded.out
    assert "server | " in graded.err


def test_a_secret_on_the_command_line_itself() -> None:
    """The name of the option tells; the child exits, so the command is quoted in the report."""
    graded = grade(*patient(), *command("exits"), "--api-key", "veiled-argument", "--token=veiled-too", within=1)
    assert graded.code == 2


async def echoes(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
    told = " ".join(value for _, value in request.headers) + json.dumps(dict(request.headers))
    error = {"code": -1, "message": told}
    body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error})
    await connection.send(response(body, Content_Type="application/json", X_Echo=request.header("authorization") or ""))
    return True


async def walls(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
    page = f"<html>{request.headers}</html>"
    challenge = f'Bearer error_description="{request.header("authorization")}"'
    await connection.send(response(page, "401 Unauthorized", WWW_Authenticate=challenge, Content_Type="text/html"))
    return True


@pytest.mark.parametrize(("form", "twist"), [("json", echoes), ("terminal", echoes), ("json", walls)])
def test_a_server_that_reflects_every_header(form: str, twist: hosts.Twist) -> None:
    graded, _ = grade_http(hosts.twisted(twist), *patient("--verbose"), within=3, form=form)
    assert graded.code == 0

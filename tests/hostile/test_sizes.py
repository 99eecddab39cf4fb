"""Answers without bounds over HTTP: each is cut off, and the run goes on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hostile import hosts
from tests.hostile.grading import grade_http, patient
from tests.wire.bombs import bomb
from tests.wire.scripted_http import Connection, Request, always, response


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_gzip_bomb(kind: str) -> None:
    script = always(response(bomb(100), Content_Type=kind, Content_Encoding="gzip"))
    graded, _ = grade_http(script, *patient("--only", "lifecycle-init"), within=5)
    assert graded.code == 0
    assert graded.verdicts["lifecycle-init"] == "fail"


async def deep(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
    await connection.send(response(hosts.deep_json(message), Content_Type="application/json"))
    return True


def test_json_of_a_hundred_thousand_levels() -> None:
    graded, _ = grade_http(hosts.twisted(deep), *patient("--concurrency", "8", "--only", "lifecycle,errors"), within=5)
    assert graded.code == 0
    assert graded.verdicts["lifecycle-init"] == "fail"
    assert "broken" not in graded.counts


async def endless_body(connection: Connection, request: Request, message: dict[str, Any], number: int) -> bool:
    if message["method"] != "tools/list":
        return False
    await connection.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while True:
        await connection.send(b"[" * 65536)


def test_an_endless_body_of_one_answer_leaves_the_other_rules_alone() -> None:
    graded, _ = grade_http(hosts.twisted(endless_body), *patient("--only", "lifecycle-ping,tools-list"), within=5)
    assert graded.code == 0
    assert graded.verdicts["tools-list"] != "pass"
    assert graded.verdicts["lifecycle-ping"] == "pass"


def test_a_flood_of_notifications_and_requests_on_every_stream() -> None:
    graded, _ = grade_http(hosts.streaming(hosts.flood), *patient("--only", "lifecycle-ping,tools-list"), within=10)
    assert graded.code == 0
    assert graded.verdicts["lifecycle-ping"] == "pass"
    assert graded.verdicts["tools-list"] == "pass"


def test_a_stream_that_drips_byte_by_byte() -> None:
    graded, _ = grade_http(hosts.streaming(hosts.drip), *patient("--only", "lifecycle-ping,tools-list"), within=10)
    assert graded.code == 0
    assert graded.verdicts["lifecycle-ping"] == "pass"

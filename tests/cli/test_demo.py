"""``test --demo``, with the real suite and the bundled server, in real processes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.cli.demo import demo_target
from mcp_compliance.cli.target import TargetOptions
from mcp_compliance.model import report_schema
from mcp_compliance.model.options import HttpTarget


def demo(*words: str) -> tuple[int, dict[str, Any]]:
    ended = subprocess.run(
        [sys.executable, "-m", "mcp_compliance.cli.main", "test", "--demo", "--format", "json", *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return ended.returncode, json.loads(ended.stdout)


@pytest.mark.parametrize(("words", "transport"), [([], "stdio"), (["--transport", "http"], "http")])
@pytest.mark.parametrize(
    ("version", "rule"), [([], "lifecycle-discover"), (["--spec-version", "2025-11-25"], "lifecycle-init")]
)
def test_the_bundled_server_is_started_and_graded(
    words: list[str], transport: str, version: list[str], rule: str
) -> None:
    code, document = demo("--only", rule, *words, *version)
    assert list(Draft202012Validator(report_schema.load()).iter_errors(document)) == []
    assert (code, document["transport"], document["grade"]) == (0, transport, "A")
    assert [test["id"] for test in document["tests"]] == [rule]
    assert document["serverInfo"]["protocolVersion"] == document["specVersion"]


def test_the_http_server_ends_with_its_context() -> None:
    with demo_target("http", TargetOptions()) as target:
        assert isinstance(target, HttpTarget)
        assert httpx.post(target.url, json=[]).status_code >= 400
    with pytest.raises(httpx.ConnectError):
        httpx.post(target.url, json=[])

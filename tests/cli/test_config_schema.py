"""The schema for editors says what the tool says of the same file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.cli import config
from mcp_compliance.cli.errors import UserError

from .test_config import EVERYTHING

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((Path(config.__file__).parent / "schemas" / "config.v1.json").read_text(encoding="utf-8"))


def test_the_file_is_what_its_script_writes() -> None:
    script = ROOT / "methodology" / "config_schema.py"
    ended = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "")


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "urn:mcp-compliance:config:v1"


GOOD: list[dict[str, object]] = [
    {},
    EVERYTHING,
    {"target": {"type": "http", "url": "https://my-server.com/mcp", "headers": {"Authorization": "Bearer ${T}"}}},
    {
        "target": {
            "url": "${URL}",
            "headerFile": "h",
            "authCommand": "c",
            "cacert": "p",
            "insecure": False,
            "proxy": "x",
        }
    },
    {"target": {"type": "stdio", "command": "node", "args": ["./dist/server.js"], "env": {"LOG_LEVEL": "error"}}},
    {"target": {"command": "node"}, "skip": ["security"], "strict": True, "specVersion": "auto"},
]
BAD: list[object] = [
    [],
    {"timeuot": 1},
    {"timeout": 0},
    {"timeout": "1"},
    {"timeout": 1.5},
    {"retries": -1},
    {"strict": 1},
    {"only": "tools"},
    {"only": [1]},
    {"format": "xml"},
    {"report": {"xml": "a"}},
    {"report": {"json": ""}},
    {"minGrade": "E"},
    {"specVersion": "2025-11-26"},
    {"output": " "},
    {"noColor": True},
    {"target": {}},
    {"target": {"type": "http"}},
    {"target": {"type": "http", "command": "x"}},
    {"target": {"type": "sse", "url": "x"}},
    {"target": {"url": "x", "command": "y"}},
    {"target": {"url": "x", "args": []}},
    {"target": {"command": "x", "headers": {}}},
    {"target": {"command": "x", "insecure": True}},
    {"target": {"command": "x", "env": {"A": 1}}},
    {"target": {"command": "x", "strict": True}},
]


def _accepted_by_the_tool(document: object, folder: Path) -> bool:
    path = folder / "x.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    try:
        config.load(path, folder)
    except UserError:
        return False
    return True


@pytest.mark.parametrize("document", GOOD, ids=json.dumps)
def test_both_accept(document: object, tmp_path: Path) -> None:
    assert list(Draft202012Validator(SCHEMA).iter_errors(document)) == []
    assert _accepted_by_the_tool(document, tmp_path)


@pytest.mark.parametrize("document", BAD, ids=json.dumps)
def test_both_refuse(document: object, tmp_path: Path) -> None:
    assert list(Draft202012Validator(SCHEMA).iter_errors(document)) != []
    assert not _accepted_by_the_tool(document, tmp_path)


def test_every_revision_that_is_shipped_can_be_chosen() -> None:
    folders = sorted(path.parent.name for path in (ROOT / "rules").glob("*/_revision.yaml"))
    assert SCHEMA["properties"]["specVersion"]["enum"] == ["auto", *folders]

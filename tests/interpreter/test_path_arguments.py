"""Picking arguments that take a path."""

from __future__ import annotations

import pytest

from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.library import Library
from mcp_compliance.catalog.values import Located, Pick
from mcp_compliance.interpreter.picks import Picker
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.jsontypes import JSON
from mcp_compliance.model.options import ToolConsent

TEXT: JSON = {"type": "string"}


def _scope(*tools: JSON) -> Scope:
    return Scope(Library(), {"tools": list(tools)})


def _lists(compiler: Compiler) -> dict[str, Located]:
    return {"argument": compiler.expression("tools", ()), "tool": compiler.expression("tools", ())}


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("path", True),
        ("file_name", True),
        ("outputFile", True),
        ("directory", True),
        ("root_dir", True),
        ("folder", True),
        ("location", False),
        ("text", False),
        ("direction", False),
        ("id", False),
    ],
)
def test_a_name_tells_whether_an_argument_takes_a_path(name: str, taken: bool) -> None:
    tool: JSON = {"name": "t", "inputSchema": {"type": "object", "properties": {name: TEXT}}}
    picked = Picker(_lists(Compiler()), ToolConsent()).pick(
        Pick("argument", ("path-argument",), (), None, ()), _scope(tool)
    )
    assert [item["name"] for item in picked if isinstance(item, dict)] == ([name] if taken else [])


def test_a_tool_is_preferred_for_its_path_argument() -> None:
    plain: JSON = {"name": "plain", "inputSchema": {"type": "object", "properties": {"text": TEXT}}}
    reads: JSON = {"name": "reads", "inputSchema": {"type": "object", "properties": {"text": TEXT, "path": TEXT}}}
    number: JSON = {"name": "number", "inputSchema": {"type": "object", "properties": {"path": {"type": "integer"}}}}
    pick = Pick("tool", (), ("path-argument",), 3, ())
    picked = Picker(_lists(Compiler()), ToolConsent()).pick(pick, _scope(number, plain, reads))
    assert [item["name"] for item in picked if isinstance(item, dict)] == ["reads", "number", "plain"]

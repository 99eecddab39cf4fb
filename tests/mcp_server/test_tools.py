"""What the server says about itself and its tools, in both eras."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp_types import Tool

import mcp_compliance

from .conftest import ERAS, EXPLAIN, TEST, with_client


def listed(era: str) -> dict[str, Tool]:
    async def ask(client: Client) -> dict[str, Tool]:
        return {tool.name: tool for tool in (await client.list_tools()).tools}

    return with_client(era, ask)


@ERAS
def test_there_are_two_tools_with_titles_and_schemas(era: str) -> None:
    tools = listed(era)
    assert list(tools) == [TEST, EXPLAIN]
    for tool in tools.values():
        assert tool.title
        assert tool.description
        assert tool.output_schema is not None
        for schema in (tool.input_schema, tool.output_schema):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert schema["additionalProperties"] is False


@ERAS
def test_arguments_are_those_of_the_command_line(era: str) -> None:
    schema = listed(era)[TEST].input_schema
    assert set(schema["properties"]) == {
        *("url", "auth", "headers", "timeout", "retries", "only", "skip", "specVersion", "safe"),
    }
    assert schema["required"] == ["url"]
    assert schema["properties"]["timeout"]["default"] == 15_000
    assert schema["properties"]["specVersion"]["enum"] == ["auto", "2025-11-25", "2026-07-28"]
    assert schema["properties"]["specVersion"]["default"] == "auto"


@pytest.mark.parametrize(
    ("name", "hints"),
    [
        # it calls tools of somebody else's server, and one without annotations may destroy something
        (TEST, (False, True, False, True)),
        (EXPLAIN, (True, False, True, False)),
    ],
)
def test_hints_are_honest(name: str, hints: tuple[bool, ...]) -> None:
    said = listed("2026-07-28")[name].annotations
    assert said is not None
    assert (said.read_only_hint, said.destructive_hint, said.idempotent_hint, said.open_world_hint) == hints


@ERAS
def test_the_server_names_itself(era: str) -> None:
    async def ask(client: Client) -> tuple[str, str, str]:
        info = client.server_info
        assert info is not None
        return info.name, info.version, client.protocol_version

    assert with_client(era, ask) == ("mcp-compliance", mcp_compliance.__version__, era)

"""The shipped schema is what the models give, has no prose, and demands what the specification demands."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import cast

import pytest

from mcp_compliance.catalog.index import rules_root
from mcp_compliance.jsontypes import JSON
from tests.wire_schema.received import DEFINITIONS, DOCUMENT, PATH, TABLES

ROOT = rules_root().parent
REQUIRED = {
    "JSONRPCResultResponse": "jsonrpc id result",
    "JSONRPCErrorResponse": "jsonrpc error",
    "JSONRPCNotification": "jsonrpc method",
    "Error": "code message",
    "HeaderMismatchError": "jsonrpc error",
    "MissingRequiredClientCapabilityError": "jsonrpc error",
    "UnsupportedProtocolVersionError": "jsonrpc error",
    "Result": "resultType",
    "InputRequiredResult": "resultType",
    "DiscoverResult": "resultType supportedVersions capabilities ttlMs cacheScope",
    "ListToolsResult": "resultType tools ttlMs cacheScope",
    "ListResourcesResult": "resultType resources ttlMs cacheScope",
    "ListResourceTemplatesResult": "resultType resourceTemplates ttlMs cacheScope",
    "ListPromptsResult": "resultType prompts ttlMs cacheScope",
    "ReadResourceResult": "resultType contents ttlMs cacheScope",
    "CallToolResult": "resultType content",
    "GetPromptResult": "resultType messages",
    "CompleteResult": "resultType completion",
    "SubscriptionsListenResult": "resultType _meta",
    "Implementation": "name version",
    "ServerCapabilities": "",
    "ClientCapabilities": "",
    "Tool": "name inputSchema",
    "InputSchema": "type",
    "OutputSchema": "",
    "ToolAnnotations": "",
    "Icon": "src",
    "Resource": "uri name",
    "ResourceTemplate": "uriTemplate name",
    "Prompt": "name",
    "PromptArgument": "name",
    "PromptMessage": "role content",
    "TextContent": "type text",
    "ImageContent": "type data mimeType",
    "AudioContent": "type data mimeType",
    "ResourceLink": "type uri name",
    "EmbeddedResource": "type resource",
    "TextResourceContents": "uri text",
    "BlobResourceContents": "uri blob",
    "ToolUseContent": "type id name input",
    "ToolResultContent": "type toolUseId content",
    "Annotations": "",
    "ListRootsRequest": "method",
    "ElicitRequest": "method params",
    "ElicitRequestFormParams": "message requestedSchema",
    "ElicitRequestURLParams": "mode message url",
    "RequestedSchema": "type properties",
    "StringSchema": "type",
    "NumberSchema": "type",
    "BooleanSchema": "type",
    "LegacyTitledEnumSchema": "type enum",
    "TitledSingleSelectEnumSchema": "type oneOf",
    "UntitledMultiSelectEnumSchema": "type items",
    "TitledMultiSelectEnumSchema": "type items",
    "CreateMessageRequest": "method params",
    "CreateMessageRequestParams": "messages maxTokens",
    "SamplingMessage": "role content",
    "ModelPreferences": "",
    "CancelledNotificationParams": "requestId",
    "ProgressNotificationParams": "progressToken progress",
    "LoggingMessageNotificationParams": "level data",
    "ResourceUpdatedNotificationParams": "uri",
    "SubscriptionsAcknowledgedNotificationParams": "notifications",
    "SubscriptionFilter": "",
    "NotificationParams": "",
}
"""What the specification makes mandatory; the definitions that only serve another one are left out."""
PROSE = {"title", "description", "examples", "default", "$comment"}


def test_it_is_what_the_models_give() -> None:
    generator = ROOT / "methodology" / "wire_schema.py"
    done = subprocess.run([sys.executable, generator, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", REQUIRED)
def test_what_the_specification_demands_is_required(name: str) -> None:
    definition = cast("dict[str, JSON]", DEFINITIONS[name])
    assert {*cast("list[str]", definition.get("required", []))} == {*REQUIRED[name].split()}


def test_it_holds_no_prose() -> None:
    def keywords(node: JSON) -> Iterator[str]:
        for key, value in node.items() if isinstance(node, dict) else ():
            yield key
            for inner in value.values() if key == "properties" and isinstance(value, dict) else [value]:
                yield from keywords(inner)

    used = {key for schema in DEFINITIONS.values() for key in keywords(schema)}
    assert used.isdisjoint(PROSE)
    assert used.isdisjoint({"anyOf", "oneOf", "allOf", "not"}), "one mistake would be several errors"


def test_null_is_only_allowed_as_the_id_of_an_error() -> None:
    names = {name for name, schema in DEFINITIONS.items() if '"null"' in str(schema).replace("'", '"')}
    assert names == {name for name in DEFINITIONS if name.endswith("Error") or name == "JSONRPCErrorResponse"} - {
        "Error"
    }


def test_every_definition_is_used() -> None:
    text = PATH.read_text(encoding="utf-8")
    named = {name for table in TABLES.values() for name in table.values()}
    assert {name for name in DEFINITIONS if name not in named and f'"#/$defs/{name}"' not in text} == set()
    assert DOCUMENT.keys() == {"$schema", "$defs", "x-messages"}

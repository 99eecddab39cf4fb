"""What the server says about its tools: names, schemas of arguments and results, and hints for clients."""

from __future__ import annotations

from mcp_types import Tool, ToolAnnotations

from mcp_compliance.api.definitions import SUPPORTED_SPEC_VERSIONS
from mcp_compliance.api.options import AUTO, SuiteOptions
from mcp_compliance.catalog.index import load_index
from mcp_compliance.jsontypes import JSONObject

TEST, EXPLAIN = "mcp_compliance_test", "mcp_compliance_explain"
STATUSES = ("PASS", "FAIL", "SKIP")

_DEFAULTS = SuiteOptions()
_NAMES: JSONObject = {"type": "array", "items": {"type": "string"}}
_TEXT: JSONObject = {"type": "string"}
_COUNT: JSONObject = {"type": "integer", "minimum": 0}


def test_arguments() -> JSONObject:
    """JSON Schema of the arguments of the test tool."""
    return {
        "type": "object",
        "properties": {
            "url": {
                "type": "string",
                "description": "URL of the Streamable HTTP endpoint, http:// or https://, often ending in /mcp.",
            },
            "auth": {
                "type": "string",
                "description": "Value of the Authorization header, such as 'Bearer TOKEN'. It is never shown.",
            },
            "headers": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "More headers of every request, by name. Their values are never shown.",
            },
            "timeout": {
                "type": "integer",
                "minimum": 1,
                "default": _DEFAULTS.timeout,
                "description": "Longest wait for one answer, in milliseconds.",
            },
            "retries": {
                "type": "integer",
                "minimum": 0,
                "default": _DEFAULTS.retries,
                "description": "How often a failed test is repeated.",
            },
            "only": {**_NAMES, "description": "Run only these categories or test ids."},
            "skip": {**_NAMES, "description": "Leave out these categories or test ids."},
            "specVersion": {
                "type": "string",
                "enum": [AUTO, *SUPPORTED_SPEC_VERSIONS],
                "default": AUTO,
                "description": "Revision of the specification to grade; auto takes the newest that the server speaks.",
            },
            "safe": {
                "type": "boolean",
                "default": False,
                "description": "Call only those tools of the tested server that declare readOnlyHint: true.",
            },
        },
        "required": ["url"],
        "additionalProperties": False,
    }


def test_result() -> JSONObject:
    """JSON Schema of the structured result of the test tool."""
    test: JSONObject = {
        "type": "object",
        "properties": {
            "id": _TEXT,
            "name": _TEXT,
            "category": _TEXT,
            "status": {"type": "string", "enum": list(STATUSES)},
            "required": {"type": "boolean"},
            "details": _TEXT,
            "fix": {"type": "string", "description": "What to change; of failures."},
            "specRef": {"type": "string", "description": "Section of the specification; of failures."},
        },
        "required": ["id", "name", "category", "status", "required", "details"],
        "additionalProperties": False,
    }
    counts = ("total", "passed", "failed", "skipped", "required", "requiredPassed")
    return {
        "type": "object",
        "properties": {
            "grade": {"type": "string", "enum": ["A", "B", "C", "D", "F"]},
            "score": {"type": "integer", "minimum": 0, "maximum": 100},
            "overall": {"type": "string", "enum": ["pass", "partial", "fail"]},
            "specVersion": {"type": "string", "description": "The revision that was graded, never auto."},
            "url": _TEXT,
            "server": {"type": "string", "description": "Name and version that the server gives itself."},
            "error": {"type": "string", "description": "Why the server could not be tested; then there is no grade."},
            "summary": {
                "type": "object",
                "description": "Tests by status; skipped ones measured nothing and are in no other count but total.",
                "properties": dict.fromkeys(counts, _COUNT),
                "required": list(counts),
                "additionalProperties": False,
            },
            "tests": {"type": "array", "items": test},
            "warnings": _NAMES,
        },
        "required": ["grade", "score", "overall", "specVersion", "url", "summary", "tests", "warnings"],
        "additionalProperties": False,
    }


def explain_arguments() -> JSONObject:
    """JSON Schema of the arguments of the explain tool."""
    return {
        "type": "object",
        "properties": {
            "testId": {
                "type": "string",
                "examples": [load_index(revision).entries[0].id for revision in SUPPORTED_SPEC_VERSIONS[-1:]],
                "description": "Id of a test, as the results of a run name it; or a category of tests.",
            },
            "specVersion": {
                "type": "string",
                "enum": list(SUPPORTED_SPEC_VERSIONS),
                "description": "Revision whose test is meant; left out, every revision that has the id is explained.",
            },
        },
        "required": ["testId"],
        "additionalProperties": False,
    }


def explain_result() -> JSONObject:
    """JSON Schema of the structured result of the explain tool."""
    explanation: JSONObject = {
        "type": "object",
        "properties": {
            **dict.fromkeys(("specVersion", "name", "category", "capability", "why", "fix"), _TEXT),
            **dict.fromkeys(("transports", "sends", "requirements"), _NAMES),
            "level": {"type": "string", "enum": ["required", "optional", "required-if-declared"]},
            "spec": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"url": _TEXT, "force": _TEXT},
                    "required": ["url", "force"],
                    "additionalProperties": False,
                },
            },
        },
        "required": [
            *("specVersion", "name", "category", "level", "transports"),
            *("sends", "why", "fix", "spec", "requirements"),
        ],
        "additionalProperties": False,
    }
    test: JSONObject = {
        "type": "object",
        "properties": dict.fromkeys(("specVersion", "id", "name"), _TEXT),
        "required": ["specVersion", "id", "name"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "id": _TEXT,
            "explanations": {
                "type": "array",
                "items": explanation,
                "description": "The test in each revision that has it.",
            },
            "notes": {**_NAMES, "description": "How the revisions differ about this id."},
            "category": {"type": "string", "description": "Set when testId names a category."},
            "tests": {"type": "array", "items": test, "description": "The tests of that category."},
        },
        "additionalProperties": False,
    }


def tools() -> list[Tool]:
    """Both tools as ``tools/list`` shows them.

    The test tool is not called read-only, and not harmless either: it calls tools of the tested server, and one that
    is not annotated there may do anything.
    """
    return [
        Tool(
            name=TEST,
            title="Test an MCP server",
            description="Runs the compliance test suite against an MCP server at a URL. Returns the grade (A to F), "
            "the score, the graded revision, and each test as PASS, FAIL or SKIP with details. Calls tools of the "
            "tested server with made-up arguments, except tools that it declares destructive.",
            input_schema=test_arguments(),
            output_schema=test_result(),
            annotations=ToolAnnotations(
                read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True
            ),
        ),
        Tool(
            name=EXPLAIN,
            title="Explain a compliance test",
            description="Says what a test checks, why it matters, how to pass it, and where the specification asks "
            "for it.",
            input_schema=explain_arguments(),
            output_schema=explain_result(),
            annotations=ToolAnnotations(
                read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
            ),
        ),
    ]

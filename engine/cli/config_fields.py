"""The fields of a configuration file: their names, what they hold, and the parameter of a command that each sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.cli.choices import AUTO, FAIL_ON, GRADES
from mcp_compliance.reporters import REPORTERS

OWN_NAME = "mcp-compliance.config.json"
SCHEMA_ID = "urn:mcp-compliance:config:v1"
SCHEMA_KEY = "$schema"
"""Allowed in every file, for editors; it sets nothing."""
TARGET = "target"

Kind: TypeAlias = Literal["flag", "number", "text", "path", "choice", "texts", "map", "files"]
Transport: TypeAlias = Literal["http", "stdio"]


@dataclass(frozen=True)
class Field:
    """One field. ``parameter`` is None where a field is part of the target itself. A ``path`` counts from the folder of
    the file; a ``map`` has texts as members; ``files`` has paths under the words of ``choices``.
    """

    name: str
    parameter: str | None
    kind: Kind
    about: str
    choices: tuple[str, ...] = ()
    least: int | None = None
    transport: Transport | None = None
    example: str = ""


def run_fields() -> tuple[Field, ...]:
    """The fields beside ``target``, in the order of the help."""
    revisions = (AUTO, *known_revisions())
    return (
        Field(
            "specVersion",
            "spec_version",
            "choice",
            "MCP revision to grade; auto is the newest one that the server speaks.",
            revisions,
        ),
        Field(
            "only",
            "only",
            "texts",
            "Run only these categories or rules.",
            example='["tools", "lifecycle"]',
        ),
        Field("skip", "skip", "texts", "Leave out these categories or rules.", example='["security"]'),
        Field("safe", "safe", "flag", "Call only tools that declare readOnlyHint: true."),
        Field("onlyTool", "only_tool", "texts", "Call no other tools than these.", example='["search"]'),
        Field("skipTool", "skip_tool", "texts", "Never call these tools.", example='["delete_all"]'),
        Field("allowDestructive", "allow_destructive", "flag", "Also call tools that declare destructiveHint: true."),
        Field("dryRun", "dry_run", "flag", "Send nothing to tools; report what would be called."),
        Field("seed", "seed", "number", "Repeat the generated values of an earlier run."),
        Field("timeout", "timeout", "number", "Longest wait for one answer, in milliseconds.", least=1),
        Field(
            "startupTimeout",
            "startup_timeout",
            "number",
            "Longest wait for the first answer of a server that is starting, in milliseconds.",
            least=1,
        ),
        Field(
            "preflightTimeout",
            "preflight_timeout",
            "number",
            "Longest wait for the first sign of a URL, in milliseconds.",
            least=1,
        ),
        Field("retries", "retries", "number", "Repeat a failed rule up to this many times.", least=0),
        Field("concurrency", "concurrency", "number", "Rules that may run side by side.", least=1),
        Field("format", "format_", "choice", "Form of the report on standard output.", tuple(REPORTERS)),
        Field(
            "report",
            "reports",
            "files",
            "Further reports: the file for each format.",
            tuple(REPORTERS),
            example='{"junit": "report.xml"}',
        ),
        Field("output", "badge", "path", "Write an SVG badge with the grade to this file."),
        Field("evidence", "evidence", "path", "Write what was sent and received, as JSON, to this file."),
        Field("strict", "strict", "flag", "Exit 1 if a required rule fails."),
        Field("minGrade", "min_grade", "choice", "Exit 1 if the grade is below this one.", GRADES),
        Field(
            "failOn",
            "fail_on",
            "choice",
            "Exit 1 if a MUST is violated, a required rule fails, or any rule fails.",
            FAIL_ON,
        ),
        Field("expectedFailures", "expected_failures", "path", "A file with the rules that may fail, one id a line."),
        Field("verbose", "verbose", "flag", "Print each rule as it ends, and the server's standard error."),
    )


def target_fields() -> tuple[Field, ...]:
    """The fields of ``target``. All of them hold for this target only, never for one that the command line names."""
    return (
        Field("type", None, "choice", "How the server is reached.", ("http", "stdio")),
        Field("url", None, "text", "URL of a Streamable HTTP endpoint.", transport="http"),
        Field(
            "headers",
            None,
            "map",
            "Headers of every request; ${NAME} is taken from the environment.",
            transport="http",
            example='{"Authorization": "Bearer ${TOKEN}"}',
        ),
        Field(
            "headerFile",
            None,
            "path",
            "A file with further headers, one 'Name: value' a line.",
            transport="http",
        ),
        Field(
            "authCommand",
            "auth_command",
            "text",
            "A command that prints the value of the Authorization header.",
            transport="http",
        ),
        Field("cacert", "cacert", "path", "PEM file of the certificates to trust.", transport="http"),
        Field("insecure", "insecure", "flag", "Do not check the server's certificate.", transport="http"),
        Field("proxy", "proxy", "text", "URL of a proxy for every request.", transport="http"),
        Field("command", None, "text", "The command that starts a stdio server.", transport="stdio"),
        Field("args", None, "texts", "Its arguments.", transport="stdio", example='["./server.js"]'),
        Field(
            "env",
            None,
            "map",
            "Its environment variables; ${NAME} is taken from the tool's own.",
            transport="stdio",
            example='{"LOG_LEVEL": "error"}',
        ),
        Field("envFile", None, "path", "A dotenv file with further variables.", transport="stdio"),
        Field("cwd", None, "path", "The folder that it is started in.", transport="stdio"),
    )


def configurable(options: Iterable[str]) -> frozenset[str]:
    """Those of these parameters of commands that a file can set."""
    return frozenset(options) & {field.parameter for field in (*run_fields(), *target_fields())}

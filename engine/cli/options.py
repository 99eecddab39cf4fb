"""The options of commands that grade a server: names, help, choices. Each is defined here, once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.reporters import REPORTERS

AUTO = "auto"
TRANSPORTS = ("http", "stdio")
# Written out: the modules that these words come from would be loaded for --help.
GRADES = ("A", "B", "C", "D", "F")
FAIL_ON = ("must", "required", "any")

_TARGET, _WHAT, _CALLS = "Target", "What runs", "Tool calls"
_TIME, _SHOWN = "Time and repetition", "Report and exit code"
_FLAG = " "  # as metavar: a flag has no value to show

Target: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET",
        help="The URL of a Streamable HTTP endpoint, or the command that starts a stdio server. Options are "
        "recognised before and after it. Unknown ones behind a command belong to the command, and so does "
        "everything after --.",
        show_default=False,
    ),
]
Demo: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--demo",
        metavar=_FLAG,
        help="Grade the bundled server: over stdio, or over HTTP with --transport http.",
        rich_help_panel=_TARGET,
    ),
]
Header: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-H",
        "--header",
        metavar="'NAME: VALUE'",
        help="Send this header with every request to a URL. Repeatable.",
        rich_help_panel=_TARGET,
        show_default="none",
    ),
]
Auth: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE",
        help="Short for -H 'Authorization: VALUE'.",
        rich_help_panel=_TARGET,
        show_default="none",
    ),
]
Env: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-E",
        "--env",
        metavar="KEY=VALUE",
        help="Set an environment variable for the command. Repeatable; wins over --env-file.",
        rich_help_panel=_TARGET,
        show_default="none",
    ),
]
EnvFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Set the environment variables of a dotenv file, one KEY=VALUE a line.",
        rich_help_panel=_TARGET,
        show_default="none",
    ),
]
Cwd: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Start the command in this directory.",
        rich_help_panel=_TARGET,
        show_default="the current one",
    ),
]
SpecVersion: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="VERSION",
        help=f"MCP revision to grade: {', '.join(known_revisions())}, or {AUTO}: the newest one that "
        "the server speaks.",
        rich_help_panel=_WHAT,
    ),
]
Only: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Run only these categories or rules; comma-separated, repeatable.",
        rich_help_panel=_WHAT,
        show_default="all",
    ),
]
Skip: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Leave out these categories or rules; comma-separated, repeatable. Applies after --only.",
        rich_help_panel=_WHAT,
        show_default="none",
    ),
]
List: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--list",
        metavar=_FLAG,
        help="Print the rules that would run, and exit. Nothing is connected.",
        rich_help_panel=_WHAT,
    ),
]
Transport: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(TRANSPORTS),
        help="With --list or --demo: over this transport. A target has its own.",
        rich_help_panel=_WHAT,
        show_default="both",
    ),
]
Safe: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--safe",
        metavar=_FLAG,
        help="Call only tools that declare readOnlyHint: true.",
        rich_help_panel=_CALLS,
    ),
]
OnlyTool: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TOOL",
        help="Call no other tool than this one. Repeatable.",
        rich_help_panel=_CALLS,
        show_default="any",
    ),
]
SkipTool: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TOOL",
        help="Never call this tool. Repeatable.",
        rich_help_panel=_CALLS,
        show_default="none",
    ),
]
AllowDestructive: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--allow-destructive",
        metavar=_FLAG,
        help="Also call tools that declare destructiveHint: true.",
        rich_help_panel=_CALLS,
    ),
]
DryRun: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        metavar=_FLAG,
        help="Send nothing to tools; report what would be called.",
        rich_help_panel=_CALLS,
    ),
]
Seed: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        help="Repeat the generated values of an earlier run; its report names the seed.",
        rich_help_panel=_CALLS,
        show_default="random",
    ),
]
Timeout: TypeAlias = Annotated[
    int,
    typer.Option(
        metavar="MS",
        min=1,
        help="Longest wait for one answer, in milliseconds.",
        rich_help_panel=_TIME,
    ),
]
StartupTimeout: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="MS",
        min=1,
        help="Longest wait for the first answer of a server that is starting.",
        rich_help_panel=_TIME,
        show_default="the longer of --timeout and 60000",
    ),
]
PreflightTimeout: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="MS",
        min=1,
        help="Longest wait for the first sign of a URL, before it is asked once more.",
        rich_help_panel=_TIME,
        show_default="the shorter of --timeout and 10000",
    ),
]
Retries: TypeAlias = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=0,
        help="Repeat a failed rule up to N times, after 1, 2, 3 ... seconds.",
        rich_help_panel=_TIME,
    ),
]
Concurrency: TypeAlias = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        help="Rules that may run side by side; the verdicts stay the same.",
        rich_help_panel=_TIME,
    ),
]
Format: TypeAlias = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="|".join(REPORTERS),
        help="Form of the report.",
        rich_help_panel=_SHOWN,
    ),
]
Strict: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--strict",
        metavar=_FLAG,
        help="Exit 1 if a required rule fails.",
        rich_help_panel=_SHOWN,
    ),
]
MinGrade: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(GRADES),
        help="Exit 1 if the grade is below this one.",
        rich_help_panel=_SHOWN,
        show_default="none",
    ),
]
FailOnOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--fail-on",
        metavar="|".join(FAIL_ON),
        help="Exit 1 if a MUST is violated, a required rule fails, or any rule fails.",
        rich_help_panel=_SHOWN,
        show_default="none",
    ),
]
Verbose: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--verbose",
        metavar=_FLAG,
        help="Print PASS, FAIL or SKIP for each rule as it ends, and the server's standard error.",
        rich_help_panel=_SHOWN,
    ),
]
NoColor: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--no-color",
        metavar=_FLAG,
        help="No colours; NO_COLOR in the environment does the same.",
        rich_help_panel=_SHOWN,
    ),
]

"""Options that say what runs against the server, and how patiently. Each is defined here, once."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.cli import completion
from mcp_compliance.cli.choices import AUTO, CALLS, FLAG, TIME, TRANSPORTS, WHAT

SpecVersion: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="VERSION",
        help=f"MCP revision to grade: {', '.join(known_revisions())}, or {AUTO}: the newest one that "
        "the server speaks.",
        rich_help_panel=WHAT,
        autocompletion=completion.revisions,
    ),
]
Only: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Run only these categories or rules; comma-separated, repeatable.",
        rich_help_panel=WHAT,
        autocompletion=completion.rules_and_categories,
        show_default="all",
    ),
]
Skip: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Leave out these categories or rules; comma-separated, repeatable. Applies after --only.",
        rich_help_panel=WHAT,
        autocompletion=completion.rules_and_categories,
        show_default="none",
    ),
]
List: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--list",
        metavar=FLAG,
        help="Print the rules that would run, and exit. Nothing is connected.",
        rich_help_panel=WHAT,
    ),
]
Transport: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(TRANSPORTS),
        help="With --list or --demo: over this transport. A target has its own.",
        rich_help_panel=WHAT,
        autocompletion=completion.words(*TRANSPORTS),
        show_default="both",
    ),
]
Safe: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--safe",
        metavar=FLAG,
        help="Call only tools that declare readOnlyHint: true.",
        rich_help_panel=CALLS,
    ),
]
OnlyTool: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TOOL",
        help="Call no other tool than this one. Repeatable.",
        rich_help_panel=CALLS,
        show_default="any",
    ),
]
SkipTool: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TOOL",
        help="Never call this tool. Repeatable.",
        rich_help_panel=CALLS,
        show_default="none",
    ),
]
AllowDestructive: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--allow-destructive",
        metavar=FLAG,
        help="Also call tools that declare destructiveHint: true.",
        rich_help_panel=CALLS,
    ),
]
DryRun: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        metavar=FLAG,
        help="Send nothing to tools; report what would be called.",
        rich_help_panel=CALLS,
    ),
]
Seed: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        help="Repeat the generated values of an earlier run; its report names the seed.",
        rich_help_panel=CALLS,
        show_default="random",
    ),
]
Timeout: TypeAlias = Annotated[
    int,
    typer.Option(
        metavar="MS",
        min=1,
        help="Longest wait for one answer, in milliseconds.",
        rich_help_panel=TIME,
    ),
]
StartupTimeout: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="MS",
        min=1,
        help="Longest wait for the first answer of a server that is starting.",
        rich_help_panel=TIME,
        show_default="the longer of --timeout and 60000",
    ),
]
PreflightTimeout: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="MS",
        min=1,
        help="Longest wait for the first sign of a URL, before it is asked once more.",
        rich_help_panel=TIME,
        show_default="the shorter of --timeout and 10000",
    ),
]
Retries: TypeAlias = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=0,
        help="Repeat a failed rule up to N times, after 1, 2, 3 ... seconds.",
        rich_help_panel=TIME,
    ),
]
Concurrency: TypeAlias = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        help="Rules that may run side by side; the verdicts stay the same.",
        rich_help_panel=TIME,
    ),
]
Watch: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--watch",
        metavar=FLAG,
        help="For a command: run again whenever a file changes below the current directory, until Ctrl+C. Left out are "
        "node_modules, .git, dist and other build output, logs and temporary files, but not a file that the command "
        "names.",
        rich_help_panel=TIME,
    ),
]
